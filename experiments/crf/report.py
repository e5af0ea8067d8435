"""Experiments as lines of text in the paper's shape, and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.management.words import counted, table
from experiments.crf.annotators import annotators_f1, answers
from experiments.crf.boxes import Box
from experiments.crf.contenders import COMPARED, CONTENDERS
from experiments.crf.corpus import Corpus, Half
from experiments.crf.significance import standard_error
from experiments.crf.trials import TEST, TRAIN, TrialPlan, Trials

Floats = NDArray[np.float64]
WIDTH = 100
NONE = "–"
NAMES = ("precision", "recall", "F1")
GOOD = 80.0  # F1; with no annotator below there is little to tell apart
SPREAD = ".025,.25,.25,.5,.5"  # variances that make a good one, two average ones and two bad ones
WEAK = 10  # repeats; with fewer a t-test finds large differences alone


def lines_of(plan: TrialPlan, corpus: Corpus, trials: Trials) -> Iterator[str]:
    yield from _wrapped(f"{plan.name}. {plan.experiment.title}.")
    yield from _wrapped(f"Texts: {corpus.name}.")
    yield f"Train: {_size(corpus.train)}."
    yield f"Test, unseen: {_size(corpus.test)}."
    if plan.experiment.real:
        yield from _wrapped(
            "All methods learn from what the crowd said of the train half alone, and are not told "
            "the truth; CRF-GOLD is."
        )
    for name, settings in plan.settings_of.items():
        told = ", ".join(f"{key} = {value}" for key, value in settings.items())
        yield f"{CONTENDERS[name].title}: {told}."
    yield ""
    yield from _shares(plan, corpus, trials)
    yield ""
    yield from _differences(trials)
    yield ""
    yield from _annotators(plan, trials)
    yield ""
    yield from _remarks(plan, trials)


def box_lines(boxes: list[Box]) -> Iterator[str]:
    """The figures of box plots; nothing where there are none."""
    if not boxes:
        return
    rows = [["", "least", "lower quartile", "median", "upper quartile", "most", "mean", "n"]]
    for box in boxes:
        numbers = [*box.numbers, box.mean]
        rows.append([box.name, *(f"{value:.4g}" for value in numbers), f"{len(box.values):,}"])
    yield from table(rows)


def crowd_boxes(corpus: Corpus) -> list[Box]:
    """Of Fig. 2, over all texts of the file; F1 where the truth is known."""
    if corpus.whole is None or corpus.whole_gold is None:
        raise ValueError("The box plots are of a real crowd. Name its file with --data.")
    per_worker, per_document = answers(corpus.whole)
    return [
        Box.of("answers per worker", per_worker[per_worker > 0]),
        Box.of("answers per article", per_document[per_document > 0]),
        Box.of("F1 of annotators, %", annotators_f1(corpus.whole, corpus.whole_gold)),
    ]


def as_data(plan: TrialPlan, corpus: Corpus, trials: Trials, boxes: list[Box]) -> dict[str, Any]:
    """For JSON; what is not known is null."""
    return {
        "experiment": plan.name,
        "texts": corpus.name,
        "train": _counts(corpus.train),
        "test": _counts(corpus.test),
        "seed": plan.seed,
        "runs": trials.n_runs,
        "errors_over": "documents" if trials.by_document else "runs",
        "settings": {name: dict(values) for name, values in plan.settings_of.items()},
        "absent": plan.absences(corpus),
        "notes": {name: list(notes) for name, notes in trials.notes.items()},
        "methods": {name: _of_method(trials, name) for name in trials.methods},
        "annotators": {
            "settings": list(plan.settings),
            "true_f1": [[_known(value) for value in run] for run in trials.true_f1.tolist()],
        },
        "boxes": {box.name: list(box.numbers) for box in boxes},
    }


def _of_method(trials: Trials, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"title": CONTENDERS[name].title}
    for half in (TRAIN, TEST):
        means, errors = trials.shares(half, name).mean(axis=0), trials.error(half, name)
        for share, mean, error in zip(NAMES, means.tolist(), errors.tolist(), strict=True):
            found[f"{half}_{share}"] = mean
            found[f"{half}_{share}_error"] = _known(error)
        found[f"{half}_p"] = _known(trials.p_value(half, name))
    found["rmse"] = float(trials.rmse(name).mean())
    found["cpu_seconds"] = trials.seconds[:, trials.methods.index(name)].tolist()
    return found


# --- Tables -------------------------------------------------------------------------------------


def _shares(plan: TrialPlan, corpus: Corpus, trials: Trials) -> Iterator[str]:
    absent = plan.absences(corpus)
    heads = [f"{half} {share}" for half in (TRAIN, TEST) for share in ("P", "R", "F1")]
    rows = [["per cent", *heads]]
    for name in plan.methods:
        cells = [NONE] * 6
        if name not in absent:
            cells = [
                _with_error(mean, error)
                for half in (TRAIN, TEST)
                for mean, error in zip(
                    trials.shares(half, name).mean(axis=0), trials.error(half, name), strict=True
                )
            ]
        rows.append([CONTENDERS[name].title, *cells])
    yield from table(rows)
    for reason in dict.fromkeys(absent.values()):
        named = ", ".join(CONTENDERS[name].title for name in absent if absent[name] == reason)
        yield f"{NONE} {named}: {reason}."
    for name, notes in trials.notes.items():
        yield from (f"{CONTENDERS[name].title}: {note}" for note in notes)


def _differences(trials: Trials) -> Iterator[str]:
    compared = COMPARED in trials.methods
    heads = ["CRF-MA's lead, train F1", "p", "test F1", "p"] if compared else []
    rows = [["", *heads, "RMSE of annotators' F1", "CPU s a run"]]
    for name in trials.methods:
        cells: list[str] = []
        for half in (TRAIN, TEST) if compared else ():
            gap = (trials.shares(half, COMPARED) - trials.shares(half, name)).mean(axis=0)[2]
            cells += [NONE if name == COMPARED else f"{gap:+.2f}", _p(trials.p_value(half, name))]
        rmse = trials.rmse(name)
        off = _with_error(float(rmse.mean()), _error(rmse))
        spent = trials.seconds[:, trials.methods.index(name)].mean()
        rows.append([CONTENDERS[name].title, *cells, off, f"{spent:.1f}"])
    yield from table(rows)


def _annotators(plan: TrialPlan, trials: Trials) -> Iterator[str]:
    """Each simulated one; of a crowd the spread is in the box plots."""
    if not plan.settings:
        known = trials.true_f1[np.isfinite(trials.true_f1)]
        if not known.size:
            yield (
                "Annotators: none has an F1 here. Neither they nor the truth have a span in what "
                "they labelled."
            )
            return
        yield (
            f"Annotators: true F1 from {known.min():.2f} to {known.max():.2f}, mean "
            f"{known.mean():.2f}."
        )
        return
    shown = [name for name in (COMPARED,) if name in trials.methods]
    what = "flipped with p" if plan.name == "flips" else "σ² of the noise"
    rows = [[what, "true F1", *(f"F1 as {CONTENDERS[name].title} finds it" for name in shown)]]
    for i, setting in enumerate(plan.settings):
        columns = [trials.true_f1[:, i]]
        columns += [trials.found_f1[:, trials.methods.index(name), i] for name in shown]
        rows.append([f"{setting:g}", *(_with_error(float(c.mean()), _error(c)) for c in columns)])
    yield from table(rows)


def _remarks(plan: TrialPlan, trials: Trials) -> Iterator[str]:
    spans = (
        "Strict spans. The train figure of a vote and of BSC-seq is of the tags that were "
        "inferred; its test figure is of a CRF trained on them. "
    )
    if "crf-ma-printed" in trials.methods:
        spans += (
            "CRF-MA weighs annotators by the mean over their tokens, 'CRF-MA, eq. 15' as printed. "
        )
    if "touchstone" in trials.methods:
        spans += (
            "touchstone has more features than the others, so CRF-GOLD is no bound of it: "
            "'CRF-GOLD, rich' is, which has the same. "
        )
    if trials.by_document:
        sure = (
            "Nothing is drawn here, so it was run once: ± is the standard error over documents, "
            "and p is of a paired t-test over documents (F1 linearised)."
        )
    elif trials.n_runs == 1:
        sure = "One run has no standard error and no t-test. Ask for more with --repeats."
    else:
        sure = f"Means of {trials.n_runs} runs ± standard error; p is of paired t-tests over runs."
        if trials.n_runs < WEAK:
            sure += (
                f" With {trials.n_runs} pairs a t-test has little power, and p is rough: the paper "
                "has 30 (--repeats 30)."
            )
    if trials.by_document or trials.n_runs > 1:
        sure += " The p are not corrected for how many there are."
    yield from _wrapped(spans + sure)
    if plan.name.startswith("noise") and np.nanmean(trials.true_f1, axis=0).min() > GOOD:
        yield from _wrapped(
            "σ² is relative to the weights, and ours need not be of the size of the paper's: all "
            f"of these annotators are good. --variances {SPREAD} makes some bad."
        )
    yield (
        f"{trials.seconds.sum():.0f} s of CPU for {counted(trials.n_runs, 'run')}, "
        f"{trials.seconds.sum(axis=1).mean():.0f} s each."
    )


# --- Words --------------------------------------------------------------------------------------


def _wrapped(sentences: str) -> list[str]:
    return wrap(sentences, WIDTH, break_on_hyphens=False)


def _size(half: Half) -> str:
    text = half.text
    return (
        f"{counted(text.n_documents, 'document')}, {counted(text.n_sequences, 'sentence')}, "
        f"{counted(text.n_tokens, 'token')}"
    )


def _counts(half: Half) -> dict[str, int]:
    text = half.text
    return {
        "documents": text.n_documents,
        "sentences": text.n_sequences,
        "tokens": text.n_tokens,
    }


def _with_error(mean: float, error: float) -> str:
    if not math.isfinite(mean):
        return NONE
    return f"{mean:.2f} ± {error:.2f}" if math.isfinite(error) else f"{mean:.2f}"


def _error(values: Floats) -> float:
    return float(standard_error(values[:, None])[0])


def _p(value: float) -> str:
    return f"{value:.1g}" if math.isfinite(value) else NONE


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
