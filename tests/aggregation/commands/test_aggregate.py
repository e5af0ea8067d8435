import re
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from aggregation.actions.defaults import default_for
from aggregation.methods.registry import METHODS, methods_for
from aggregation.models import AggregationRun, Consensus
from annotation.actions import locks
from annotation.models import Campaign, Enrollment, Task
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign, make_response

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
ONE = "O O O B-PER O O O O O"


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
        rf"mv-token: 2 tasks, 6 answers, 3 workers; no iterations, \d+\.\d s; run {made.key}\n"
        r"Confidences are not checked against gold\.\n",
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


def test_what_a_method_notes_is_told_and_kept(campaign, monkeypatch):
    fit, note = METHODS["mv-token"].make.fit, "Too little: another one stood in."

    def noted(self, sequences):
        fit(self, sequences)
        self.diagnostics_ = replace(self.diagnostics_, note=note)
        return self

    monkeypatch.setattr(METHODS["mv-token"].make, "fit", noted)
    told = f"{note} Confidences are not checked against gold."
    assert run("--campaign", campaign.slug, "--method", "mv-token").splitlines()[1] == told
    assert AggregationRun.objects.get().diagnostics["note"] == told
    compared = run("--campaign", campaign.slug, "--compare", "mv-token,mv-seq").splitlines()
    assert compared[3] == f"mv-token: {note}"


def test_choice_campaigns_too():
    campaign = choice_campaign()
    choice_task(campaign, "yes", "no", "no")
    assert run("--campaign", campaign.slug, "--method", "majority").startswith(
        "majority: 1 task, 3 answers"
    )


def test_without_a_method_the_interfaces_own_is_taken_and_said(campaign):
    Enrollment.objects.filter(campaign=campaign).update(submitted=2)
    said = run("--campaign", campaign.slug).splitlines()
    assert said[0].startswith("hmm-crowd was chosen: workers have labelled 18 words each, ")
    assert said[1].startswith("hmm-crowd: 2 tasks, 6 answers, 3 workers; ")
    choices = choice_campaign()
    choice_task(choices, "yes", "no", "no")
    said = run("--campaign", choices.slug)
    assert "hierarchical-dawid-skene was chosen: it learns each worker's own mistakes" in said
    assert "3.0 answers each are worth 2.7 independent ones; not checked against gold." in said


def test_a_default_that_works_in_one_process_is_given_one(monkeypatch):
    campaign, workers = make_campaign(), make_workers(2)
    tagged_task(campaign, NAMES, ONE, workers=workers)
    monkeypatch.setattr("aggregation.methods.words.WORDS_IN_ALL", 10)
    monkeypatch.setattr("aggregation.methods.words.WORDS_EACH_OF_TOUCHSTONE", 10)
    said = run("--campaign", campaign.slug, "--jobs", "2").splitlines()
    assert said[0].startswith("touchstone was chosen: workers have labelled 18 words, ")
    assert said[1] == "touchstone works in one process."
    assert said[2].startswith("touchstone: 1 task, 2 answers, 2 workers; ")
    assert re.fullmatch(r"dawid-skene stood in for touchstone: .* 9\b.*, too few .*\.", said[3])


def test_campaigns_in_which_each_text_gets_one_answer_have_their_own_default(monkeypatch):
    monkeypatch.setattr("aggregation.methods.words.WORDS_SINGLE", 10)
    campaign = make_campaign(redundancy=1)
    for _ in range(3):
        tagged_task(campaign, NAMES)
    said = run("--campaign", campaign.slug).splitlines()
    assert said[0] == (
        "crf-ma was chosen: each text has one answer, so workers can't be compared on it; "
        "what they say is learnt together with the texts."
    )
    assert said[1].startswith("crf-ma: 3 tasks, 3 answers, 3 workers; ")
    Campaign.objects.update(assignment="assigned")  # a list says how many answers there are
    assert default_for(Campaign.objects.get()).method == "hmm-crowd"


def test_methods_that_no_cluster_is_for_dont_ask_for_one(campaign, monkeypatch):
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "tcp://127.0.0.1:1")
    run("--campaign", campaign.slug, "--method", "mv-token")
    assert run("--campaign", campaign.slug, "--compare", "mv-token,mv-seq")


def test_every_method_of_an_interface_runs(campaign):
    """With what the database gives it, and its defaults."""
    for name in methods_for(campaign.interface):
        run("--campaign", campaign.slug, "--method", name)
    made = AggregationRun.objects.complete().count()
    choices = choice_campaign()
    for answers in (["yes", "no", "no"], ["yes", "unsure"], ["maybe"]):
        choice_task(choices, *answers)
    for name in methods_for("choice"):
        run("--campaign", choices.slug, "--method", name)
    assert AggregationRun.objects.complete().count() == made + len(methods_for("choice"))


def test_compared_methods_stand_side_by_side_and_nothing_is_written():
    campaign, workers = make_campaign(), make_workers(3)
    for _ in range(2):
        tagged_task(campaign, NAMES, NAMES, ONE, workers=workers, gold=NAMES)
    said = run("--campaign", campaign.slug, "--compare", "mv-token,bsc-seq,mv-seq").splitlines()
    assert [line.split()[0] for line in said[:4]] == ["method", "mv-token", "bsc-seq", "mv-seq"]
    assert "same as mv-token" in said[0]
    assert said[1].split()[:5] == ["mv-token", "100.00", "100.00", "100.00", "0.00–100.00"]
    assert said[3].split()[-3] == "100.00"  # spans that both have
    assert said[4] == "over 4 sentences of 2 documents with gold, which the intervals are over"
    assert not AggregationRun.objects.exists()


def test_without_gold_methods_are_compared_with_each_other(campaign):
    said = run("--campaign", campaign.slug, "--compare", "all").splitlines()
    assert said[0].split() == ["method", "same", "as", "hmm-crowd", "iterations", "seconds"]
    compared = len(methods_for(campaign.interface))
    assert {line.split()[0] for line in said[1 : compared + 1]} == {*methods_for("entity")}
    notes = said[compared + 1 :]
    assert notes[0].startswith("hierarchical-dawid-skene: 3.0 answers each are worth ")
    assert notes[1].startswith("touchstone: dawid-skene stood in")
    assert said[-1].startswith("between workers: Krippendorff's alpha 0.")
    assert said[-1].endswith(" (intervals are rough: fewer than 200 tasks)")
    assert "; F1 between two workers 0." in said[-1]


def test_choices_are_compared_by_their_accuracy():
    campaign, workers = choice_campaign(), make_workers(3)
    for gold in ("yes", "no"):
        choice_task(campaign, gold, gold, "no", workers=workers, gold=gold)
    said = run("--campaign", campaign.slug, "--compare", "majority,one-coin").splitlines()
    assert said[0].split()[:2] == ["method", "accuracy"]
    assert said[1].split()[1] == "100.00"
    assert said[2].split()[-3] == "100.00"


def test_gold_can_be_learnt_from():
    """Two say one thing, and gold knows that the third is the one to believe."""
    campaign, workers = choice_campaign(), make_workers(3)
    for _ in range(30):
        choice_task(campaign, "no", "no", "yes", workers=workers, gold="yes")
    open_question = choice_task(campaign, "no", "no", "yes", workers=workers)
    run("--campaign", campaign.slug, "--method", "dawid-skene")
    assert Consensus.objects.get(task=open_question).answer["choice"] == "no"
    run("--campaign", campaign.slug, "--method", "dawid-skene", "--clamp-gold")
    made = AggregationRun.objects.latest("pk")
    assert made.consensus.get(task=open_question).answer["choice"] == "yes"
    assert made.diagnostics["clamped"]
    assert "gold" not in made.diagnostics  # scored by what it was told, it would say nothing


def test_a_run_keeps_how_it_did_on_gold():
    campaign, workers = make_campaign(), make_workers(2)
    for _ in range(2):
        tagged_task(campaign, NAMES, ONE, workers=workers, gold=NAMES)
    run("--campaign", campaign.slug, "--method", "bsc-seq")
    gold = AggregationRun.objects.get().diagnostics["gold"]
    assert [share[0] for share in gold["shares"]] == ["P", "R", "F1"]
    assert gold["units"] == 4
    assert sum(count for count, _, _ in gold["bins"]) == gold["judgments"] == 2  # a span each
    spans = AggregationRun.objects.get().facts.spans
    assert (spans.documents, spans.stated) == (2, 2.5)
    assert spans.f1 == pytest.approx(gold["shares"][2][1])
    assert 0 < spans.expected_f1 < 1


def test_processes_give_the_same_as_one(campaign):
    found = []
    for jobs in ("1", "2"):
        run("--campaign", campaign.slug, "--method", "bsc-seq", "--jobs", jobs)
        made = AggregationRun.objects.get()
        found.append([bytes(row.probabilities) for row in made.consensus.order_by("task")])
        made.delete()
    assert found[0] == found[1]


def test_twice_is_one_run_which_is_named(campaign):
    for _ in range(2):
        said = run("--campaign", campaign.slug, "--method", "mv-seg")
    made = AggregationRun.objects.get()
    assert f"Nothing has changed since run {made.key} of mv-seg" in said
    run("--campaign", campaign.slug, "--method", "mv-token")
    assert AggregationRun.objects.count() == 2


def test_like_takes_the_settings_of_a_run(campaign):
    run("--campaign", campaign.slug, "--method", "bsc-seq", "--seed", "3", "--param", "max_iter=2",
        "--clamp-gold")  # fmt: skip
    first = AggregationRun.objects.get()
    make_response(Task.objects.first(), None, {"tags": ["O"] * 9})
    run("--campaign", campaign.slug, "--like", str(first.key))
    made = AggregationRun.objects.latest("pk")
    assert made.pk != first.pk
    assert (made.method, made.seed, made.parameters) == ("bsc-seq", 3, first.parameters)
    assert made.facts.clamped


def test_as_of_makes_a_run_again_that_is_not_the_latest(campaign):
    run("--campaign", campaign.slug, "--method", "mv-seg")
    first = AggregationRun.objects.get()
    make_response(Task.objects.first(), None, {"tags": ["O"] * 9})
    again = ["--campaign", campaign.slug, "--like", str(first.key), "--as-of"]
    said = run(*again, first.facts.live.until.isoformat())
    made = AggregationRun.objects.latest("pk")
    assert f"run {made.key}" in said
    assert made.as_of == first.facts.live.until
    assert AggregationRun.objects.complete().latest_first().first() == first
    with pytest.raises(CommandError, match=r"it read 6 answers .*, and these are 7"):
        run(*again, timezone.now().isoformat())
    with pytest.raises(CommandError, match=r"--as-of is 'then'\. Write a time"):
        run(*again, "then")
    with pytest.raises(CommandError, match="leave out --param, --seed and --clamp-gold"):
        run(*again, "2026-11-22", "--seed", "1")
    with pytest.raises(CommandError, match="--as-of needs --like RUN"):
        run("--campaign", campaign.slug, "--as-of", "2026-11-22")
    assert AggregationRun.objects.count() == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "best"], "There is no method 'best'. Use majority, "),
        (["--method", "mv-token", "--clamp-gold"], "'mv-token' takes no gold"),
        (["--method", "mv-token", "--jobs", "2"], "'mv-token' works in one process"),
        (["--compare", "mv-token,best"], "There is no method 'best'"),
        (["--compare", "all", "--param", "tol=1"], "leave out --param"),
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
