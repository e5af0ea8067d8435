import json

import numpy as np
import pytest

from aggregation.algorithms import CrowdLabels, DawidSkene, HMMCrowd
from aggregation.files.data import BadFile
from experiments.selection.recordings import read_recording
from experiments.selection.replay import Order, Replay
from experiments.selection.saving import Settings, lines_of, n_points, saving, totals_of
from tests.experiments.selection.recorded import DATA, needs


def nothing(number):
    pass


@pytest.fixture
def choices(tmp_path):
    """150 items, of which each eight of twelve workers judged; a third of the items is hard."""
    rng = np.random.default_rng(0)
    rows = ["worker,item,label,gold"]
    for item in range(150):
        truth, accuracy = rng.integers(2), 0.6 if item % 3 == 0 else 0.95
        for worker in rng.permutation(12)[:8]:
            said = truth if rng.random() < accuracy else 1 - truth
            rows.append(f"w{worker},i{item},{said},{truth}")
    path = tmp_path / "choices.csv"
    path.write_text("\n".join(rows) + "\n")
    return read_recording(path, None, "sentence")


@pytest.fixture
def documents(tmp_path):
    rng = np.random.default_rng(1)
    path = tmp_path / "documents.jsonl"
    with path.open("w") as file:
        for d in range(12):
            names = rng.random(12) < 0.3
            gold = ["B-PER" if name else "O" for name in names]
            workers = {
                f"w{w}": ["O" if rng.random() < 0.15 else tag for tag in gold]
                for w in rng.permutation(6)[:4]
            }
            workers["w9"] = ["?"] * 6 + gold[6:]  # judged the second sentence alone
            words = [f"{'Ann' if name else 'it'}{i % 3}" for i, name in enumerate(names)]
            row = {"id": str(d), "tokens": words, "sent_starts": [0, 6], "workers": workers}
            file.write(json.dumps(row | {"gold": gold if d else None}) + "\n")
    return path


def test_an_answer_is_a_worker_s_on_a_task(documents):
    sentences = read_recording(documents, None, "sentence")
    assert sentences.n_tasks == 24
    assert np.bincount(sentences.task).tolist() == [4, 5] * 12
    assert sentences.scored.tolist() == [False] * 2 + [True] * 22
    whole = read_recording(documents, "hmm-crowd", "document")
    assert np.bincount(whole.task).tolist() == [5] * 12
    assert whole.scored.sum() == 11


def test_confidences_are_those_of_a_campaign(choices, documents, tmp_path, monkeypatch):
    """A task's own answers have no part in what judges them, and spans are tempered."""
    tables = read_recording(tmp_path / "choices.csv", "dawid-skene", "sentence")
    every = np.ones(len(tables.task), dtype=bool)
    labels = CrowdLabels(tables.task, tables._worker, tables.votes, 150, 12, 2)
    own = DawidSkene().fit(labels).posterior_.max(axis=1).mean()
    assert tables.judged(every).expected.f1().mean() < own - 0.003
    sentences = read_recording(documents, "hmm-crowd", "sentence")
    every = np.ones(len(sentences.task), dtype=bool)
    before = sentences.judged(every).expected.errors().sum()
    monkeypatch.setattr(HMMCrowd, "span_temperature", 9.0)
    assert sentences.judged(every).expected.errors().sum() > before + 1


def test_orders_are_as_recorded_or_drawn_and_reveal_each_answer_once(choices):
    recorded = Order.of(choices, np.random.default_rng(0), recorded=True)
    assert recorded.place[:8].tolist() == list(range(8))
    drawn = Order.of(choices, np.random.default_rng(0), recorded=False)
    assert drawn.place[:8].tolist() != list(range(8))
    for task in range(choices.n_tasks):
        assert sorted(drawn.place[choices.task == task]) == list(range(8))


def test_both_schemes_are_compared_at_the_same_numbers_of_answers(choices):
    order = Order.of(choices, np.random.default_rng(0), recorded=False)
    replay = Replay(choices, order)
    totals = totals_of(replay, Settings(start=2, step=0.1))
    assert (totals[0], totals[-1]) == (300, 1_200)
    fixed, adaptive = replay.fixed(totals, nothing), replay.adaptive(totals, 2, nothing)
    assert fixed.answers == pytest.approx(np.array(totals) / 1_200)
    assert adaptive.answers == pytest.approx(fixed.answers)
    assert fixed.quality[0] == adaptive.quality[0]
    assert fixed.quality[-1] == adaptive.quality[-1]


def test_fixed_redundancy_gives_nobody_a_second_answer_before_all_have_one(choices):
    replay = Replay(choices, Order.of(choices, np.random.default_rng(3), recorded=False))
    seen, judged = [], choices.judged

    def watched(revealed):
        seen.append(np.bincount(choices.task[revealed], minlength=150))
        return judged(revealed)

    choices.judged = watched
    replay.fixed([150, 200], nothing)
    assert set(seen[0]) == {1}
    assert np.bincount(seen[1]).tolist() == [0, 100, 50]


def test_adaptive_redundancy_is_better_in_the_middle(choices):
    gains = []
    for seed in range(4):
        replay = Replay(choices, Order.of(choices, np.random.default_rng(seed), recorded=False))
        totals = totals_of(replay, Settings(start=2, step=0.04))
        fixed, adaptive = replay.fixed(totals, nothing), replay.adaptive(totals, 2, nothing)
        gains.append((adaptive.quality - fixed.quality)[5:15].mean())
    assert np.mean(gains) > 0.5


def test_no_task_gets_more_than_the_maximum(choices):
    replay = Replay(choices, Order.of(choices, np.random.default_rng(0), recorded=False), maximum=3)
    assert replay.total == 450
    assert replay.adaptive([450], 1, nothing).answers.tolist() == [1]
    assert replay.until(replay.confident(1.0), 1).answers[0] <= 1


def test_a_higher_target_or_lead_asks_for_more(choices):
    replay = Replay(choices, Order.of(choices, np.random.default_rng(0), recorded=False))
    answers = [replay.until(replay.confident(t), 2).answers[0] for t in (0.7, 0.9, 0.999)]
    assert answers == sorted(answers)
    assert answers[0] < answers[2]
    leads = [replay.until(replay.majority(lead), 2).answers[0] for lead in (1, 2, 3)]
    assert leads[0] < leads[1] < leads[2] < 1


def test_lines_tell_the_saving(choices):
    settings = Settings(start=2, step=0.05, trials=2)
    calls = []
    found = saving(choices, settings, calls.append)
    assert sum(calls) == n_points(choices, settings)
    told = "\n".join(lines_of(found))
    assert "fixed accuracy" in told
    assert "Means of 2 orders of the answers." in told
    assert "close at a lead of 3 votes" in told
    assert "expected errors" not in told
    assert f"With all answers: {found.full:.2f}. With two thirds of them: adaptive" in told
    assert "Adaptive is within 0.3 points of it at" in told


def test_documents_have_no_majority_to_close_at(documents):
    recording = read_recording(documents, "hmm-crowd", "sentence")
    found = saving(recording, Settings(start=1, step=0.2, recorded=True, trials=7))
    assert found.fixed.shape[0] == 1  # there is one recorded order
    assert not any("lead" in rule.name for rule in found.rules)
    assert "fixed F1" in next(iter(lines_of(found)))
    assert "Means of 1 order of the answers." in list(lines_of(found))


def test_what_cannot_be_replayed_is_refused(documents, tmp_path, choices):
    with pytest.raises(ValueError, match=r"one-coin is not for documents\.jsonl\. Use one of bsc"):
        read_recording(documents, "one-coin", "sentence")
    path = tmp_path / "labels.csv"
    path.write_text("worker,item,label\na,1,x\n")
    with pytest.raises(BadFile, match="has no gold"):
        read_recording(path, None, "sentence")
    with pytest.raises(ValueError, match="none is left to be asked for"):
        saving(choices, Settings(start=8))


@needs("rte.csv.gz")
@pytest.mark.slow
def test_textual_entailment_is_as_good_with_a_third_fewer_answers():
    recording = read_recording(DATA / "rte.csv.gz", "dawid-skene", "sentence")
    trials = [
        Replay(recording, Order.of(recording, np.random.default_rng([0, seed]), recorded=False))
        for seed in range(4)
    ]
    totals = [*range(2_400, 5_333, 80), 5_333]  # of 8,000
    adaptive = np.mean([trial.adaptive(totals, 3, nothing).quality[-1] for trial in trials])
    fixed = np.mean([trial.fixed([5_333], nothing).quality[-1] for trial in trials])
    full = trials[0].fixed([8_000], nothing).quality[-1]
    assert adaptive >= full - 0.3
    assert fixed < full - 1


@needs("ner-mturk.jsonl.gz")
@pytest.mark.slow
def test_news_articles_are_as_well_tagged_with_a_third_fewer_answers():
    recording = read_recording(DATA / "ner-mturk.jsonl.gz", "bsc-seq", "sentence")
    order = Order.of(recording, np.random.default_rng(0), recorded=True)
    replay = Replay(recording, order)
    third = 2 * replay.total // 3
    totals = [*range(recording.n_tasks, third, 3_500), third]
    adaptive = replay.adaptive(totals, 1, nothing).quality[-1]
    fixed, full = replay.fixed([third, replay.total], nothing).quality
    assert adaptive >= full - 0.3
    assert fixed < full - 1
