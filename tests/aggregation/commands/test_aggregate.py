import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from aggregation.models import AggregationRun
from annotation.actions import locks
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"


@pytest.fixture
def campaign():
    campaign, workers = make_campaign(), make_workers(3)
    for _ in range(2):
        tagged_task(campaign, NAMES, NAMES, "O O O B-PER O O O O O", workers=workers)
    return campaign


def run(*arguments):
    out = StringIO()
    call_command("aggregate", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_it_works(campaign):
    said = run("--campaign", campaign.slug, "--method", "mv-token")
    made = AggregationRun.objects.get()
    assert re.fullmatch(
        rf"mv-token: 2 tasks, 6 answers, 3 workers; no iterations, \d+\.\d s; run {made.key}\n",
        said,
    )


def test_parameters_and_seed_reach_the_run(campaign):
    said = run(
        "--campaign", campaign.slug, "--method", "dawid-skene", "--seed", "5",
        "--param", "diagonal=.2", "--param", "start=mode", "--param", "tol=1e-3",
    )  # fmt: skip
    made = AggregationRun.objects.get()
    assert made.seed == 5
    assert (made.parameters["diagonal"], made.parameters["tol"]) == (0.2, 0.001)
    assert made.parameters["start"] == "mode"
    assert f"converged after {made.diagnostics['iterations']} iterations" in said


def test_it_says_loudly_when_a_method_did_not_converge(campaign):
    said = run(
        "--campaign", campaign.slug, "--method", "dawid-skene",
        "--param", "max_iter=1",
    )  # fmt: skip
    assert "did NOT converge after 1 iteration," in said


def test_choice_campaigns_too():
    campaign = choice_campaign()
    choice_task(campaign, "yes", "no", "no")
    assert run("--campaign", campaign.slug, "--method", "majority").startswith(
        "majority: 1 task, 3 answers"
    )


def test_twice_is_two_runs(campaign):
    for _ in range(2):
        run("--campaign", campaign.slug, "--method", "mv-seg")
    assert AggregationRun.objects.complete().count() == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "best"], "There is no method 'best'. Use dawid-skene"),
        (["--method", "majority"], "'majority' is not for entity campaigns"),
        (["--method", "mv-token", "--param", "tol=1"], "has no parameter 'tol'"),
        (["--method", "dawid-skene", "--param", "tol"], "--param tol has no value"),
        (["--method", "dawid-skene", "--param", "tol=low"], "must be a number"),
    ],
)
def test_wrong_arguments_end_in_one_sentence(campaign, arguments, message):
    with pytest.raises(CommandError, match=message):
        run("--campaign", campaign.slug, *arguments)


def test_unknown_campaign_is_told():
    with pytest.raises(CommandError, match="There is no campaign 'nowhere'"):
        run("--campaign", "nowhere", "--method", "mv-token")


def test_empty_campaign_is_told():
    with pytest.raises(CommandError, match="has no answers yet"):
        run("--campaign", make_campaign().slug, "--method", "mv-token")


def test_second_one_at_once_is_told(campaign):
    with (
        locks.hold(f"aggregate:{campaign.slug}"),
        pytest.raises(CommandError, match="is being worked on"),
    ):
        run("--campaign", campaign.slug, "--method", "mv-token")
