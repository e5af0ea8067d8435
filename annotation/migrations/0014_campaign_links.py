"""Links become rows, so that each can be ended by itself.

What was sent out before has no number in it and counts as its campaign's first link.
"""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

AT_ONCE = 1_000
FIRST = 1
BEFORE = "sent before links had numbers"


def make_links(apps, schema_editor):
    Campaign = apps.get_model("annotation", "Campaign")
    CampaignLink = apps.get_model("annotation", "CampaignLink")
    for campaign in Campaign.objects.order_by("pk").iterator():
        is_assigned = campaign.assignment == "assigned"
        CampaignLink.objects.create(
            campaign=campaign, number=FIRST, note=BEFORE if is_assigned else ""
        )
        if is_assigned:
            people = campaign.enrollments.order_by("pk").values_list("worker", flat=True)
            CampaignLink.objects.bulk_create(
                (
                    CampaignLink(campaign=campaign, number=number, worker_id=person)
                    for number, person in enumerate(people, start=FIRST + 1)
                ),
                batch_size=AT_ONCE,
            )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0013_campaign_secrets"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CampaignLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("note", models.CharField(blank=True, max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="links",
                        to="annotation.campaign",
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "worker",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="links",
                        to="annotation.worker",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "number"), name="link_numbered_once"
                    )
                ],
            },
        ),
        migrations.RunPython(make_links, migrations.RunPython.noop),
    ]
