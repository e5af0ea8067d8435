from django.db import migrations

from annotation.models.campaigns import new_secret


def give_secrets(apps, schema_editor):
    """A column that is added has one default for all rows."""
    campaigns = apps.get_model("annotation", "Campaign").objects
    for pk in campaigns.values_list("pk", flat=True):
        campaigns.filter(pk=pk).update(secret=new_secret())


class Migration(migrations.Migration):
    dependencies = [("annotation", "0012_ahead")]

    operations = [migrations.RunPython(give_secrets, migrations.RunPython.noop, elidable=True)]
