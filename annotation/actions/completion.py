"""The code that a worker hands to the platform as proof that they worked: nothing of it is stored.

Each ending has its own, so that a platform can pay each as it should: all was done, the worker
stopped, or the test was not passed. Where the campaign names a platform's code for an ending, all
workers get that; else it is one of their own: eight letters and digits out of the secret key and
the enrollment, such as K7QF-2M9D. It can't be guessed, it belongs to one worker in one campaign,
and after a change of the key the codes that were given out before are still recognised by
SECRET_KEY_FALLBACKS.
"""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from annotation.actions.assignments.qualification import QUALIFIER
from annotation.models import Campaign, Enrollment

SALT = "touchstone.completion"
# Without vowels, so that no code is a word, and without what is taken for something else: 0 1 I L.
ALPHABET = "23456789BCDFGHJKMNPQRSTVWXYZ"
LENGTH = 8


class Ending(StrEnum):
    """How a worker's time in a campaign ended."""

    COMPLETED = "completed"
    STOPPED = "stopped"
    SCREENED_OUT = "screened_out"


# Why a worker has no task, where they have done all that there was for them.
ALL_DONE = frozenset({"nothing_left", "campaign_closed", "budget_used_up", "not_selected"})


def ending_of(enrollment: Enrollment, reason: str) -> Ending:
    """`reason`: why they have no task (`assignments.claim.why_not`); "" where they may go on."""
    out = enrollment.state == Enrollment.State.PAUSED and enrollment.state_by == QUALIFIER
    if out:
        return Ending.SCREENED_OUT
    return Ending.COMPLETED if reason in ALL_DONE else Ending.STOPPED


def code_of(enrollment: Enrollment, ending: Ending = Ending.COMPLETED) -> str | None:
    """None where the worker has submitted nothing yet: there is nothing to prove."""
    if not enrollment.submitted:
        return None
    of_platform: str = getattr(enrollment.campaign, f"code_{ending}")
    return of_platform or _code(enrollment.key.hex, ending, settings.SECRET_KEY)


def is_code_of(enrollment: Enrollment, code: str) -> bool:
    """Whether the code was given to this worker, under the present key or an older one."""
    return told_by(enrollment, code) is not None


def told_by(enrollment: Enrollment, code: str) -> Ending | None:
    """The ending that a code of this worker stands for; None: it is none of theirs."""
    given = normalised(code)
    if not enrollment.submitted:
        return None
    for ending in Ending:
        codes = (_code(enrollment.key.hex, ending, key) for key in _keys())
        if any(constant_time_compare(code_given, given) for code_given in codes):
            return ending
    return None


def platform_ending(campaign: Campaign, code: str) -> Ending | None:
    """The ending for which the campaign gives this very code to every worker."""
    typed = code.strip()
    return next(
        (one for one in Ending if typed and getattr(campaign, f"code_{one}") == typed), None
    )


def enrollment_of(campaign: Campaign, code: str) -> Enrollment | None:
    """Who was given the code in this campaign. A pass over its workers: 15 µs for each."""
    worked = campaign.enrollments.with_answers().select_related("worker")
    for enrollment in worked.iterator():
        if is_code_of(enrollment, code):
            return enrollment
    return None


def normalised(code: str) -> str:
    """As it was given out, however it was typed: small letters, blanks, without the hyphen."""
    letters = "".join(char for char in code.upper() if char.isascii() and char.isalnum())
    return f"{letters[: LENGTH // 2]}-{letters[LENGTH // 2 :]}"


def _keys() -> list[str]:
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def _code(enrollment_key: str, ending: Ending, secret: str) -> str:
    # That of who completed all is the one that there was before endings had codes of their own.
    what = enrollment_key if ending == Ending.COMPLETED else f"{enrollment_key}:{ending}"
    digest = salted_hmac(SALT, what, secret=secret, algorithm="sha256").digest()
    number, letters = int.from_bytes(digest), ""
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        letters += ALPHABET[place]
    return f"{letters[: LENGTH // 2]}-{letters[LENGTH // 2 :]}"
