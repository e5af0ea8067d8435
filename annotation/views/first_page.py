"""The words of the first page: what a worker wants to know before they agree to anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import get_language, gettext, ngettext

from annotation.interfaces.examples import Example
from annotation.models import Campaign
from annotation.queries.first_page import FirstPage, Pace, first_page
from annotation.sentences.workers import sentence
from annotation.text import markdown
from annotation.views.scripts import PARTS

HOUR = 3_600
NO_BREAK = "\u00a0"
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
SIGNS_OF = {
    "es": {"USD": "US$", "GBP": "GBP"},
    "fr": {"USD": "$US", "GBP": "£GB"},
    "ar": {"USD": "US$", "GBP": "UK£"},
}


@dataclass(frozen=True, slots=True)
class Fact:
    icon: str
    name: str
    value: str
    more: str = ""
    is_free: bool = False  # a manager's words, which may run the other way than the page


def is_due(campaign: Campaign) -> bool:
    """Whether anybody has written what the work is: pay, time and checks come before that."""
    return bool(
        campaign.instructions_id or campaign.consent_id or campaign.content_warning
        or campaign.summary or campaign.requester or campaign.payment_terms
        or campaign.training_size or campaign.exam_size
    )  # fmt: skip


def first_page_context(campaign: Campaign) -> dict[str, Any]:
    found = first_page(campaign)
    can_try = found.example is not None and f"{campaign.interface}-steps" in PARTS
    example = _written(found.example) if found.example else None
    instructions = campaign.instructions.text if campaign.instructions else ""
    return {
        "summary": campaign.summary or markdown.first_sentence(instructions),
        "question": "" if example else campaign.options.get("question", ""),
        "is_empty": found.tasks == 0,
        "facts": _facts(campaign, found),
        "example": example,
        "can_try": can_try,
    }


def _written(example: Example) -> Example:
    """With what it says beside the campaign's own texts in the language that is active."""
    return replace(
        example,
        question=sentence(example.question),
        options=tuple(replace(one, name=sentence(one.name)) for one in example.options),
        rows=tuple(replace(one, name=sentence(one.name)) for one in example.rows),
    )


def _facts(campaign: Campaign, found: FirstPage) -> list[Fact]:
    facts = [_pay(campaign, found.pace), _time(campaign, found)]
    if campaign.training_size or campaign.exam_size:
        facts.append(_before_the_work(campaign, found.tries))
    if campaign.pay_mills or campaign.payment_terms:
        terms = campaign.payment_terms or gettext("By whoever sent you the link")
        facts.append(
            Fact(
                "day", gettext("Paid"), terms, gettext("A code at the end proves your work."), True
            )
        )
    facts.append(_checks(campaign))
    asks = campaign.requester or campaign.project.name
    facts.append(Fact("person", gettext("Asked by"), asks, is_free=True))
    return facts


def _pay(campaign: Campaign, pace: Pace | None) -> Fact:
    if not campaign.pay_mills:
        return Fact("coin", gettext("Pay"), gettext("Unpaid"), gettext("You work as a volunteer."))
    value = gettext("{money} a task").format(money=_money(campaign, campaign.pay_mills, exact=True))
    if pace is None:
        return Fact("coin", gettext("Pay"), value, _pay_before_the_work(campaign))
    more = gettext("about {money} an hour; the slowest quarter earn {less}").format(
        money=_money(campaign, campaign.pay_mills * HOUR / pace.usual),
        less=_money(campaign, campaign.pay_mills * HOUR / pace.slow),
    )
    return Fact("coin", gettext("Pay"), value, more)


def _pay_before_the_work(campaign: Campaign) -> str:
    if campaign.training_size and campaign.exam_size:
        return gettext("Practice and test tasks pay the same.")
    if campaign.training_size:
        return gettext("Practice is paid the same.")
    return gettext("The test is paid the same.") if campaign.exam_size else ""


def _time(campaign: Campaign, found: FirstPage) -> Fact:
    stop = gettext("Stop when you like.")
    if found.pace is None:
        most = ngettext(
            "at most {number} minute a task", "at most {number} minutes a task",
            campaign.lease_minutes,
        )  # fmt: skip
        value = most.format(number=campaign.lease_minutes)
        more = f"{_cards(found.parts)}{gettext('Nobody has been timed yet.')} {_open(found.tasks)}"
        return Fact("clock", gettext("Time"), value, f"{more}{stop}")
    seconds = round(found.pace.usual)
    value = (
        gettext("about {seconds} s a task").format(seconds=seconds)
        if seconds < 90
        else gettext("about {minutes} min a task").format(minutes=round(seconds / 60))
    )
    more = f"{_cards(found.parts)}{_open(found.tasks)}{stop}"
    return Fact("clock", gettext("Time"), value, more)


def _cards(parts: tuple[int, int]) -> str:
    """So: "8 to 60 cards a task. ". Only cards are so many that they are told."""
    least, most = parts
    if not most:
        return ""
    if least < most:
        spread = gettext("{least} to {most} cards a task.")
        return f"{spread.format(least=number_format(least), most=number_format(most))} "
    told = ngettext("About {number} card a task.", "About {number} cards a task.", most)
    return f"{told.format(number=number_format(most))} "


def _open(tasks: int | None) -> str:
    """So: "At least 20 tasks are open. "."""
    if not tasks:
        return ""
    told = ngettext("At least {number} task is open.", "At least {number} tasks are open.", tasks)
    return f"{told.format(number=number_format(tasks))} "


def _before_the_work(campaign: Campaign, tries: int) -> Fact:
    """So: "Practice and test: 2 practice tasks, 1 test task", or of one of them alone."""
    practice, test = campaign.training_size, campaign.exam_size
    share = gettext("80%").replace("80", str(round(100 * campaign.pass_score)))
    needed = gettext("Answer at least {share} of the tasks correctly to start.").format(share=share)
    if practice and test:
        needed = gettext("Answer at least {share} of the test correctly to start.").format(
            share=share
        )
        name, value = gettext("Practice and test"), f"{_practice(practice)}, {_exam(test)}"
    elif practice:
        name, value = gettext("Practice"), _practice(practice)
    else:
        name, value = gettext("Test"), _exam(test)
    told = ngettext("You have {number} try.", "You have {number} tries.", tries)
    if tries > 1 and test and campaign.exam_is_hidden:  # how much gold there is stays untold
        told = ngettext("You have at most {number} try.", "You have at most {number} tries.", tries)
    return Fact("test", name, value, f"{needed} {told.format(number=tries)}")


def _practice(number: int) -> str:
    told = ngettext("{number} practice task", "{number} practice tasks", number)
    return told.format(number=number)


def _exam(number: int) -> str:
    return ngettext("{number} test task", "{number} test tasks", number).format(number=number)


def _checks(campaign: Campaign) -> Fact:
    others = gettext("Each task is done by several people.")
    rights = gettext("A rejection has a reason, and you can ask for a review.")
    value = gettext("Hidden questions") if campaign.gold_every else gettext("Others’ answers")
    return Fact(
        "flag",
        gettext("Checked by"),
        value,
        f"{others if campaign.redundancy > 1 else ''} {rights}".strip(),
    )


def _money(campaign: Campaign, mills: float, exact: bool = False) -> str:
    """As the browser writes the page's other figures (Intl.NumberFormat)."""
    amount = mills / 1000
    places = 3 if exact and round(mills) % 10 else 2
    language = get_language() or "en"
    figure = number_format(amount, places, use_l10n=True, force_grouping=True)
    sign = (SIGNS | SIGNS_OF.get(language, {})).get(campaign.currency, campaign.currency)
    if language == "en":
        return f"{sign}{figure}" if sign in SIGNS.values() else f"{sign}{NO_BREAK}{figure}"
    if language == "ar":  # with Latin figures, and read from the left
        return f"\u2066{amount:,.{places}f}{NO_BREAK}{sign}\u2069"
    return f"{figure}{NO_BREAK}{sign}"
