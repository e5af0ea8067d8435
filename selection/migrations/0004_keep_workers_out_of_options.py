"""How many workers a campaign keeps each night is no option of the campaign any more.

Apart from the table, since PostgreSQL adds no foreign key to rows that have just been written.
"""

from django.db import migrations


def out_of_options(apps, schema_editor):
    rules = []
    campaigns = apps.get_model("annotation", "Campaign").objects.only("pk", "options")
    for campaign in campaigns.iterator(chunk_size=500):
        if "keep_workers" not in campaign.options:
            continue
        keep = campaign.options.pop("keep_workers")
        if isinstance(keep, int) and keep > 0:
            rules.append((campaign.pk, keep))
        campaign.save(update_fields=["options"])
    model = apps.get_model("selection", "NightlySelection")
    model.objects.bulk_create(model(campaign_id=pk, keep_workers=keep) for pk, keep in rules)


def into_options(apps, schema_editor):
    campaigns = apps.get_model("annotation", "Campaign").objects
    for rule in apps.get_model("selection", "NightlySelection").objects.all():
        campaign = campaigns.get(pk=rule.campaign_id)
        campaign.options["keep_workers"] = rule.keep_workers
        campaign.save(update_fields=["options"])


class Migration(migrations.Migration):
    dependencies = [("selection", "0003_nightly_selection")]

    operations = [migrations.RunPython(out_of_options, into_options)]
