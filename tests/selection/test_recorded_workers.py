"""The guards on recorded crowds: whom they tell of, and what gold says of those."""

from __future__ import annotations

import csv
import gzip
import json
from itertools import pairwise

import numpy as np
import pytest

from annotation.interfaces.judgments import pack
from selection.algorithms.workers.guards import chance_agreement, same_answer
from selection.algorithms.workers.peers import WorkerAnswers, find_peers
from selection.arrays.contents import ContentReader
from tests.experiments.selection.recorded import DATA, needs

NER = "ner-mturk.jsonl.gz"


def news(*, by_sentence):
    """The answers of the news articles' workers, read as a campaign's are."""
    with gzip.open(DATA / NER, "rt", encoding="utf-8") as file:
        documents = [json.loads(line) for line in file]
    names = sorted({name for document in documents for name in document["workers"]})
    tags = sorted({tag for d in documents for given in d["workers"].values() for tag in given})
    number = {tag: i for i, tag in enumerate(tag for tag in tags if tag != "?")} | {"?": -1}
    reader, worker, task = ContentReader(number["O"], 64), [], []
    edges = [
        (document, begin, end)
        for document in documents
        for starts in [[*document["sent_starts"], len(document["tokens"])]]
        for begin, end in (pairwise(starts) if by_sentence else [(0, starts[-1])])
    ]
    for i, (document, begin, end) in enumerate(edges):
        for name, given in document["workers"].items():
            said = [number[tag] for tag in given[begin:end]]
            if any(tag >= 0 for tag in said):
                reader.add(pack({"tags": said, "clusters": [], "links": []}))
                worker.append(names.index(name))
                task.append(i)
    labels, content = reader.table(), reader.contents()[0]
    return WorkerAnswers(
        np.array(worker), np.array(task), content, labels, len(names), int(labels.max()) + 1
    )


@needs(NER)
@pytest.mark.parametrize("by_sentence", [False, True])
def test_none_of_the_47_who_tagged_the_news_is_told_of(by_sentence):
    answers = news(by_sentence=by_sentence)
    assert answers.n_workers == 47
    peers = find_peers(answers, np.random.default_rng(0))
    assert peers.agrees.all()
    assert not same_answer(peers).flagged.any()
    assert not chance_agreement(peers).flagged.any()


@needs(NER)
def test_one_who_marked_nothing_among_them_is_found():
    answers = news(by_sentence=True)
    outside = np.bincount(answers.labels[answers.labels >= 0]).argmax()
    nothing = np.bincount(answers.content[answers.content >= 0]).argmax()
    lazy = int(answers.counts().argmax())
    mine = answers.worker == lazy
    content = np.where(mine, nothing, answers.content)
    labels = np.where(mine[:, None] & (answers.labels >= 0), outside, answers.labels)
    spoiled = WorkerAnswers(answers.worker, answers.task, content, labels, 47, answers.n_classes)
    found = same_answer(find_peers(spoiled, np.random.default_rng(0)))
    assert np.flatnonzero(found.flagged).tolist() == [lazy]


@needs("rte.csv.gz")
def test_those_who_are_told_of_are_no_better_than_a_coin():
    """Recognising entailment: 164 workers, gold for all 800 items, two classes of one size."""
    with gzip.open(DATA / "rte.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names, worker = np.unique([row["worker"] for row in rows], return_inverse=True)
    task = np.unique([row["item"] for row in rows], return_inverse=True)[1]
    said = np.array([int(row["label"]) for row in rows])
    right = said == np.array([int(row["gold"]) for row in rows])
    answers = WorkerAnswers.of_classes(worker, task, said, len(names), int(said.max()) + 1)
    peers = find_peers(answers, np.random.default_rng(0))
    flagged = same_answer(peers).flagged | chance_agreement(peers).flagged
    assert flagged.sum() == 3
    for i in np.flatnonzero(flagged):
        assert 0.45 < right[worker == i].mean() < 0.55
