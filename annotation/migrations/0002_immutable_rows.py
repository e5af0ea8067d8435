from django.db import migrations

from annotation.migrations._immutable_rows import drop_triggers, keep_rows


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial")]
    operations = [migrations.RunPython(keep_rows, drop_triggers)]
