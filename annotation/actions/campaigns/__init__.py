"""Campaigns: their life from draft to closed, and their tasks."""

from annotation.actions.campaigns.choices import ChoicesRefused, ChoiceTally, import_choices
from annotation.actions.campaigns.editing import edit_campaign, editable
from annotation.actions.campaigns.life import (
    Line,
    NotReady,
    Preflight,
    WrongState,
    close_campaign,
    create_campaign,
    open_campaign,
    pause_campaign,
    preflight,
    set_budget,
    set_instructions,
)
from annotation.actions.campaigns.tasks import (
    allot,
    create_tasks,
    create_tasks_on,
    publish_tasks,
    tasks_built,
)
from annotation.actions.consent import set_consent

__all__ = [
    "ChoiceTally",
    "ChoicesRefused",
    "Line",
    "NotReady",
    "Preflight",
    "WrongState",
    "allot",
    "close_campaign",
    "create_campaign",
    "create_tasks",
    "create_tasks_on",
    "edit_campaign",
    "editable",
    "import_choices",
    "open_campaign",
    "pause_campaign",
    "preflight",
    "publish_tasks",
    "set_budget",
    "set_consent",
    "set_instructions",
    "tasks_built",
]
