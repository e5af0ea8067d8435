"""Campaigns: their life from draft to closed, and their tasks."""

from annotation.actions.campaigns.choices import ChoicesRefused, ChoiceTally, import_choices
from annotation.actions.campaigns.editing import edit_campaign, editable
from annotation.actions.campaigns.life import (
    Line,
    NotReady,
    Preflight,
    WrongState,
    check_budget,
    close_campaign,
    create_campaign,
    open_campaign,
    pause_campaign,
    preflight,
    set_budget,
    set_floor,
    set_instructions,
)
from annotation.actions.campaigns.shared_budgets import (
    create_shared_budget,
    grant_rest,
    join_shared_budget,
    resize_shared_budget,
    spent_together,
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
    "check_budget",
    "close_campaign",
    "create_campaign",
    "create_shared_budget",
    "create_tasks",
    "create_tasks_on",
    "edit_campaign",
    "editable",
    "grant_rest",
    "import_choices",
    "join_shared_budget",
    "open_campaign",
    "pause_campaign",
    "preflight",
    "publish_tasks",
    "resize_shared_budget",
    "set_budget",
    "set_consent",
    "set_floor",
    "set_instructions",
    "spent_together",
    "tasks_built",
]
