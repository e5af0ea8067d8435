"""A trained model suggests for the tasks of a campaign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aggregation.actions.suggest import LEAST, Trained, suggest_by_model
from annotation.actions.suggestions import SuggestionTally
from annotation.interfaces import traits
from annotation.models import Campaign
from selection.actions.models import CannotLoad, load
from selection.models import LoopItem, TrainedModel


def suggest_by_trained(
    model: TrainedModel,
    campaign: Campaign,
    *,
    least: float = LEAST,
    dry_run: bool = False,
    trained: Callable[[Trained], None] = lambda _: None,
    progressed: Callable[[int], None] = lambda _: None,
    user: Any = None,
) -> SuggestionTally:
    """See `suggest_by_model`. The random sample by which a loop is evaluated is left out: its
    labels have to be the workers' own. Raises CannotLoad and what that raises."""
    if not traits(model.interface).suggestions:
        raise CannotLoad("model.no_suggestions", interface=model.interface)
    if model.project_id != campaign.project_id:
        raise CannotLoad("model.other_project", model=model.key, campaign=campaign.slug)
    load(model)  # all that is wrong with its file is told in the same words
    sample = LoopItem.objects.filter(task__campaign=campaign, use=LoopItem.Use.SAMPLE)
    return suggest_by_model(
        campaign,
        model=model.path,
        source=model.source,
        without=set(sample.values_list("task", flat=True)),
        least=least,
        dry_run=dry_run,
        trained=trained,
        progressed=progressed,
        user=user,
    )
