from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("aggregation", "0001_initial")]

    operations = [
        migrations.AddIndex(
            model_name="consensus",
            index=models.Index(
                fields=["run", "confidence", "task"], name="consensus_by_confidence"
            ),
        ),
    ]
