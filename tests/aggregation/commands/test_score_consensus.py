from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun
from tests.aggregation.crowds import (
    GOLD,
    choice_campaign,
    choice_task,
    make_workers,
    tagged_task,
)
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db

NAMES = " ".join(GOLD)
HALF = "B-PER I-PER O B-LOC O O O O O"


def lines(campaign, *arguments):
    out = StringIO()
    call_command("score_consensus", "--campaign", campaign.slug, *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_it_works():
    campaign = make_campaign()
    for answer in (HALF, NAMES):
        tagged_task(campaign, answer, gold=NAMES)
    run = aggregate(campaign, "mv-token")

    first, shares, spans, relaxed, interval, calibration = lines(campaign)
    assert first == f"mv-token, run {run.key}"
    assert shares == "P 80.00 R 66.67 F1 72.73 over 4 sentences (2 documents with gold)"
    assert spans == "spans: 4 right, 5 in the consensus, 6 in gold"
    assert (
        relaxed
        == "relaxed P 80.00 relaxed R 66.67 relaxed F1 72.73: the parts of spans that are right"
    )
    # Two documents say little of others.
    assert interval == ("95 % interval P 0.00–100.00 R 0.00–100.00 F1 0.00–100.00 (by documents)")
    assert calibration == (
        "calibration error 20.00 points (0.00 by chance alone) over 5 spans, "  # 1 wrong
        "cross entropy 1.848 nats a token"
    )


def test_what_is_left_out_is_counted_and_named():
    campaign = make_campaign()
    tagged_task(campaign, NAMES, gold="B-PER I-PER O ? O B-LOC O O O")
    bare = [tagged_task(campaign, NAMES).document.external_id for _ in range(5)]
    silent = tagged_task(campaign, gold=NAMES)
    aggregate(campaign, "mv-token")

    said = lines(campaign)
    assert "95 % interval: none, it takes 2 documents with gold" in said
    assert said[-3:] == [
        "left out, gold not known in full: 1 sentence",
        f"left out, no gold: 5 documents: {', '.join(bare[:3])} and 2 more",
        f"left out, no answers: 1 document: {silent.document.external_id}",
    ]


def test_a_share_of_nothing_is_a_dash():
    campaign = make_campaign()
    tagged_task(campaign, "O O O O O O O O O", gold=NAMES)
    aggregate(campaign, "mv-token")
    assert lines(campaign)[1].startswith("P – R 0.00 F1 0.00 over 2 sentences")


def test_choices_have_an_accuracy():
    campaign, workers = choice_campaign(), make_workers(3)
    choice_task(campaign, "no", "no", "no", workers=workers, gold="no")
    choice_task(campaign, "yes", "yes", "yes", workers=workers, gold="no")
    aggregate(campaign, "majority")
    assert lines(campaign)[1:] == [
        "accuracy 50.00 over 2 tasks (2 documents with gold)",
        "95 % interval accuracy 9.45–90.55 (Wilson)",
        # By confidences that the other task's gold alone has moved.
        "calibration error 55.55 points (33.71 by chance alone) over 2 tasks, "
        "cross entropy 1.064 nats a task",
    ]


def test_a_run_can_be_named_by_key_or_method():
    campaign = make_campaign()
    tagged_task(campaign, HALF, gold=NAMES)
    first, second = aggregate(campaign, "mv-token"), aggregate(campaign, "mv-seg")
    assert lines(campaign)[0] == f"mv-seg, run {second.key}"
    assert lines(campaign, "--method", "mv-token")[0] == f"mv-token, run {first.key}"
    assert lines(campaign, "--run", str(first.key))[0] == f"mv-token, run {first.key}"


def test_the_interval_of_spans_draws_nothing():
    campaign = make_campaign()
    for answer in (HALF, NAMES):
        tagged_task(campaign, answer, gold=NAMES)
    aggregate(campaign, "mv-token")
    assert lines(campaign, "--seed", "9")[4] == lines(campaign)[4]


def test_unknown_campaign_is_told():
    with pytest.raises(CommandError, match="There is no campaign 'nowhere'"):
        call_command("score_consensus", "--campaign", "nowhere")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "has not got a complete run. Make one first: ./run manage aggregate"),
        (["--method", "mv-seq"], "has not got a complete run of 'mv-seq'"),
        (["--run", "not-a-key"], "'not-a-key' is no run key"),
        (["--run", "00000000-0000-4000-8000-000000000000"], "has not got a complete run 00000000"),
    ],
)
def test_missing_run_is_told_with_what_to_do(arguments, message):
    with pytest.raises(CommandError, match=message):
        lines(make_campaign(), *arguments)


def test_a_run_that_is_still_being_written_is_not_scored():
    campaign = make_campaign(slug="news")
    run = AggregationRun.objects.create(campaign=campaign, method="mv-token")
    with pytest.raises(CommandError, match=f"has not got a complete run {run.key}"):
        call_command("score_consensus", "--campaign", "news", "--run", str(run.key))


def test_missing_gold_is_told_with_what_to_do():
    campaign = make_campaign()
    tagged_task(campaign, NAMES)
    aggregate(campaign, "mv-token")
    with pytest.raises(CommandError, match="Import documents with a 'gold' field"):
        lines(campaign)
