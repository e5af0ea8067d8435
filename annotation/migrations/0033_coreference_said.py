from django.db import migrations


def say_it(apps, schema_editor):
    """Grouping was on where a campaign said nothing, and is off now: campaigns keep what they have."""
    campaigns = apps.get_model("annotation", "Campaign").objects
    silent = []
    for campaign in campaigns.filter(interface="entity").only("options").iterator():
        if campaign.options.get("coreference") is None:
            campaign.options["coreference"] = True
            silent.append(campaign)
    campaigns.bulk_update(silent, ["options"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0032_webhooks")]

    operations = [migrations.RunPython(say_it, migrations.RunPython.noop)]
