"""From practice to paid work: what a worker's practice and exam lead to.

Practice tasks show what was right. Where the campaign has an exam, questions of its own without a
word about them, that decides; else the practice does. Who fails may try again with tasks that they
have not seen, as often as the campaign allows and while it has enough of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from annotation.actions.assignments.picking import gold_left
from annotation.models import Campaign, Demand, Enrollment
from annotation.sentences import Problem

QUALIFIER = "qualification"  # as `state_by`: no person did it
ROUNDING = 1e-9  # of a sum of scores
AT_IT = (Enrollment.State.TRAINING, Enrollment.State.EXAM)


def end_training(enrollment: Enrollment) -> None:
    """The practice is over: the exam follows, or its own mean decides."""
    campaign = enrollment.campaign
    if campaign.exam_size:
        enrollment.state = Enrollment.State.EXAM
        if enrollment.milestone is not None:  # another try, with no practice left: that is told
            return
        needed = _share(campaign.pass_score, math.ceil)
        _add_milestone(
            enrollment, "exam",
            Problem("qualification.exam", number=campaign.exam_size, needed=needed),
        )  # fmt: skip
        return
    _decide(enrollment, enrollment.training_seen, enrollment.training_score_sum, "training")


def tries_of(campaign: Campaign) -> int:
    """How often somebody new can try: as often as the campaign allows, and its gold fills. Where
    hidden gold decides, what is allowed: no worker is to learn how much of it there is."""
    size = campaign.exam_size or campaign.training_size
    if campaign.tries == 1 or not size or (campaign.exam_size and campaign.exam_is_hidden):
        return campaign.tries
    kind = campaign.exam_kind if campaign.exam_size else Demand.Kind.TRAINING
    ready = Demand.objects.ready().filter(campaign=campaign, kind=kind)
    return max(1, len(ready.values("task")[: size * campaign.tries]) // size)


def end_exam(enrollment: Enrollment) -> None:
    _decide(enrollment, enrollment.exam_seen, enrollment.exam_score_sum, "exam")


def _decide(enrollment: Enrollment, answered: int, score_sum: float, stage: str) -> None:
    campaign = enrollment.campaign
    mean = score_sum / answered if answered else 0.0
    if answered and mean + ROUNDING >= campaign.pass_score:
        enrollment.state = Enrollment.State.QUALIFIED
        passed = Problem("qualification.passed", stage=stage, right=_share(mean, round))
        _add_milestone(enrollment, "qualified", passed)
        return
    result = Problem("qualification.unanswered", stage=stage)
    if answered:
        result = Problem(
            "qualification.failed", stage=stage, right=_share(mean, math.floor),
            needed=_share(campaign.pass_score, math.ceil),
        )  # fmt: skip
    enrollment.tries += 1
    if enrollment.tries < campaign.tries and _can_try_again(enrollment):
        enrollment.training_seen = enrollment.exam_seen = 0
        enrollment.training_score_sum = enrollment.exam_score_sum = 0.0
        states = Enrollment.State
        enrollment.state = states.TRAINING if campaign.training_size else states.EXAM
        attempt = enrollment.tries + 1
        most = max(attempt, tries_of(campaign))
        has_practice = campaign.training_size and campaign.exam_size
        practises = has_practice and gold_left(enrollment, Demand.Kind.TRAINING, 1)
        first = "practice" if practises else "same"
        again = Problem("qualification.again", first=first, attempt=attempt, most=most)
        _add_milestone(enrollment, "again", result, again)
        return
    enrollment.state = Enrollment.State.PAUSED
    enrollment.state_by = QUALIFIER
    enrollment.state_reason, enrollment.coded_reason = "", result.stored()


def _share(share: float, towards: Callable[[float], int]) -> float:
    """In whole percent, rounded so that what was too little does not read like enough."""
    return towards(round(share * 100, 6)) / 100


def _add_milestone(enrollment: Enrollment, kind: str, *steps: Problem) -> None:
    """Two steps in one action are told together."""
    before = enrollment.milestone[1] if enrollment.milestone else []
    enrollment.milestone = (kind, [*before, *steps])


def _can_try_again(enrollment: Enrollment) -> bool:
    """Whether there are as many tasks as decide that this worker never had."""
    campaign: Campaign = enrollment.campaign
    if campaign.exam_size:
        return gold_left(enrollment, campaign.exam_kind, campaign.exam_size)
    return gold_left(enrollment, Demand.Kind.TRAINING, campaign.training_size)
