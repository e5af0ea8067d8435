"""The assignment engine: who is given which task, and what comes back.

One Demand row per task keeps `open + leased + received = wanted`; an assignment is born when it
is leased and never deleted. Each worker's actions take turns on their enrollment's row. Locks are
taken in the order enrollment → assignment → demand → campaign, and a claim never waits for a
demand row: it skips those that are locked. On SQLite the immediate transaction is the lock.

Only this package writes the demand table.
"""

from annotation.actions.assignments.available import Available, tasks_available, tasks_for_newcomer
from annotation.actions.assignments.claim import Next, claim_next
from annotation.actions.assignments.correct import CannotCorrect, correct
from annotation.actions.assignments.demand import (
    add_slots,
    close_tasks,
    create_demands,
    create_gold_demands,
    set_priorities,
)
from annotation.actions.assignments.leases import (
    expire_overdue,
    give_again,
    kept_draft,
    log_events,
    return_task,
    save_draft,
)
from annotation.actions.assignments.money import sweep_allowances
from annotation.actions.assignments.qualification import tries_of
from annotation.actions.assignments.reading import UnknownAssignment
from annotation.actions.assignments.submit import AssignmentClosed, Submitted, submit

__all__ = [
    "AssignmentClosed",
    "Available",
    "CannotCorrect",
    "Next",
    "Submitted",
    "UnknownAssignment",
    "add_slots",
    "claim_next",
    "close_tasks",
    "correct",
    "create_demands",
    "create_gold_demands",
    "expire_overdue",
    "give_again",
    "kept_draft",
    "log_events",
    "return_task",
    "save_draft",
    "set_priorities",
    "submit",
    "sweep_allowances",
    "tasks_available",
    "tasks_for_newcomer",
    "tries_of",
]
