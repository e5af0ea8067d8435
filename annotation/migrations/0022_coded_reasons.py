from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0021_campaign_forecasts"),
    ]

    operations = [
        migrations.AddField(
            model_name="appeal",
            name="coded_about",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="enrollment",
            name="coded_reason",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="appeal",
            name="about",
            field=models.TextField(blank=True),
        ),
    ]
