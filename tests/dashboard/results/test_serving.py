"""Which method's run serves labels: chosen on Results, and read by everything that reads labels."""

import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.utils import timezone

from aggregation.actions import decisions, suggest
from aggregation.actions.defaults import default_for
from aggregation.actions.pruning import KEPT, prunable_runs
from aggregation.actions.refits import CannotRefit, refit_workers
from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.actions.serving import CannotServe, serve
from aggregation.knowledge.sources import sources_of
from aggregation.models import AggregationRun, Consensus, RunDifference
from aggregation.queries.runs import differences_of, latest_run
from annotation.models import AuditEntry, Campaign, SharedBudget
from dashboard.campaigns.queries import campaign_page
from dashboard.knowledge.queries import chain
from dashboard.projects.lines import _facts
from dashboard.quality.queries import quality_page
from dashboard.results.queries import results_page
from dashboard.results.serving import of_serving
from dashboard.waiting import _disputed
from selection.actions import redundancy
from selection.actions.loops.learning import runs_of
from selection.management.commands.train_model import Command as TrainModel
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers
from tests.factories import make_campaign, make_member

pytestmark = pytest.mark.django_db

BEGAN = datetime(2026, 11, 1, tzinfo=UTC)
CHOSEN, NEWER = "mv-token", "dawid-skene"


class Seen(Exception):
    """Of the run that was about to be read."""


@pytest.fixture
def campaign():
    """Its chosen method ran before another did."""
    found = make_campaign(
        served_method=CHOSEN, state="open", target_confidence=0.9, max_redundancy=5
    )
    for hour, method in enumerate((CHOSEN, NEWER)):
        make_run(found, method, hour)
    return found


def make_run(campaign, method, hour, clamped=False, **fields):
    return AggregationRun.objects.create(
        campaign=campaign, method=method, state="complete",
        finished_at=BEGAN + timedelta(hours=hour),
        diagnostics={"clamped": clamped}, **fields,
    )  # fmt: skip


def refits(campaign):
    with pytest.raises(CannotRefit) as error:
        refit_workers(campaign)
    return str(error.value)


def loop(campaign):
    budget = SharedBudget.objects.create(project=campaign.project, mills=0)
    Campaign.objects.filter(pk=campaign.pk).update(shared_budget=budget)
    return runs_of(SimpleNamespace(budget_id=budget.pk))[-1].method


def caught(module, name, call):
    """The run that `call` hands to a function of the module."""

    def stop(*given, **_):
        raise Seen(next(one.method for one in given if isinstance(one, AggregationRun)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, stop)
        with pytest.raises(Seen) as seen:
            call()
    return str(seen.value)


CONSUMERS = {
    "runs": lambda one: latest_run(one).method,
    "runs without gold": lambda one: latest_run(one, with_gold=False).method,
    "default of a run": lambda one: default_for(one).method,
    "refresh": lambda one: refresh(one).method,
    "decisions": lambda one: decisions._served(one).method,
    "refits": refits,
    "suggestions": lambda one: caught(
        suggest, "consensus_texts", lambda: suggest._trained(one, None, ["PER"])
    ),
    "redundancy": lambda one: caught(
        redundancy, "_adjust", lambda: redundancy.adjust_redundancy(one)
    ),
    "loops": loop,
    "models": lambda one: TrainModel()._run(one.slug).method,
    "knowledge": lambda one: chain(one.project, with_gold=True)["mentions"][0].method,
    "knowledge's file": lambda one: sources_of(one.project, [one.slug])[0].run.method,
    "overview": lambda one: campaign_page(one, timezone.now()).latest.method,
    "results": lambda one: results_page(one, with_ids=True).latest.method,
    "quality": lambda one: quality_page(one).latest.method,
}


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_what_reads_labels_reads_those_of_the_chosen_method(campaign, consumer):
    asked = CONSUMERS[consumer]
    assert CHOSEN in asked(campaign)
    Campaign.objects.update(served_method="")
    campaign.refresh_from_db()
    if consumer == "default of a run":
        assert asked(campaign) != CHOSEN
    else:
        assert NEWER in asked(campaign)


@pytest.fixture
def choices():
    """Of six tasks, with known answers, in which two of three workers say yes; two runs."""
    campaign, workers = choice_campaign(), make_workers(3)
    for _ in range(6):
        choice_task(campaign, "yes", "yes", "no", workers=workers, gold="yes")
    aggregate(campaign, "majority")
    aggregate(campaign, "one-coin")
    return campaign


def test_a_choice_is_recorded_and_the_decisions_are_laid_over_its_labels(choices):
    user, task = make_member(choices.project).user, choices.tasks.plain().first()
    old, new = AggregationRun.objects.order_by("pk")
    say_no = {"choice": "no", "unsure": False, "value": None, "note": ""}

    def label(run):
        return Consensus.objects.get(run=run, task=task).answer["choice"]

    row = decisions.decide(task, say_no, version=0)
    assert (label(old), label(new)) == ("yes", "no")
    assert serve(choices, "majority", user=user)
    assert label(old) == "no"
    assert AggregationRun.objects.get(pk=old.pk).facts.chosen == {"yes": 5, "no": 1}
    decisions.take_back(task, version=row.version)
    assert (label(old), label(new)) == ("yes", "no")
    assert not serve(choices, "majority")
    assert serve(choices, "")
    assert label(new) == "yes"
    last, first = AuditEntry.objects.filter(action="serve method").order_by("-pk")
    assert (first.user, first.before, first.after) == (
        user, {"method": "latest run"}, {"method": "majority"},
    )  # fmt: skip
    assert last.after == {"method": "latest run"}
    with pytest.raises(CannotServe, match="no complete run of mace"):
        serve(choices, "mace")


def test_new_answers_the_night_and_lists_go_by_the_chosen_method(choices, capsys):
    serve(choices, "majority")
    old, new = AggregationRun.objects.order_by("pk")
    choice_task(choices, "yes", gold="yes")  # a sample only where all documents have it
    assert refresh(choices).method == "majority"
    call_command("aggregate", campaign=choices.slug)
    assert "majority was chosen: it was chosen to serve labels" in capsys.readouterr().out
    assert latest_run(choices).key not in (old.key, new.key)
    assert latest_run(choices).method == "majority"
    rows = Consensus.objects.all()
    rows.update(expected_errors=0)
    rows.filter(run__method="majority").update(expected_errors=1, answers=9)
    assert _disputed(choices) == 7
    AggregationRun.objects.filter(method="one-coin").update(diagnostics={})
    assert _facts([choices.pk])[choices.pk][1] is not None


def test_pairs_are_read_from_either_side(choices):
    old, new = AggregationRun.objects.order_by("pk")
    RunDifference.objects.update(differing=2, documents=6, value=-0.25, low=-0.5, high=0.125)
    (one,) = differences_of(new.key).items()
    (other,) = differences_of(old.key).items()
    assert (one[0], one[1].value, one[1].low, one[1].high) == (old.key, -0.25, -0.5, 0.125)
    assert (other[0], other[1].value, other[1].low, other[1].high) == (new.key, 0.25, -0.125, 0.5)
    assert (other[1].differing, other[1].tasks, other[1].documents) == (2, 6, 6)


def test_a_run_that_is_served_is_never_pruned(campaign):
    for hour in range(2, KEPT + 4):
        make_run(campaign, CHOSEN, hour, clamped=True)
    make_run(campaign, NEWER, KEPT + 4)
    without_gold = latest_run(campaign, with_gold=False)
    assert without_gold.method == CHOSEN
    doomed = set(prunable_runs().values_list("key", flat=True))
    assert doomed
    assert not doomed & {without_gold.key, latest_run(campaign).key}


def test_labels_that_were_imported_are_served_and_never_run(campaign):
    make_run(campaign, "imported", 2)
    own = default_for(make_campaign()).method
    serve(campaign, "imported")
    assert latest_run(campaign).method == refresh(campaign).method == "imported"
    assert default_for(campaign).method == own
    told = of_serving(campaign, "imported", latest_run(campaign)).sentence
    assert "answers that come in now are not added" in told


def test_a_run_made_again_as_of_an_earlier_time_is_not_served(campaign):
    again = make_run(campaign, CHOSEN, 5, as_of=BEGAN + timedelta(hours=4))
    assert latest_run(campaign).key != again.key
    assert latest_run(campaign).method == CHOSEN


def test_a_manager_chooses_and_reads_first_what_that_changes(client, choices):
    RunDifference.objects.update(differing=2, value=-0.031, low=-0.07, high=0.008)
    client.force_login(make_member(choices.project).user)
    page, address = (
        f"/manage/campaigns/{choices.slug}/{part}/" for part in ("results", "served-method")
    )

    def text(answer):
        return " ".join(answer.content.decode().split())

    assert "the latest run (one-coin now)" in text(client.get(page))
    told = client.post(address, {"method": "majority"})
    assert told.status_code == 200
    for words in (
        "latest run → majority", "2 of 6 tasks get other labels than from one-coin",
        "differs by −.031 (95 %: −.070 to +.008): the two may be equally good",
        "run majority again", "Confirm and serve",
    ):  # fmt: skip
        assert words in text(told)
    assert Campaign.objects.get().served_method == ""
    digest = re.search(r'name="told" value="([^"]+)"', told.content.decode())[1]
    stale = client.post(address, {"method": "majority", "told": "else"})
    assert "Confirm and serve" in text(stale)
    done = client.post(address, {"method": "majority", "told": digest}, follow=True)
    assert "Labels come from majority now." in text(done)
    assert "by majority, as of" in text(done)
    (side,) = re.findall(r'id="methods".*?</section>', text(done))
    assert side.index(">majority</a>") < side.index(">one-coin</a>")
    assert "+.031" in side  # stored with the other run, and read from this side
    assert "already" in text(client.post(address, {"method": "majority"}, follow=True))
    refused = client.post(address, {"method": "mace"})
    assert refused.status_code == 422
    assert "No complete run of mace" in text(refused)
    assert "no label changes now" not in text(refused)
    client.force_login(make_member(choices.project, "viewer").user)
    assert "Serve chosen method" not in text(client.get(page))
    assert client.post(address, {"method": ""}).status_code == 404
