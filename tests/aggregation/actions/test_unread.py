"""What an entity worker did not look at is no judgment, for consensus, agreement, reliabilities."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import pytest

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, Consensus, WorkerReliability
from annotation.interfaces import Material
from annotation.interfaces.entity import answer_of_tags, tags_of
from annotation.models import Campaign, Document, ImportedAnswer, Task
from tests.aggregation.crowds import make_workers
from tests.factories import make_campaign, make_document, make_response, make_task

pytestmark = pytest.mark.django_db

SENTENCE = 10  # tokens
TYPES = ("PER", "LOC")


def document(campaign: Campaign, sentences: int) -> Document:
    words = " ".join(f"w{i}" for i in range(sentences * SENTENCE))
    edges = [[i * SENTENCE, (i + 1) * SENTENCE] for i in range(sentences)]
    return make_document(campaign.project, words, sentences=edges)


def answer(shown: Document, tags: list[str]) -> dict[str, Any]:
    """As an import: code points."""
    return answer_of_tags(tags, Material(tokens=shown.tokens, sentences=shown.sentences))


def tags_in(task: Task) -> list[str]:
    shown = task.document
    material = Material(tokens=shown.tokens, sentences=shown.sentences)
    return tags_of(Consensus.objects.filter(task=task).latest("pk").answer, material)


FIRST = ["B-PER", *["O"] * 9]
SECOND = ["O", "B-LOC", "I-LOC", *["O"] * 7]
BLANK = ["O"] * SENTENCE
UNREAD = ["?"] * SENTENCE


@pytest.mark.parametrize("method", ["majority", "dawid-skene"])
def test_what_was_not_looked_at_changes_no_consensus(method):
    def consensus(*answers: list[str]) -> tuple[list[str], AggregationRun]:
        campaign = make_campaign()
        shown = document(campaign, 2)
        task = make_task(campaign, shown)
        for worker, tags in zip(make_workers(len(answers)), answers, strict=True):
            make_response(task, worker, answer(shown, tags))
        run = aggregate(campaign, method)
        return tags_in(task), run

    def agreed(run: AggregationRun) -> list[float]:
        return [value for _, value, *_ in run.diagnostics["agreement"]]

    whole, first_alone = [*FIRST, *SECOND], [*FIRST, *UNREAD]
    alone, run_alone = consensus(whole, whole)
    found, run = consensus(whole, whole, first_alone, first_alone, first_alone)
    assert found == alone == whole
    assert agreed(run) == agreed(run_alone) == [1, 1]
    as_read, run_as_read = consensus(whole, whole, *[[*FIRST, *BLANK]] * 3)
    assert as_read == [*FIRST, *BLANK]  # what it did before
    assert max(agreed(run_as_read)) < 0.8


@pytest.mark.parametrize(("method", "gains"), [("majority", 0.04), ("bsc-seq", -0.01)])
def test_a_crowd_that_reads_two_thirds_loses_no_precision(method, gains):
    """Texts of three sentences, each read four times: by four workers who read all, or by six who
    leave one sentence. They miss a fifth of the names and mark some that are none."""

    def crowd(unread: list[str] | None) -> AggregationRun:
        rng, workers = np.random.default_rng(5), make_workers(6)
        campaign = make_campaign(redundancy=6)
        for _ in range(40):
            shown, truth = document(campaign, 3), []
            for _ in range(3):
                tags = list(BLANK)
                for at in rng.choice(9, 2, replace=False).tolist():
                    tags[at : at + 1] = [f"B-{TYPES[rng.integers(2)]}"]
                truth.append(tags)
            ImportedAnswer.objects.create(
                document=shown, interface="entity", source="gold",
                answer=answer(shown, [*chain(*truth)]),
            )  # fmt: skip
            task = make_task(campaign, shown)
            readers = rng.choice(6, 4 if unread is None else 6, replace=False).tolist()
            for place, number in enumerate(readers):
                given = [
                    [
                        "O" if tag != "O" and rng.random() < 0.2 else
                        "B-PER" if tag == "O" and rng.random() < 0.02 else tag
                        for tag in sentence
                    ]
                    for sentence in truth
                ]  # fmt: skip
                if unread is not None:
                    given[place % 3] = unread
                make_response(task, workers[number], answer(shown, [*chain(*given)]))
        return aggregate(campaign, method)

    def shares(run: AggregationRun) -> list[float]:
        return [value for _, value, *_ in run.diagnostics["gold"]["shares"]]

    whole, parts, as_read = crowd(None), crowd(UNREAD), crowd(BLANK)
    precision, _, f1 = shares(parts)
    assert precision >= shares(whole)[0] - 0.02
    assert f1 > shares(as_read)[2] + gains  # the other learns who says nothing too often
    accuracy = [
        np.mean(WorkerReliability.objects.filter(run=run).values_list("accuracy", flat=True))
        for run in (whole, parts)
    ]
    assert abs(accuracy[0] - accuracy[1]) < 0.03  # who stops is no worse a worker
