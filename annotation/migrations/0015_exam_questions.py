from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0014_campaign_links"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="exam_is_hidden",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AlterField(
            model_name="demand",
            name="kind",
            field=models.PositiveSmallIntegerField(
                choices=[(0, "Plain"), (1, "Training"), (2, "Hidden"), (3, "Exam")], default=0
            ),
        ),
    ]
