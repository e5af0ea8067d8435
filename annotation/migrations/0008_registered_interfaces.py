from django.db import migrations, models

from annotation.models.campaigns import registered_interfaces


class Migration(migrations.Migration):
    dependencies = [("annotation", "0007_gold_and_redundancy")]

    operations = [
        migrations.AlterField(
            "campaign",
            "interface",
            models.CharField(choices=registered_interfaces, max_length=30),
        ),
        migrations.AlterField("importedanswer", "interface", models.CharField(max_length=30)),
    ]
