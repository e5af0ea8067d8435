import hashlib

from django.db import migrations

HIDDEN, EXAM = 2, 3


def split(apps, schema_editor):
    """Campaigns that were opened go on drawing their exam from the hidden gold. Of a draft's hidden
    gold the exam gets a question for each exam task of each try, at most half: which, the
    campaign's secret says."""
    campaigns = apps.get_model("annotation", "Campaign").objects.filter(exam_size__gt=0)
    demands = apps.get_model("annotation", "Demand").objects
    campaigns.exclude(state="draft").update(exam_is_hidden=True)
    for campaign in campaigns.filter(state="draft"):
        wanted = campaign.exam_size * campaign.tries
        hidden = int(campaign.options.get("hidden_gold", 0))
        if moved := min(wanted, hidden // 2):
            campaign.options |= {"hidden_gold": hidden - moved, "exam_gold": moved}
            campaign.save(update_fields=["options"])
        there = list(
            demands.filter(campaign=campaign.pk, kind=HIDDEN).values_list("task_id", flat=True)
        )
        there.sort(key=lambda task: _place(campaign.secret, task))
        chosen = there[: min(wanted, len(there) // 2)]
        for start in range(0, len(chosen), 500):
            demands.filter(task_id__in=chosen[start : start + 500]).update(kind=EXAM)


def _place(secret, task):
    return hashlib.blake2b(task.to_bytes(8, "big"), key=secret.encode(), person=b"exam").digest()


def join(apps, schema_editor):
    """The exam's questions are hidden gold again."""
    apps.get_model("annotation", "Demand").objects.filter(kind=EXAM).update(kind=HIDDEN)
    campaigns = apps.get_model("annotation", "Campaign").objects
    for campaign in campaigns.filter(options__has_key="exam_gold"):
        moved = int(campaign.options.pop("exam_gold"))
        campaign.options["hidden_gold"] = int(campaign.options.get("hidden_gold", 0)) + moved
        campaign.save(update_fields=["options"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0015_exam_questions")]

    operations = [migrations.RunPython(split, join)]
