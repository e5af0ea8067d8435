"""A change of a campaign after it was made: all of a draft, little of what was opened."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import transaction

from annotation.actions import audit, locks
from annotation.actions.campaigns.life import OPTIONS, WrongState, set_instructions
from annotation.models import Campaign

# What nobody who works, and no answer that was given, can be let down by.
WHEN_OPENED = frozenset({"name", "instructions", "lease_minutes", "skip_limit"})
# What tasks are made from: fixed with the first of them.
FOR_TASKS = frozenset({"redundancy", "hidden_gold", "training_gold", "suggestions"})
IN_OPTIONS = frozenset({"coreference", "linking", "suggestions", "hidden_gold", "training_gold"})
UNLESS_ASKED_FOR = IN_OPTIONS - {"coreference", "linking"}  # these two say it where they are off
IN_DRAFT = IN_OPTIONS | WHEN_OPENED | {
    "redundancy", "pay_mills", "currency", "budget_mills", "gold_every", "training_size",
    "pass_score", "spread",
}  # fmt: skip


def editable(campaign: Campaign) -> frozenset[str]:
    """What may be changed now; empty where the campaign is closed. At most one query."""
    if campaign.state == Campaign.State.CLOSED:
        return frozenset()
    if campaign.state != Campaign.State.DRAFT:
        return WHEN_OPENED
    return IN_DRAFT - FOR_TASKS if campaign.tasks.exists() else IN_DRAFT


def edit_campaign(campaign: Campaign, *, user: Any = None, **settings: Any) -> list[str]:
    """Set what `editable` allows; the names of what differs now, sorted.

    New instructions are a new version: workers get it with their next task. Raises WrongState
    where the campaign has moved on, locks.Held while it is being opened, and ValidationError or
    AnswerError naming the field.
    """
    with locks.hold(f"campaign:{campaign.slug}"), transaction.atomic():
        related = Campaign.objects.select_related("instructions", "project")
        row = related.select_for_update(of=("self",)).get(pk=campaign.pk)
        _refuse(row, settings.keys())
        before = {name: _value(row, name) for name in settings}
        text = settings.pop("instructions", None)
        options = dict(row.options)
        for name in IN_OPTIONS & settings.keys():
            options[name] = settings.pop(name)
            if not options[name] and name in UNLESS_ASKED_FOR:
                del options[name]
        for name, value in settings.items():
            setattr(row, name, value)
        row.max_redundancy = max(row.max_redundancy, row.redundancy)
        check = OPTIONS.get(row.interface)
        row.options = check(options) if check else options
        row.full_clean(exclude=["project", "instructions"])
        row.save(update_fields=[*settings, "max_redundancy", "options"])
        if text is not None:
            set_instructions(row, text)
        changed = sorted(name for name in before if _value(row, name) != before[name])
        if changed:
            audit.record(
                row.project, "edit campaign", row.slug, user=user,
                before={name: _told(name, before[name]) for name in changed},
                after={name: _told(name, _value(row, name)) for name in changed},
            )  # fmt: skip
    return changed


def _refuse(row: Campaign, names: Collection[str]) -> None:
    allowed = editable(row)
    if not allowed:
        raise WrongState(f"Campaign '{row.slug}' is closed: nothing of it changes any more.")
    if set(names) - allowed:
        raise WrongState(
            f"Campaign '{row.slug}' is {row.state} and has its tasks: what they were made from "
            "can't be changed any more. Load the page again to see what can."
        )


def _value(campaign: Campaign, name: str) -> Any:
    if name == "instructions":
        return campaign.instructions.text if campaign.instructions else ""
    return campaign.options.get(name) if name in IN_OPTIONS else getattr(campaign, name)


def _told(name: str, value: Any) -> Any:
    """The texts of instructions are kept as versions, not once more in the record."""
    return len(value) if name == "instructions" else value
