"""From practice to paid work: what a worker's practice and exam lead to.

Practice tasks show what was right. Where the campaign has an exam, questions of its own without a
word about them, that decides; else the practice does. Who fails may try again with tasks that they
has not seen, as often as the campaign allows and while it has enough of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from annotation.actions.assignments.picking import gold_left
from annotation.models import Campaign, Demand, Enrollment

QUALIFIER = "qualification"  # as `state_by`: no person did it
ROUNDING = 1e-9  # of a sum of scores
AT_IT = (Enrollment.State.TRAINING, Enrollment.State.EXAM)


def end_training(enrollment: Enrollment) -> None:
    """The practice is over: the exam follows, or its own mean decides."""
    campaign = enrollment.campaign
    if campaign.exam_size:
        enrollment.state = Enrollment.State.EXAM
        _add_milestone(
            enrollment,
            "exam",
            f"Practice is over. The test comes next: {campaign.exam_size} "
            f"{'task' if campaign.exam_size == 1 else 'tasks'} without feedback, of which "
            f"{campaign.pass_score:.0%} have to be right.",
        )
        return
    _decide(enrollment, enrollment.training_seen, enrollment.training_score_sum, "practice")


def end_exam(enrollment: Enrollment) -> None:
    _decide(enrollment, enrollment.exam_seen, enrollment.exam_score_sum, "test")


def _decide(enrollment: Enrollment, answered: int, score_sum: float, what: str) -> None:
    campaign = enrollment.campaign
    mean = score_sum / answered if answered else 0.0
    if answered and mean + ROUNDING >= campaign.pass_score:
        enrollment.state = Enrollment.State.QUALIFIED
        _add_milestone(
            enrollment,
            "qualified",
            f"You are in: your {what} tasks were {mean:.0%} right. From here on the work counts.",
        )
        return
    result = (
        f"The {what} tasks were {_percent(mean, math.floor)} right; "
        f"{_percent(campaign.pass_score, math.ceil)} are needed."
        if answered
        else f"No {what} task was answered."
    )
    enrollment.tries += 1
    if enrollment.tries < campaign.tries and _can_try_again(enrollment):
        enrollment.training_seen = enrollment.exam_seen = 0
        enrollment.training_score_sum = enrollment.exam_score_sum = 0.0
        states = Enrollment.State
        enrollment.state = states.TRAINING if campaign.training_size else states.EXAM
        _add_milestone(
            enrollment,
            "again",
            f"{result} You can try again, with other tasks: this is try {enrollment.tries + 1} "
            f"of {campaign.tries}.",
        )
        return
    enrollment.state = Enrollment.State.PAUSED
    enrollment.state_by = QUALIFIER
    enrollment.state_reason = result


def _percent(share: float, towards: Callable[[float], int]) -> str:
    """Rounded so that what was too little does not read like enough."""
    return f"{towards(round(share * 100, 6))}%"


def _add_milestone(enrollment: Enrollment, kind: str, sentence: str) -> None:
    """Two steps in one action are told together: another try may begin with the test."""
    before = f"{enrollment.milestone[1]} " if enrollment.milestone else ""
    enrollment.milestone = (kind, before + sentence)


def _can_try_again(enrollment: Enrollment) -> bool:
    """Whether there are as many tasks as decide that this worker never had."""
    campaign: Campaign = enrollment.campaign
    if campaign.exam_size:
        return gold_left(enrollment, campaign.exam_kind, campaign.exam_size)
    return gold_left(enrollment, Demand.Kind.TRAINING, campaign.training_size)
