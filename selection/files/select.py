"""From a file of items to a file of those that are to be labelled next."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.files.data import Stage
from aggregation.files.targets import check_target, same_file
from annotation.formats.output import replaced
from annotation.formats.tables import csv_row
from annotation.sentences import shown
from selection.algorithms import Attribute, Labelled, Nominal, Picked, Pool, SparsePairs, TablePairs
from selection.algorithms.items.facility_location import EXACT, SAMPLE
from selection.files.errors import BadArgument, BadFile
from selection.files.items import ItemTable, LabelTable, read_items, read_labels
from selection.methods.registry import (
    DEFAULT,
    PICKERS,
    checked_settings,
    errors_of,
    learner_of,
    picker_of,
    pool_settings,
)

Integers = NDArray[np.int64]
DECIMALS = 6


@dataclass(frozen=True, slots=True)
class AttributeCoverage:
    """Of how many values (`known`: of all items) some item that is labelled or chosen has one."""

    name: str
    held: int
    known: int


@dataclass(frozen=True, slots=True)
class Selected:
    """What was done. `covered` has the attributes in the order of the file; `notes` are
    sentences."""

    items: int
    labelled: int
    classes: tuple[str, ...]
    chosen: int
    cost: float
    covered: tuple[AttributeCoverage, ...]
    notes: tuple[str, ...]


def select_data_file(
    path: str,
    out: Path,
    *,
    budget: float,
    method: str = DEFAULT,
    labelled: Path | None = None,
    cost: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    stage: Stage = lambda name, total: nullcontext(lambda number: None),
) -> Selected:
    """Read the items and the labels, choose for `budget`, and write `out`: id, rank, gain.

    `path` "-" is the standard input. Raises ValueError (BadFile among them) or OSError with a
    sentence for people; `out` is then as it was.
    """
    settings = checked_settings(method, parameters or {})
    _check_call(path, out, budget, labelled, cost, seed)
    total = os.path.getsize(path) if path != "-" else None
    with stage("reading, in bytes", total) as advance:
        table = read_items(path, cost=cost, advance=advance)
    labels = LabelTable("", {}) if labelled is None else read_labels(str(labelled))
    with stage("comparing items", None):
        pool = _pool(table, method, pool_settings(settings))
    known, classes, notes = _labelled(table, labels)
    free = np.setdiff1d(np.arange(pool.n_items), known.items)
    _check_budget(pool, free, budget, cost)
    with stage(f"choosing by {method}", None):
        picker = picker_of(method, pool, settings, known, seed)
        errors = np.zeros(0, dtype=np.int64)
        if method == "errors":
            learner = learner_of(str(settings["learner"]), pool, known, seed)
            errors = errors_of(learner, pool, known, seed)
        picked = picker.pick(known, errors, free, budget)
    with replaced(out) as file:
        file.write(csv_row(["id", "rank", "gain"]))
        for rank, (item, gain) in enumerate(_rounded(picked), start=1):
            file.write(csv_row([table.ids[item], rank, gain]))
    both = np.concatenate((known.items, picked.items))
    return Selected(
        items=pool.n_items,
        labelled=len(known.items),
        classes=classes,
        chosen=len(picked.items),
        cost=float(pool.cost[picked.items].sum()),
        covered=_coverage(table.attributes, pool, both),
        notes=(
            *notes,
            *_notes_of_attributes(table.attributes),
            *_notes_of_method(method, pool, known, free, picked, budget),
        ),
    )


def _pool(table: ItemTable, method: str, settings: dict[str, Any]) -> Pool:
    if table.attributes:
        return Pool.of(table.attributes, cost=table.cost, **settings)
    if method != "random":
        raise BadFile("items.no_attributes", file=table.name)
    nothing = np.zeros((len(table.ids), 0))
    return Pool(SparsePairs(nothing), nothing, nothing, table.cost)


def _labelled(table: ItemTable, labels: LabelTable) -> tuple[Labelled, tuple[str, ...], list[str]]:
    place = {name: i for i, name in enumerate(table.ids)}
    there = {name: label for name, label in labels.labels.items() if name in place}
    gone = [name for name in labels.labels if name not in place]
    if gone and not there:
        raise BadFile("labels.of_others", file=labels.name, number=len(gone), id=shown(gone[0]))
    classes = tuple(sorted(set(there.values())))
    notes = []
    if gone:
        what = "1 labelled item is" if len(gone) == 1 else f"{len(gone):,} labelled items are"
        notes.append(f"{what} not among the items any more, such as '{gone[0]}': left out.")
    if not there:
        return Labelled(), classes, notes
    number = {name: i for i, name in enumerate(classes)}
    items = [place[name] for name in there]
    targets = [number[label] for label in there.values()]
    return Labelled.of_classes(items, targets, len(classes)), classes, notes


def _coverage(
    attributes: tuple[Attribute, ...], pool: Pool, items: Integers
) -> tuple[AttributeCoverage, ...]:
    pairs = pool.pairs
    if not isinstance(pairs, TablePairs):
        return ()
    held = pairs.counts(items) > 0
    begins = pairs.begins.tolist()
    return tuple(
        AttributeCoverage(a.name, int(held[begins[i] : begins[i + 1]].sum()), pairs.sizes[i])
        for i, a in enumerate(attributes)
    )


def _rounded(picked: Picked) -> list[tuple[int, float | None]]:
    gains = [None if np.isnan(g) else round(g, DECIMALS) for g in picked.gain.tolist()]
    return list(zip(picked.items.tolist(), gains, strict=True))


# --- What people should know --------------------------------------------------------------------


def _notes_of_attributes(attributes: tuple[Attribute, ...]) -> list[str]:
    constant = [a.name for a in attributes if _values(a) < 2]
    single = [
        a.name
        for a in attributes
        if isinstance(a, Nominal) and 2 <= len(a.names) == int((a.codes >= 0).sum())
    ]
    notes = []
    if constant:
        notes.append(f"The same in all items, so of no use: {', '.join(constant)}.")
    if single:
        notes.append(
            f"Another text in each item, so nothing that items have in common: {', '.join(single)}."
        )
    return notes


def _values(attribute: Attribute) -> int:
    """How many different values, "not known" among them; 2 stands for more."""
    if isinstance(attribute, Nominal):
        return len(attribute.names) + int((attribute.codes < 0).any())
    values = attribute.values
    known = values[~np.isnan(values)]
    if not known.size:
        return 1
    return 1 + int(known.min() < known.max() or known.size < values.size)


def _notes_of_method(
    method: str, pool: Pool, known: Labelled, free: Integers, picked: Picked, budget: float
) -> list[str]:
    notes = []
    if PICKERS[method].learns and not known.teaches:
        why = "Nothing is labelled yet" if not len(known.items) else "One class alone was found"
        notes.append(f"{why}, so all were chosen as for a start.")
    served = len(known.items) + len(free)
    if method in ("facility-location", DEFAULT) and served > EXACT:
        notes.append(f"Similarity is to {SAMPLE:,} of the {served:,} items, drawn at random.")
    if len(picked.items) == len(free):
        notes.append("These are all that were left.")
    elif budget - float(pool.cost[picked.items].sum()) >= float(
        pool.cost[np.setdiff1d(free, picked.items)].min()
    ):
        notes.append("Fewer than the budget pays for: nothing else would cover anything more.")
    return notes


# --- Checks -------------------------------------------------------------------------------------


def _check_call(
    path: str, out: Path, budget: float, labelled: Path | None, cost: str | None, seed: int
) -> None:
    check_target("--out", out, path)
    if labelled is not None and same_file(labelled, out):
        raise BadArgument("select.out_is_labels", file=out)
    if labelled is not None and str(labelled) == "-":
        raise BadArgument("select.labels_from_nowhere")
    if not 0 < budget < np.inf:
        raise BadArgument("budget.none", budget=budget)
    if cost is None and budget != int(budget):
        raise BadArgument("budget.not_whole", budget=budget)
    if cost in ("id", "label"):
        raise BadArgument("cost.no_column", name=cost)
    if seed < 0:
        raise BadArgument("select.seed", seed=seed)


def _check_budget(pool: Pool, free: Integers, budget: float, cost: str | None) -> None:
    if not len(free):
        raise BadArgument("labels.all")
    cheapest = float(pool.cost[free].min())
    if cheapest > budget:
        raise BadArgument("budget.small", budget=budget, cost=cost, cheapest=cheapest)
