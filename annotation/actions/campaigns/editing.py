"""A change of a campaign after it was made: all of a draft, little of what was opened."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.actions import audit, locks
from annotation.actions.campaigns.life import WrongState, check_targets, set_instructions
from annotation.actions.campaigns.tasks import GOLD_OPTIONS
from annotation.actions.consent import set_consent
from annotation.interfaces import AnswerError, Material, check_options, interface, traits
from annotation.models import Campaign, GoldQuestion
from annotation.sentences import Problem, shown
from annotation.text.markdown import LONGEST_TEXT

# Texts that are kept as versions.
TEXTS: dict[str, Callable[[Campaign, str], Any]] = {
    "instructions": set_instructions,
    "consent": set_consent,
}
# How many answers a task may get, and of whom: rules look at it each time that they decide.
FOR_RULES = frozenset({"target_quality", "target_confidence", "max_redundancy", "open_to"})
# What nobody who works, and no answer that was given, can be let down by.
WHEN_OPENED = FOR_RULES | {
    *TEXTS,
    "name",
    "content_warning",
    "summary",
    "requester",
    "payment_terms",
    "code_completed",
    "code_stopped",
    "code_screened_out",
    "language",
    "lease_minutes",
    "skip_limit",
    "correction_seconds",
    "doubts",
}
# What tasks are made from: fixed with the first of them.
FOR_TASKS = frozenset({"redundancy", *GOLD_OPTIONS.values(), "suggestions"})
IN_DRAFT = WHEN_OPENED | {
    "redundancy", "pay_mills", "currency", "budget_mills", "gold_every", "training_size",
    "exam_size", "tries", "pass_score", "spread",
}  # fmt: skip
GOLD_READ = 500


def in_options(kind: str) -> frozenset[str]:
    """What campaigns of an interface have among their options, and others don't."""
    own = traits(kind)
    found = own.options | own.switches | own.answered.keys()
    if own.suggestions:
        found |= {"suggestions"}
    if own.gold_of_documents:
        found |= {*GOLD_OPTIONS.values()}
    return found


def editable(campaign: Campaign) -> frozenset[str]:
    """What may be changed now; empty where the campaign is closed. At most one query."""
    if campaign.state == Campaign.State.CLOSED:
        return frozenset()
    if campaign.state != Campaign.State.DRAFT:
        return WHEN_OPENED
    all_of_it = IN_DRAFT | in_options(campaign.interface)
    if campaign.shared_budget_id is not None:
        all_of_it -= {"budget_mills", "currency"}
    return all_of_it - FOR_TASKS if campaign.demands.plain().exists() else all_of_it


def edit_campaign(
    campaign: Campaign, *, user: Any = None, unfinished: bool = False, **settings: Any
) -> list[str]:
    """Set what `editable` allows; the names of what differs now, sorted.

    New instructions are a new version: workers get it with their next task. A new text to agree to
    is one as well: workers are asked before their next task. Raises WrongState where the campaign
    has moved on, locks.Held while it is being opened, and ValidationError or AnswerError naming
    the field.

    `unfinished`: somebody is still typing. The texts of a draft, which nobody has read, are then
    written over in the place of becoming further versions, and nothing is recorded.
    """
    with locks.hold(f"campaign:{campaign.slug}"), transaction.atomic():
        related = Campaign.objects.select_related("instructions", "consent", "project")
        row = related.select_for_update(of=("self",)).get(pk=campaign.pk)
        _refuse(row, settings.keys())
        before = {name: _value(row, name) for name in settings}
        texts = {name: settings.pop(name) for name in TEXTS if name in settings}
        options, own = dict(row.options), traits(row.interface)
        for name in in_options(row.interface) & settings.keys():
            options[name] = settings.pop(name)
            if not options[name] and name not in own.switches:
                del options[name]
        for name, value in settings.items():
            setattr(row, name, value)
        _check_most(row, "max_redundancy" in settings)
        row.options = check_options(row.interface, options)
        row.full_clean(exclude=["project", *TEXTS])
        check_targets(row)
        if own.answered.keys() & before.keys():
            _keep_gold(row, own.answered)
        row.save(update_fields=[*settings, "max_redundancy", "options"])
        for name, text in texts.items():
            if not (unfinished and _written_over(row, name, text)):
                TEXTS[name](row, text)
        changed = sorted(name for name in before if _value(row, name) != before[name])
        if changed and not unfinished:
            audit.record(
                row.project, "edit campaign", row.slug, user=user,
                before={name: _audit_value(name, before[name]) for name in changed},
                after={name: _audit_value(name, _value(row, name)) for name in changed},
            )  # fmt: skip
    return changed


def _refuse(row: Campaign, names: Collection[str]) -> None:
    allowed = editable(row)
    if not allowed:
        raise WrongState("campaign.closed_for_good", campaign=row.slug)
    if set(names) - allowed:
        raise WrongState("campaign.has_tasks", campaign=row.slug, state=row.state)


def _check_most(row: Campaign, was_given: bool) -> None:
    """A maximum below what each task gets anyway is a mistake where it counts, else moved along.
    Raises ValidationError."""
    if row.max_redundancy >= row.redundancy:
        return
    if was_given and row.wanted is not None:
        raise ValidationError(
            {"max_redundancy": Problem("redundancy.maximum", number=row.redundancy)}
        )
    row.max_redundancy = row.redundancy


def _keep_gold(row: Campaign, answered: Mapping[str, str]) -> None:
    """Known answers came with the tasks: each has to be one that can still be given. Raises
    ValidationError."""
    material = Material(options=row.options)
    known = GoldQuestion.objects.filter(task__campaign=row).order_by("pk")
    answers = known.values_list("task__external_id", "answer")
    for task, answer in answers.iterator(chunk_size=GOLD_READ):
        try:
            interface(row.interface).check(answer, material)
        except AnswerError as error:
            path = error.problems[0].path
            named = (item for item in answered.items() if path.endswith(item[1]))
            field, given = next(named, next(iter(answered.items())))
            raise ValidationError(
                {field: Problem("gold.not_offered", task=shown(task), answer=answer[given])}
            ) from error


def _written_over(row: Campaign, name: str, text: str) -> bool:
    """Whether the text took the place of the version that stands."""
    version = getattr(row, name)
    is_text = bool(text.strip()) and len(text) <= LONGEST_TEXT
    if row.state != Campaign.State.DRAFT or version is None or not is_text:
        return False
    version.text = text
    version.save(update_fields=["text"])
    return True


def _value(campaign: Campaign, name: str) -> Any:
    if name in TEXTS:
        version = getattr(campaign, name)
        return version.text if version else ""
    is_option = name in in_options(campaign.interface)
    return campaign.options.get(name) if is_option else getattr(campaign, name)


def _audit_value(name: str, value: Any) -> Any:
    """Texts are kept as versions, not once more in the record."""
    return len(value) if name in TEXTS else value
