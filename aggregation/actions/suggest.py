"""A conditional random field, trained on a campaign's consensus, suggests for the tasks that have
no answers yet.

What a task has is the least probability of the words of each span, so `least` leaves spans out that
are probably wrong. Tasks of hidden gold get suggestions with all the others. Nothing is learnt from
them: they have no consensus, and a run that learnt from their answers is refused.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from django.db.models import QuerySet

from aggregation.algorithms.sequences.crf.features import Features
from aggregation.algorithms.sequences.crf.model import LinearChainCRF
from aggregation.algorithms.sequences.crf.posteriors import least_probable, targets_of_posterior
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.arrays.texts import consensus_texts, text_of
from aggregation.models import AggregationRun
from aggregation.sentences import CATALOGUE
from annotation.actions.bulk import batches
from annotation.actions.suggestions import (
    Suggested,
    SuggestionsRefused,
    SuggestionTally,
    check_shows_suggestions,
    material_of,
    suggest,
)
from annotation.interfaces.entity import answer_of_tags, spans_of_tags
from annotation.interfaces.schema import entity_type_names
from annotation.models import Campaign, Demand, Task

LEAST = 0.5
# On news, in texts that were not learnt from, `document` brought a point of F1, the others .8.
FEATURES = {"outer": 1, "bigrams": 1, "document": 1, "minimum": 2}
AT_ONCE = 200  # tasks that are tagged together
DECIMALS = 3  # of a confidence
OUTSIDE = "O"


class CannotSuggest(SuggestionsRefused):
    """There is no consensus to learn from, or nothing that it would find."""

    catalogue = CATALOGUE


@dataclass(frozen=True, slots=True)
class Trained:
    """A tagger and whence it comes. `words` is how many it learnt from; None where it came trained.
    `strange` are its types that the schema does not have."""

    tagger: Tagger
    source: str
    words: int | None
    strange: tuple[str, ...] = ()


def suggest_by_model(
    campaign: Campaign,
    *,
    run: uuid.UUID | None = None,
    model: Path | None = None,
    source: str = "",
    without: Collection[int] = (),
    least: float = LEAST,
    dry_run: bool = False,
    trained: Callable[[Trained], None] = lambda _: None,
    progressed: Callable[[int], None] = lambda _: None,
    user: Any = None,
) -> SuggestionTally:
    """Suggest the spans of which each word is at least `least` sure.

    The tagger learns from the consensus of `run`, or of the campaign's latest one, or is the
    `model` that `aggregate_file` kept, which stands with the tasks as `source`, or by its file's
    name. Tasks `without` suggestions are passed over. `trained` hears of it, `progressed` how many
    tasks were tagged. The same consensus makes the same suggestions. With `dry_run` nothing is
    written. Raises SuggestionsRefused, locks.Held, and ValueError or OSError for a model that can't
    be read.
    """
    if not 0 <= least <= 1:
        raise CannotSuggest("suggest.least", least=least)
    check_shows_suggestions(campaign)
    types = entity_type_names(campaign.project.schema)
    found = _loaded(model, source, types) if model else _trained(campaign, run, types)
    trained(found)

    def answers(tasks: QuerySet[Task], tally: SuggestionTally) -> Iterator[Suggested]:
        wanted = tasks.exclude(pk__in=without).select_related("document")
        rows = wanted.iterator(chunk_size=AT_ONCE)
        for batch in batches(rows, AT_ONCE):
            yield from _tagged(campaign, found, batch, least)
            progressed(len(batch))

    return suggest(campaign, found.source, answers, user=user, dry_run=dry_run)


def _loaded(path: Path, source: str, types: Sequence[str]) -> Trained:
    tagger = Tagger.load(path)
    known = {tag[2:] for tag in tagger.tags if tag != OUTSIDE}
    strange = tuple(sorted(known - {*types}))
    if not known & {*types}:
        if not known:
            raise CannotSuggest("suggest.finds_nothing", model=path.name, types=list(types))
        raise CannotSuggest(
            "suggest.other_types", model=path.name, known=sorted(known), types=list(types)
        )
    return Trained(tagger, source or path.name, None, strange)


def _trained(campaign: Campaign, key: uuid.UUID | None, types: Sequence[str]) -> Trained:
    runs = AggregationRun.objects.complete().filter(campaign=campaign)
    run = runs.served_first().first() if key is None else runs.filter(key=key).first()
    if run is None:
        if key is None:
            raise CannotSuggest("suggest.no_consensus", campaign=campaign.slug)
        raise CannotSuggest("suggest.no_run", campaign=campaign.slug, run=key)
    if run.facts.clamped and _has_hidden_gold(campaign):
        raise CannotSuggest("suggest.from_gold", run=run.key, campaign=campaign.slug)
    text, posterior = consensus_texts(run)
    targets = targets_of_posterior(posterior, text.starts, run.classes)
    words = int(targets.weights @ np.diff(text.starts))
    spans = targets.states[:, :-1].sum()
    if spans < 1:
        raise CannotSuggest("suggest.no_span", method=run.method)
    tagger = Tagger(Features(**FEATURES), LinearChainCRF(legal=1))
    tagger.fit(text, targets, tuple(run.classes))
    strange = {tag[2:] for tag in run.classes if tag != OUTSIDE} - {*types}
    return Trained(tagger, f"{run.method} {run.key}", words, tuple(sorted(strange)))


def _has_hidden_gold(campaign: Campaign) -> bool:
    hidden = Demand.objects.measuring().filter(campaign=campaign)
    return hidden.exists()


def _tagged(
    campaign: Campaign, found: Trained, tasks: list[Task], least: float
) -> Iterator[Suggested]:
    materials = [material_of(campaign, task) for task in tasks]
    text = text_of((one.text, one.tokens, one.sentences) for one in materials)
    chosen, marginals = found.tagger.judge(text)
    names = np.array(found.tagger.tags, dtype=object)[chosen]
    first = 0
    for task, material in zip(tasks, materials, strict=True):
        part = slice(first, first + len(material.tokens))
        first = part.stop
        tags = names[part].tolist()
        spans = [
            span for span in spans_of_tags(tags, material.sentences) if span[2] not in found.strange
        ]
        sure = least_probable(
            marginals[part], chosen[part], [span[0] for span in spans], [span[1] for span in spans]
        )
        kept = [OUTSIDE] * len(tags)
        for (begin, end, _), value in zip(spans, sure.tolist(), strict=True):
            if value >= least:
                kept[begin:end] = tags[begin:end]
        confidences = [round(value, DECIMALS) for value in sure.tolist() if value >= least]
        yield Suggested(task, answer_of_tags(kept, material), confidences)
