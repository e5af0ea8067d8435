"""The scripts of a worker's page beside the first, each loaded when it is first needed."""

from __future__ import annotations

from django.conf import settings
from django.templatetags.static import static
from django.utils import translation

from annotation.interfaces import REGISTRY

# Name → its file, and what the page takes from it. A name that begins with an interface's is its
# own; the others are of all.
PARTS = {
    "later": (
        "worker/later/later.js",
        "KeySettings, draftElsewhere, lastRefused, layNewTerms, milestoneNotice, "
        "noticeOf, nothingKept, outcomeNote, readNew, refusedNotice, rejectionNote, showDoubt, "
        "showFeedbackPanel, SideActions, tellBeside, timeIsOver",
    ),
    "keys": ("worker/played-keys.js", "playKeys, tabOn"),
    "search": ("entity/entry-search.js", "EntrySearch"),
    "rights": ("worker/rights/rights.js", "Rights"),
    "moments": ("worker/moments/moments.js", "drawMoment"),
    "asides": ("worker/asides/asides.js", "Asides"),
    "tryout": ("worker/tryout/tryout.js", "loadTryout"),
    "choice-keys": ("choice/key-words.js", "keyWords"),
    "entity-keys": ("entity/key-words.js", "keyWords"),
    "linking-keys": (
        "linking/late-words.js",
        "EarlySubmit, PileComparison, askOfEntry, askOfNamesakes, compareNamesakes, entriesFor, "
        "keyWords, openSearch, sayNoPile, tellOutcomes",
    ),
    "relation-keys": ("relation/key-words.js", "keyWords"),
    "choice-steps": ("choice/tryout-steps.js", "tryoutSteps"),
    "entity-steps": ("entity/tryout-steps.js", "tryoutSteps"),
    "linking-steps": ("linking/tryout-steps.js", "tryoutSteps"),
    "relation-steps": ("relation/tryout-steps.js", "tryoutSteps"),
    "entity-dates": ("entity/date-form.js", "dateOf, dateWords"),
    "entity-aids": (
        "entity/aids.js",
        "Jumps, OccurrenceOffer, Pen, ReadingActions, "
        "clashWords, lately, likeliest, likely, linkGone, sameName",
    ),
    "entity-card": ("entity/type-card.js", "TypeCard"),
    "entity-ghosts": ("entity/ghost-part.js", "GhostNote, Ghosts, ghostMenu, ghostSaid"),
    "entity-feedback": ("entity/feedback.js", "layFeedback"),
}


def part_addresses(interface: str) -> dict[str, str]:
    """Part → where the page finds it, in the language that is active."""
    others = tuple(f"{kind}-" for kind in REGISTRY if kind != interface)
    suffix = language_suffix()
    styles = {name: static(f"bundles/{name}.css") for name in ("beside", "past")}
    return styles | {
        name: static(f"bundles/{name}{suffix}.js") for name in PARTS if not name.startswith(others)
    }


def language_suffix() -> str:
    """Of the bundles that are written in the language that is active."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return "" if language == settings.LANGUAGE_CODE else f"-{language}"
