from django.db import migrations, models

import annotation.models.campaigns


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0011_device_digest"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="enrollment",
            name="gold_cursor",
        ),
        migrations.RemoveField(
            model_name="enrollment",
            name="gold_due",
        ),
        migrations.AddField(
            model_name="campaign",
            name="secret",
            field=models.CharField(
                default=annotation.models.campaigns.new_secret, editable=False, max_length=32
            ),
        ),
        migrations.AddField(
            model_name="enrollment",
            name="ahead",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
