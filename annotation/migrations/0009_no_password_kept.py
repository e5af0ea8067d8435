"""The log of failed log-ins held whole forms, and in them passwords: emptied."""

from typing import Any

from django.db import migrations


def empty_attempts(apps: Any, schema_editor: Any) -> None:
    attempts = apps.get_model("axes", "AccessAttempt")
    connection = schema_editor.connection
    if attempts._meta.db_table not in connection.introspection.table_names():
        return
    if connection.vendor == "sqlite":  # what is emptied is also overwritten in the file
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")
    attempts.objects.update(get_data="", post_data="")
    # A name that no account has may be a password that was typed into the wrong field.
    names = apps.get_model("auth", "User").objects.values("username")
    attempts.objects.exclude(username__in=names).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0008_registered_interfaces"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("axes", "0010_accessattemptexpiration"),
    ]
    operations = [migrations.RunPython(empty_attempts, migrations.RunPython.noop, elidable=True)]
