"""Runs of linking campaigns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from aggregation.actions.cluster_scores import METRIC_NAMES
from aggregation.actions.compare import compare
from aggregation.actions.defaults import default_for
from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.actions.scores import NoGold, score_run
from aggregation.arrays.piles import load_piles, stored_clusters
from aggregation.models import AggregationRun, Consensus, WorkerReliability
from aggregation.queries import latest_run
from annotation.interfaces import Material, linking
from annotation.models import Campaign, GoldQuestion, Task, Worker
from tests.aggregation.crowds import make_workers
from tests.factories import make_campaign, make_response, make_task

pytestmark = pytest.mark.django_db

METHOD = "correlation-clustering"


def linking_campaign(slug: str = "links") -> Campaign:
    return make_campaign(interface="linking", slug=slug)


def block(campaign: Campaign, mentions: str, **fields: Any) -> Task:
    payload = {"mentions": [{"id": m, "name": m, "sentence": ""} for m in mentions.split()]}
    return make_task(campaign, payload=payload, **fields)


def piled(text: str) -> dict[str, Any]:
    """ "a b=Q1 | c | ?d | !e": piles, the link of one after =, unsure mentions after ?, undecided
    ones after !."""
    clusters, unsure, undecided = [], [], []
    for pile in text.split("|"):
        names, _, link = pile.strip().partition("=")
        if names.startswith("?"):
            unsure += names[1:].split()
        elif names.startswith("!"):
            undecided += names[1:].split()
        else:
            clusters.append({"link": link or None, "mentions": names.split()})
    return {"clusters": clusters, "unsure": unsure, "undecided": undecided}


def sort(task: Task, workers: list[Worker], *answers: str) -> None:
    material = Material(payload=task.payload)
    for worker, text in zip(workers, answers, strict=False):
        make_response(task, worker, linking.read(piled(text), material))


@pytest.fixture
def campaign():
    return linking_campaign()


def answer_of(task: Task) -> dict[str, Any]:
    return Consensus.objects.get(task=task).answer


def test_piles_of_most_are_the_answer_in_canonical_form(campaign):
    task, workers = block(campaign, "a b c d"), make_workers(3)
    sort(task, workers, "a c=Q1 | b | d", "a c=Q1 | b=Q2 | d", "a | b=Q2 | c=Q9 | d")

    run = aggregate(campaign, METHOD)

    assert answer_of(task) == piled("a c=Q1 | b=Q2 | d")
    material = Material(payload=task.payload)
    assert linking.read(answer_of(task), material) == answer_of(task)
    row = Consensus.objects.get(task=task)
    assert 0 < row.confidence <= 1
    assert row.confidences["mentions"].keys() == {"a", "b", "c", "d"}
    assert len(row.confidences["links"]) == 3
    facts = run.diagnostics
    assert (facts["tasks"], facts["answers"], facts["workers"], facts["labels"]) == (1, 3, 3, 18)
    assert facts["clusters"]["clusters"] == 3
    assert [name for name, *_ in facts["agreement"]] == [
        "Krippendorff's alpha of pairs",
        "F1 of pairs between two workers",
    ]
    assert WorkerReliability.objects.get(run=run, worker=workers[0]).parameters.keys() == {
        "same",
        "different",
        "links",
    }


def test_piles_of_overlapping_tasks_are_joined(campaign):
    one, two, workers = block(campaign, "a b c"), block(campaign, "c d e"), make_workers(3)
    sort(one, workers, *["a c | b"] * 3)
    sort(two, workers, *["c d=Q5 | e"] * 3)

    run = aggregate(campaign, METHOD)

    assert answer_of(one) == piled("a c=Q5 | b")
    assert answer_of(two) == piled("c d=Q5 | e")
    cluster, sure = stored_clusters(run.key)
    assert cluster["a"] == cluster["c"] == cluster["d"]
    assert len({cluster[m] for m in "abcde"}) == 3
    assert sure.keys() == set("abcde")


def test_mentions_that_nobody_sorted_stay_unsure(campaign):
    task, workers = block(campaign, "a b c"), make_workers(2)
    sort(task, workers, "a b | ?c", "a b | ?c")
    aggregate(campaign, METHOD)
    assert answer_of(task) == piled("a b | ?c")
    assert Consensus.objects.get(task=task).confidences["mentions"]["c"] is None


def test_all_unsure_is_an_answer(campaign):
    task = block(campaign, "a b")
    sort(task, make_workers(1), "?a b")
    aggregate(campaign, METHOD)
    assert Consensus.objects.get(task=task).confidence is None


def test_what_is_undecided_is_no_vote(campaign):
    """Two workers sort all, two stop after two cards."""
    workers, careful = make_workers(4), ["a b=Q1 | c d | e", "a b=Q1 | c d | e"]
    task = block(campaign, "a b c d e")
    sort(task, workers, *careful, "a b=Q1 | !c d e", "!a b | c d | !e")
    before = linking_campaign("before")  # answers that do not know the word
    old = block(before, "a b c d e")
    sort(old, workers, *careful, "a b=Q1 | c | d | e", "a | b | c d | e")

    run, run_before = aggregate(campaign, METHOD), aggregate(before, METHOD)

    votes = load_piles(campaign).data.votes()
    assert np.bincount(votes.answer).tolist() == [10, 10, 1, 1]
    assert answer_of(task) == piled("a b=Q1 | c d | e")
    assert agreed(run) == [1.0, 1.0]
    assert max(agreed(run_before)) < 0.8


def agreed(run: AggregationRun) -> list[float]:
    """Alpha of pairs, and F1 between workers."""
    return [value for _, value, *_ in run.diagnostics["agreement"]]


def test_what_nobody_decided_is_undecided_in_the_consensus(campaign):
    task = block(campaign, "a b c d")
    sort(task, make_workers(3), "a b | !c d", "a b | ?c | !d", "!a b c d")

    run = aggregate(campaign, METHOD)

    assert answer_of(task) == piled("a b | ?c | !d")
    assert Consensus.objects.get(task=task).confidences["mentions"]["d"] is None
    assert run.diagnostics["answers"] == 3
    assert stored_clusters(run.key)[0].keys() == {"a", "b"}


def test_answers_that_decide_nothing_are_answers(campaign):
    task = block(campaign, "a b")
    sort(task, make_workers(2), "!a b", "!a b")
    aggregate(campaign, METHOD)
    assert answer_of(task) == piled("!a b")
    assert Consensus.objects.get(task=task).confidence is None


def test_a_crowd_that_decides_two_thirds_loses_no_precision(campaign):
    """Twelve cards to a task, three to a pile, three answers; each worker stops after eight."""

    def crowd(slug: str, stop: str) -> tuple[AggregationRun, float]:
        rng, workers = np.random.default_rng(3), make_workers(5)
        made = make_campaign(interface="linking", slug=slug)
        truth = {f"{slug}{i}": i // 3 for i in range(144)}
        for begin in range(0, 144, 12):
            shown = list(truth)[begin : begin + 12]
            task = block(made, " ".join(shown), demand={"wanted": 3})
            GoldQuestion.objects.create(task=task, answer=_as_answer(shown, truth), drawn="random")
            for number in rng.choice(5, 3, replace=False):
                wrong = rng.random(12) < 0.06
                said = {m: rng.integers(48) if wrong[i] else truth[m] for i, m in enumerate(shown)}
                first = int(rng.integers(12)) if stop else 0
                left = [shown[(first + i) % 12] for i in range(8, 12)] if stop else []
                answer = _as_answer([m for m in shown if m not in left], said)
                if stop == "undecided":
                    answer["undecided"] = left
                else:
                    answer["clusters"] += [{"link": None, "mentions": [m]} for m in left]
                make_response(task, workers[number], answer)
        run = aggregate(made, METHOD)
        cluster, _ = stored_clusters(run.key)
        pairs = [(a, b) for a in cluster for b in cluster if a < b and cluster[a] == cluster[b]]
        return run, sum(truth[a] == truth[b] for a, b in pairs) / len(pairs)

    def f1(run: AggregationRun) -> float:
        return run.diagnostics["gold"]["shares"][0][1]

    whole, precision = crowd("whole", "")
    parts, precision_of_parts = crowd("parts", "undecided")
    alone, _ = crowd("alone", "alone")
    assert precision_of_parts >= precision - 0.02
    assert f1(parts) > f1(alone) + 0.05
    same = [
        np.mean([row.parameters["same"] for row in WorkerReliability.objects.filter(run=run)])
        for run in (whole, parts, alone)
    ]
    assert abs(same[1] - same[0]) < 0.1  # who stops is no worse a worker
    assert same[2] < same[0] - 0.15


def test_gold_questions_say_how_good_the_clusters_are(campaign):
    task, asked = block(campaign, "a b c d"), block(campaign, "a b c x", kind=2)
    GoldQuestion.objects.create(task=asked, answer=piled("a b c | x"), drawn="random")
    workers = make_workers(3)
    sort(task, workers, *["a b | c | d"] * 3)
    sort(asked, workers, *["a b c | x"] * 3)  # does not count

    run = aggregate(campaign, METHOD)

    assert not Consensus.objects.filter(task=asked).exists()
    shares = {name: value for name, value, *_ in run.diagnostics["gold"]["shares"]}
    assert list(shares) == list(METRIC_NAMES.values())
    assert shares["F1 of pairs"] == pytest.approx(2 * 1 * (1 / 3) / (1 + 1 / 3))
    score = score_run(campaign, latest_run(campaign))
    assert [(share.name, share.value) for share in score.shares] == list(shares.items())
    assert (score.units, score.unit, score.documents) == (3, "mention", 1)
    assert score.judgments == 3


def test_picked_gold_is_no_sample_of_the_tasks(campaign):
    task = block(campaign, "a b c")
    question = GoldQuestion.objects.create(task=task, answer=piled("a b | c"))  # by hand
    sort(task, make_workers(2), "a b | c", "a b | c")
    assert "gold" not in aggregate(campaign, METHOD).diagnostics
    GoldQuestion.objects.filter(pk=question.pk).update(drawn="random")
    assert aggregate(campaign, METHOD).diagnostics["gold"]["shares"][0][1] == 1.0


def test_without_gold_there_is_no_score(campaign):
    sort(block(campaign, "a b"), make_workers(1), "a b")
    run = aggregate(campaign, METHOD)
    assert "gold" not in run.diagnostics
    with pytest.raises(NoGold, match="is known to gold"):
        score_run(campaign, latest_run(campaign))


def test_simulated_blocks_come_out_right(campaign):
    rng = np.random.default_rng(0)
    truth = {f"m{i}": i // 3 for i in range(30)}
    names, workers = list(truth), make_workers(6)
    for begin in range(0, 24, 6):
        shown = names[begin : begin + 12]
        task = block(campaign, " ".join(shown), demand={"wanted": 3})
        GoldQuestion.objects.create(task=task, answer=_as_answer(shown, truth), drawn="random")
        for number in rng.choice(6, 3, replace=False):
            said = {m: truth[m] if rng.random() > 0.08 else 100 + i for i, m in enumerate(shown)}
            make_response(task, workers[number], _as_answer(shown, said))

    run = aggregate(campaign, METHOD)

    assert run.diagnostics["gold"]["shares"][0][1] > 0.93
    assert run.diagnostics["gold"]["shares"][0][2] is not None
    assert run.diagnostics["gold"]["documents"] == 4


def _as_answer(shown: list[str], cluster: dict[str, int]) -> dict[str, Any]:
    piles: dict[int, list[str]] = {}
    for mention in shown:
        piles.setdefault(cluster[mention], []).append(mention)
    clusters = [{"link": None, "mentions": mentions} for mentions in piles.values()]
    return {"clusters": clusters, "unsure": [], "undecided": []}


def test_new_answers_wait_for_a_new_run(campaign):
    tasks, workers = [block(campaign, f"a{i} b{i}") for i in range(12)], make_workers(2)
    for task in tasks:
        sort(task, workers[:1], f"{task.payload['mentions'][0]['id']} | "
                                f"{task.payload['mentions'][1]['id']}")  # fmt: skip
    aggregate(campaign, METHOD)
    sort(tasks[0], workers[1:], "a0 b0")
    assert refresh(campaign).outcome == "waiting"
    sort(tasks[1], workers[1:], "a1 b1")
    assert refresh(campaign).outcome == "new run"
    assert AggregationRun.objects.count() == 2


def test_what_the_method_cannot_do_is_said(campaign):
    sort(block(campaign, "a b"), make_workers(1), "a b")
    with pytest.raises(ValueError, match="takes no gold"):
        aggregate(campaign, METHOD, clamp_gold=True)
    with pytest.raises(ValueError, match="works in one process"):
        aggregate(campaign, METHOD, jobs=2)
    with pytest.raises(ValueError, match="nothing to compare or to tune"):
        compare(campaign, [METHOD])
    with pytest.raises(ValueError, match="weights must be"):
        aggregate(campaign, METHOD, parameters={"weights": "none"})
    with pytest.raises(ValueError, match="Use correlation-clustering"):
        aggregate(campaign, "majority")
    assert not AggregationRun.objects.exists()


def test_another_number_of_mentions_is_refused(campaign):
    task = block(campaign, "a b")
    sort(task, make_workers(1), "a b")
    Task.objects.filter(pk=task.pk).update(payload={"mentions": [{"id": "a"}]})
    with pytest.raises(ValueError, match="judge other mentions"):
        aggregate(campaign, METHOD)


def test_loading_takes_a_fixed_number_of_queries(campaign, django_assert_num_queries):
    for number in range(5):
        sort(block(campaign, f"a{number} b"), make_workers(3), *[f"a{number} b=Q1"] * 3)
    with django_assert_num_queries(4):
        load_piles(campaign)


def test_the_commands(campaign, capsys):
    task = block(campaign, "a b c")
    GoldQuestion.objects.create(task=task, answer=piled("a b | c"), drawn="random")
    sort(task, make_workers(2), "a b | c", "a b | c")

    assert default_for(campaign)[0] == METHOD
    call_command("aggregate", "--campaign", "links")
    call_command("score_consensus", "--campaign", "links")
    call_command("export_annotations", "--campaign", "links", "--what", "consensus")
    with pytest.raises(CommandError, match="nothing to compare"):
        call_command("aggregate", "--campaign", "links", "--compare", "all")

    out = capsys.readouterr().out
    assert "it joins the piles of overlapping tasks" in out
    assert "F1 of pairs 100.00" in out
    assert "over 3 mentions (1 task with gold)" in out
