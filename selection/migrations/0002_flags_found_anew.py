"""Flags of kinds whose tests were wrong are taken down; the next night finds those that hold."""

from django.db import migrations


def take_down(apps, schema_editor):
    apps.get_model("selection", "WorkerFlag").objects.filter(kind__in=["same", "chance"]).delete()


class Migration(migrations.Migration):
    dependencies = [("selection", "0001_initial")]

    operations = [migrations.RunPython(take_down, migrations.RunPython.noop)]
