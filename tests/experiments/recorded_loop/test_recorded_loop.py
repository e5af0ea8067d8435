"""A loop over recorded answers, of made articles: what is chosen, what is scored, what is told."""

import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from aggregation.algorithms import HMMCrowd
from aggregation.files.data import BadFile
from experiments.recorded_loop.recording import read_recording
from experiments.recorded_loop.report import f1_difference, f1_interval, lines_of
from experiments.recorded_loop.trials import PICKERS, RANDOM, inferred, run_all, run_loop

NAMES = [f"{a}{b}" for a in "Ad Be Ce Do El Fa Gu Ha".split() for b in ("a", "o", "um")]  # noqa: SIM905
WORDS = ["the", "old", "house", "was", "near", "a", "river", "and", "it", "rained"]
TAGS = ["O", "B-PER", "I-PER"]
BUDGETS = (6, 12)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """30 articles with gold and 6 without, of one to three sentences; three workers of five label
    each, who miss a name now and then."""
    rng = np.random.default_rng(0)
    lines = []
    for number in range(36):
        tokens, gold, starts = [], [], []
        for _ in range(rng.integers(1, 4)):
            starts.append(len(tokens))
            for _ in range(7):
                if rng.random() < 0.2:
                    tokens += [str(rng.choice(NAMES)), "Byron"]
                    gold += ["B-PER", "I-PER"]
                else:
                    tokens.append(str(rng.choice(WORDS)))
                    gold.append("O")
        workers = {}
        for worker in rng.choice(5, size=3, replace=False).tolist():
            said = list(gold)
            for at, tag in enumerate(gold):
                if tag == "B-PER" and rng.random() < 0.2:
                    said[at : at + 2] = ["O", "O"]
            workers[f"w{worker}"] = said
        lines.append({
            "id": f"a{number}", "tokens": tokens, "sent_starts": starts,
            "gold": gold if number < 30 else None, "workers": workers,
        })  # fmt: skip
    path = tmp_path_factory.mktemp("recorded") / "articles.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def recording(path):
    return read_recording(path, held_out=8)


@pytest.fixture(scope="module")
def points(recording):
    return {name: list(run_loop(recording, name, BUDGETS, 1, iterations=10)) for name in PICKERS}


def test_articles_without_gold_are_neither_chosen_nor_scored(recording):
    assert (len(recording.scored), len(recording.free)) == (8, 22)
    assert not {*recording.scored} & {*recording.free}
    assert max(*recording.scored, *recording.free) < 30
    assert (recording.answers == 3).all()


def test_each_round_spends_its_budget_and_no_more(recording, points):
    average = recording.words[recording.free].mean()
    for found in points.values():
        assert [point.budget for point in found] == [*BUDGETS]
        for point in found:
            assert point.words <= point.budget * average + 1e-6
            assert point.words > (point.budget - 2) * average
            assert point.answers == 3 * point.articles
            assert (len(point.labels), len(point.tagger)) == (point.articles, 8)


def test_all_begin_with_the_same_articles_and_go_on_with_others(points):
    first = {name: found[0].labels.tolist() for name, found in points.items()}
    assert all(labels == first[RANDOM] for labels in first.values())
    later = [found[1].labels.tolist() for found in points.values()]
    assert len({str(labels) for labels in later}) > 1


def test_only_what_was_revealed_is_known(recording):
    chosen = recording.free[:4]
    posterior, counts = inferred(recording, chosen)
    starts = recording.examples.token_starts()
    known = np.isfinite(posterior).all(axis=1)
    wanted = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in chosen])
    assert np.flatnonzero(known).tolist() == sorted(wanted.tolist())
    assert len(counts) == 4


def test_labels_weigh_as_much_as_in_a_run(recording, monkeypatch):
    """A campaign's loop learns from tempered posteriors."""
    posterior, _ = inferred(recording, recording.free)
    monkeypatch.setattr(HMMCrowd, "span_temperature", 100.0)
    even, _ = inferred(recording, recording.free)
    assert np.nanmean(even.max(axis=1)) < np.nanmean(posterior.max(axis=1)) - 0.2


def test_more_labels_make_a_better_tagger(recording, points):
    every = run_all(recording, iterations=10)
    best, _, _ = f1_interval([every.tagger])
    first, low, high = f1_interval([points[RANDOM][0].tagger])
    assert low <= first <= high
    assert best > 60
    assert best >= first - 10


def test_a_difference_to_oneself_is_none():
    counts = np.random.default_rng(0).integers(1, 9, size=(3, 20, 5)).astype(float)
    assert f1_difference(list(counts), list(counts)) == (0, 0, 0)
    better = counts.copy()
    better[:, :, 0] += 1
    mean, low, high = f1_difference(list(better), list(counts))
    assert 0 < low <= mean <= high


def test_the_table_has_a_row_for_each_point(points, recording):
    every = [point for found in points.values() for point in found]
    told = "\n".join(lines_of([*every, run_all(recording, iterations=10)]))
    for name in PICKERS:
        assert f"{name} 6 " in told
        assert f"{name} 12 " in told
    assert "less random" in told
    assert "Means over 1 random starts" in told


def said(*arguments):
    out = StringIO()
    call_command("experiment_recorded_loop", *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command_goes_on_where_it_was(path, tmp_path, monkeypatch):
    kept = tmp_path / "kept.jsonl"
    options = [path, "--held-out", 8, "--budgets", 6, "--keep", kept]
    one = said(*options, "--seeds", 1)
    assert "articles.jsonl: 22 articles to choose from, 8 only scored." in one
    lines = kept.read_text().splitlines()
    assert len(lines) == 1 + len(PICKERS)
    again = said(*options, "--seeds", 1)
    assert again.splitlines()[:-1] == one.splitlines()[:-1]
    assert kept.read_text().splitlines() == lines


def test_what_is_wrong_is_named(path, tmp_path):
    with pytest.raises(CommandError, match="There is no file"):
        said(tmp_path / "none.jsonl")
    with pytest.raises(CommandError, match="each must be above the one before"):
        said(path, "--budgets", "20,10")
    with pytest.raises(CommandError, match="--budgets twenty: give numbers"):
        said(path, "--budgets", "twenty")
    with pytest.raises(CommandError, match="must be 1 at least"):
        said(path, "--seeds", 0)
    with pytest.raises(CommandError, match="has 30 articles with gold and answers"):
        said(path)
    (tmp_path / "items.csv").write_text("worker,item,label,gold\na,b,c,c\n")
    with pytest.raises(BadFile, match="holds items"):
        read_recording(tmp_path / "items.csv", 1)
