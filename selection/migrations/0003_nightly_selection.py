"""How many workers a campaign keeps each night is selection's own."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("selection", "0002_flags_found_anew")]

    operations = [
        migrations.CreateModel(
            name="NightlySelection",
            fields=[
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="nightly_selection",
                        serialize=False,
                        to="annotation.campaign",
                    ),
                ),
                ("keep_workers", models.PositiveIntegerField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("keep_workers__gte", 1)), name="nightly_selection_keeps"
                    )
                ],
            },
        ),
    ]
