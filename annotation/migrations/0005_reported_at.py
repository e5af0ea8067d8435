from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0004_rollups")]

    operations = [
        migrations.AlterModelOptions(name="tally", options={"verbose_name_plural": "tallies"}),
        migrations.AlterField(
            model_name="project", name="listed", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="assignment",
            name="reported_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                condition=models.Q(("reported_at__isnull", False)),
                fields=["reported_at"],
                name="assignment_reported",
            ),
        ),
    ]
