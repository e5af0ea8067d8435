from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given

from aggregation.algorithms.data import CrowdLabels, CrowdSequences, ordered_tags
from aggregation.algorithms.measures import unitizing
from aggregation.algorithms.measures.agreement import Agreement, krippendorff_alpha
from aggregation.algorithms.measures.spans import spans_of_tags
from aggregation.algorithms.measures.unitizing import (
    pairwise_span_f1,
    pairwise_span_f1s,
    unitizing_alpha,
)
from tests.aggregation.algorithms.simulated import tagged

# Krippendorff (2019), figure 12.11: three observers of a continuum of 60; the first and the last
# place of each of their units, and its value.
THREE_OBSERVERS = {
    "Alex": [(1, 7, 1), (8, 13, 2), (31, 32, 5), (33, 37, 6), (38, 44, 6), (45, 60, 7)],
    "Paul": [(1, 7, 1), (8, 13, 3), (14, 21, 5), (33, 44, 6)],
    "Suzan": [(1, 7, 1), (8, 13, 4), (14, 21, 5), (33, 37, 6), (38, 41, 6), (42, 44, 6)],
}


def crowd(*sentences):
    """Each sentence a list of strings, the tags of one worker each; "?" is not labelled."""
    names = {tag for said in sentences for line in said for tag in line.split()} - {"?"}
    tags = ordered_tags(names)
    token, worker, label, starts = [], [], [], [0]
    for said in sentences:
        lines = [line.split() for line in said]
        for w, line in enumerate(lines):
            for i, tag in enumerate(line):
                if tag != "?":
                    token.append(starts[-1] + i)
                    worker.append(w)
                    label.append(tags.index(tag))
        starts.append(starts[-1] + len(lines[0]))
    n_workers = max((len(said) for said in sentences), default=0)
    return CrowdSequences(token, worker, label, starts=starts, n_workers=n_workers, tags=tags)


def lines_of(sequences):
    """Each worker's tags of each sentence, "?" where there is none: lines[sentence][worker]."""
    said = np.full((sequences.n_workers, sequences.n_tokens), "?", dtype=object)
    tags = np.array(sequences.tags, dtype=object)
    said[sequences.worker, sequences.token] = tags[sequences.label]
    return [said[:, a:b].tolist() for a, b in pairwise(sequences.starts.tolist())]


def alpha_by_hand(sequences, typed):
    """Coincidences of lengths, token by token and pair by pair, by the equations of the book."""
    observed, own = {}, 0.0
    for lines in lines_of(sequences):
        covers = []
        for line in lines:
            cover = ["?" if tag == "?" else None for tag in line]
            for start, end, kind in spans_of_tags(line):
                cover[start:end] = [kind] * (end - start)
            covers.append(cover)
        m = [sum(cover[t] != "?" for cover in covers) for t in range(len(lines[0]) if lines else 0)]
        for one in range(len(covers)):
            for other in range(len(covers)):
                for t, here in enumerate(m):
                    c, k = covers[one][t], covers[other][t]
                    if one == other or "?" in (c, k):
                        continue
                    if not typed:
                        c, k = c is not None, k is not None
                    observed[c, k] = observed.get((c, k), 0) + 1 / (here - 1)
        for line, cover in zip(lines, covers, strict=True):
            own += sum(c is None and m[t] > 1 for t, c in enumerate(cover))
            for start, end, _ in spans_of_tags(line):
                own += sum(here > 1 for here in m[start:end]) ** 2
    total = sum(observed.values())
    marginal = {}
    for (c, _), length in observed.items():
        marginal[c] = marginal.get(c, 0) + length
    if len(marginal) < 2:
        return None
    disagreement = sum(length for (c, k), length in observed.items() if c != k)
    expected = sum(marginal[c] * marginal[k] for c in marginal for k in marginal if c != k) / (
        total - own / total
    )
    return 1 - disagreement / expected


def f1s_by_hand(sequences):
    """{(first, second): [common, all spans, sentences]} over sentences that both labelled, without
    the spans that begin where the other did not."""
    found = {}
    for lines in lines_of(sequences):
        spans = [None if set(line) <= {"?"} else set(spans_of_tags(line)) for line in lines]
        for one, other in combinations(range(len(spans)), 2):
            if spans[one] is not None and spans[other] is not None:
                sums = found.setdefault((one, other), [0, 0, 0])
                sums[0] += len(spans[one] & spans[other])
                for mine, theirs in ((one, other), (other, one)):
                    sums[1] += sum(lines[theirs][span.start] != "?" for span in spans[mine])
                sums[2] += 1
    return found


# --- Unitizing alpha ---------------------------------------------------------------------------


def test_unitizing_alpha_of_krippendorffs_three_observers():
    lines = []
    for units in THREE_OBSERVERS.values():
        line = ["O"] * 60
        for first, last, value in units:
            line[first - 1 : last] = [f"B-{value}", *[f"I-{value}"] * (last - first)]
        lines.append(" ".join(line))
    found = unitizing_alpha(crowd(lines))
    assert found.value == pytest.approx(0.510, abs=5e-4)
    assert found.units == 60
    # Printed as .413; the lengths give .4136.
    assert unitizing_alpha(crowd(lines), typed=False).value == pytest.approx(0.413, abs=1e-3)


@pytest.mark.parametrize("typed", [True, False])
@given(sequences=tagged())
def test_unitizing_alpha_is_that_of_coincident_lengths(typed, sequences):
    found = unitizing_alpha(sequences, typed=typed, replicates=0).value
    assert found == pytest.approx(alpha_by_hand(sequences, typed), abs=1e-9)


def test_spans_of_one_token_make_it_the_alpha_of_tokens():
    sequences = crowd(["B-A O B-C O O", "B-A B-A B-C O O", "O O B-A O B-C"], ["B-C O", "B-C B-C"])
    assert unitizing_alpha(sequences).value == pytest.approx(
        krippendorff_alpha(sequences.token_labels()).value
    )


def test_a_longer_span_at_the_right_place_is_better_than_another_place():
    near = crowd(["O B-A I-A O O O", "B-A I-A I-A O O O"])
    far = crowd(["O B-A I-A O O O", "O O O B-A I-A I-A"])
    assert unitizing_alpha(near).value > 0.5 > 0 > unitizing_alpha(far).value


def test_where_and_what_are_told_apart():
    sequences = crowd(["B-A I-A O O B-C", "B-C I-C O O B-A"])
    assert unitizing_alpha(sequences, typed=False).value == 1
    assert unitizing_alpha(sequences).value < 0.5


# --- Pairwise span F1 --------------------------------------------------------------------------


@given(tagged())
def test_span_f1_is_that_of_the_pairs(sequences):
    wanted = f1s_by_hand(sequences)
    common, spans, _ = np.array(list(wanted.values()), dtype=int).reshape(-1, 3).sum(axis=0)
    found = pairwise_span_f1(sequences, replicates=0)
    assert found.value == (pytest.approx(2 * common / spans) if spans else None)
    assert found.pairs == len(wanted)

    table = pairwise_span_f1s(sequences)
    pairs = list(zip(table.first.tolist(), table.second.tolist(), strict=True))
    assert pairs == sorted(pair for pair, sums in wanted.items() if sums[1])
    for i, pair in enumerate(pairs):
        assert table.value[i] == pytest.approx(2 * wanted[pair][0] / wanted[pair][1])
        assert table.units[i] == wanted[pair][2]


def test_spans_where_the_other_did_not_look_are_not_compared():
    half = crowd(["B-A O B-A O B-C I-C", "B-A O ? ? ? ?"])
    assert pairwise_span_f1(half).value == 1
    assert pairwise_span_f1s(half).value.tolist() == [1]


def test_span_f1_of_three_workers():
    """Pairs share 1 of 2 + 1, 0 of 2 + 1, and 0 of 1 + 1 spans: 2 x 1 / 8."""
    sequences = crowd(["B-A I-A O B-C", "B-A I-A O O", "B-A O O O"])
    assert pairwise_span_f1(sequences).value == 2 / 8


def test_a_type_or_an_end_apart_is_another_span():
    assert pairwise_span_f1(crowd(["B-A I-A", "B-C I-C"])).value == 0
    assert pairwise_span_f1(crowd(["B-A I-A", "B-A O"])).value == 0
    assert pairwise_span_f1(crowd(["B-A I-A", "B-A B-A"])).value == 0


# --- Both --------------------------------------------------------------------------------------


BOTH = [unitizing_alpha, pairwise_span_f1]


@pytest.mark.parametrize("coefficient", BOTH)
@pytest.mark.parametrize(
    "sentences",
    [[], [["O B-A"]], [["O O", "O O"]], [["? ?", "? ?"]], [["O B-A", "? ?"], ["? ?", "O O"]]],
    ids=["empty", "one worker", "no span", "nothing", "nothing shared"],
)
def test_what_is_not_defined_is_none(coefficient, sentences):
    found = coefficient(crowd(*sentences))
    assert (found.value, found.low, found.high) == (None, None, None)


@pytest.mark.parametrize("coefficient", BOTH)
def test_no_workers_at_all(coefficient):
    nothing = CrowdSequences([], [], [], starts=[0], n_workers=0, tags=("O",))
    assert coefficient(nothing) == Agreement(None, None, None, 0, 0)
    assert len(pairwise_span_f1s(nothing).value) == 0


@pytest.mark.parametrize("coefficient", BOTH)
def test_perfect_agreement_is_one_and_so_is_its_interval(coefficient):
    found = coefficient(crowd(["O B-A I-A"] * 3, ["B-C O"] * 3))
    assert (found.value, found.low, found.high) == (1, 1, 1)


@pytest.mark.parametrize("coefficient", BOTH)
@given(sequences=tagged())
def test_order_and_names_of_workers_do_not_matter(coefficient, sequences):
    rng = np.random.default_rng(1)
    order = rng.permutation(sequences.n_labels)
    other = CrowdSequences(
        sequences.token[order],
        rng.permutation(sequences.n_workers)[sequences.worker][order],
        sequences.label[order],
        starts=sequences.starts,
        n_workers=sequences.n_workers,
        tags=sequences.tags,
    )
    assert coefficient(sequences, replicates=50) == coefficient(other, replicates=50)


def simulated(seed, n_sentences, length=12, n_workers=4):
    """Workers who miss, move and mistake spans, more so in some sentences than in others."""
    rng = np.random.default_rng(seed)
    sentences = []
    for _ in range(n_sentences):
        start, kind, hard = rng.integers(2, length - 4), "AC"[rng.integers(2)], rng.random()
        lines = []
        for _ in range(n_workers):
            line = ["O"] * length
            if rng.random() > 0.2:
                begin = start - (rng.random() < 0.3 * hard)
                own = "AC"[rng.integers(2)] if rng.random() < 0.4 * hard else kind
                line[begin : start + 3] = [f"B-{own}", *[f"I-{own}"] * (start + 2 - begin)]
            lines.append(" ".join(line))
        sentences.append(lines)
    return sentences


@pytest.mark.parametrize("coefficient", BOTH)
def test_intervals_cover(coefficient):
    population = simulated(0, 3000)
    truth = coefficient(crowd(*population), replicates=0).value
    covered = 0
    for i in range(0, 3000, 60):
        found = coefficient(crowd(*population[i : i + 60]), replicates=300)
        covered += found.low <= truth <= found.high
    assert 43 <= covered <= 50


@pytest.mark.parametrize("coefficient", BOTH)
def test_documents_are_drawn_whole(coefficient):
    sentences = simulated(1, 40)
    copies = crowd(*(sentence for sentence in sentences for _ in range(9)))
    wide = coefficient(copies, groups=np.repeat(np.arange(40), 9))
    narrow, alone = coefficient(copies), coefficient(crowd(*sentences))
    assert wide.high - wide.low > 2.5 * (narrow.high - narrow.low)
    assert wide.high - wide.low == pytest.approx(alone.high - alone.low, rel=0.15)


@pytest.mark.parametrize("coefficient", BOTH)
def test_in_pieces_it_is_the_same(coefficient, monkeypatch):
    """Also where documents are cut."""
    sequences, groups = crowd(*simulated(2, 40)), np.arange(40)[::-1] // 3
    whole = coefficient(sequences, groups=groups)
    monkeypatch.setattr(unitizing, "PIECE", 300)
    for name in ("low", "value", "high", "units", "pairs"):
        there = getattr(coefficient(sequences, groups=groups), name)
        assert there == pytest.approx(getattr(whole, name))


@pytest.mark.parametrize("coefficient", BOTH)
def test_groups_must_fit_the_sequences(coefficient):
    with pytest.raises(ValueError, match="groups has the shape"):
        coefficient(crowd(["O B-A", "O O"]), groups=[0, 1])


def test_many_workers_are_no_matter():
    """300 workers on the same sentences are 44,850 pairs."""
    rng = np.random.default_rng(0)
    n_tokens, n_workers = 400, 300
    label = rng.choice(3, p=[0.1, 0.1, 0.8], size=n_tokens * n_workers)
    sequences = CrowdSequences(
        np.repeat(np.arange(n_tokens), n_workers),
        np.tile(np.arange(n_workers), n_tokens),
        label,
        starts=np.arange(0, n_tokens + 1, 20),
        n_workers=n_workers,
        tags=("B-A", "I-A", "O"),
    )
    assert pairwise_span_f1(sequences).pairs == 300 * 299 // 2
    assert len(pairwise_span_f1s(sequences).value) == 300 * 299 // 2
    labels = sequences.token_labels()
    assert isinstance(labels, CrowdLabels)
    assert krippendorff_alpha(labels, replicates=0).value == pytest.approx(0, abs=0.01)
