from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("aggregation", "0003_live_updates"),
    ]

    operations = [
        migrations.AddField(
            model_name="consensus",
            name="confidences",
            field=models.JSONField(null=True),
        ),
    ]
