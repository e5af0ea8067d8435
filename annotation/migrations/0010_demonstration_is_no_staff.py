"""The demonstration's account could read all tables; it is an ordinary manager."""

from typing import Any

from django.db import migrations


def take_back(apps: Any, schema_editor: Any) -> None:
    accounts = apps.get_model("auth", "User").objects
    for account in accounts.filter(username="demonstration", is_superuser=False):
        account.user_permissions.clear()
        account.is_staff = False
        account.save(update_fields=["is_staff"])


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0009_no_password_kept"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    operations = [migrations.RunPython(take_back, migrations.RunPython.noop, elidable=True)]
