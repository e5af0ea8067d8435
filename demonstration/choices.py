"""Two small campaigns of choices, of what visitors of the demonstration's island say of its ferry:
how they judge it, and whether they want an answer. A manager has paused the second."""

from __future__ import annotations

import json
import random
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.actions import workers
from annotation.actions.campaigns import (
    create_campaign,
    import_choices,
    open_campaign,
    pause_campaign,
)
from annotation.actions.tokens import Link
from annotation.interfaces.answers import ChoiceAnswer
from annotation.models import Campaign, Project
from demonstration import shift

CAMPAIGN, PAUSED = "demonstration-ferry", "demonstration-replies"
SEED = 1903
ANSWERS = 30  # of the crowd; the rest is for whoever tries the link
CHOICES = ["Content", "Not content", "Both"]
REPLIES = ["Answer", "No answer"]
# How often each worker is right.
RIGHT = {
    CAMPAIGN: {"careful-1": 0.97, "careful-2": 0.94, "hasty-1": 0.8, "confused-1": 0.55},
    PAUSED: {"careful-3": 0.9, "sloppy-1": 0.7},
}
EACH = {CAMPAIGN: ANSWERS // len(RIGHT[CAMPAIGN]), PAUSED: 5}  # answers of a worker

INSTRUCTIONS = """\
Say how the writer judges the ferry, and nothing else.

1. Read the note to its end.
2. Choose **Both** where praise and blame stand side by side.
3. Choose **Can’t tell** where the note says nothing of the ferry.

**Right:** "Late again, but what a view" is *Both*.

**Wrong:** "The inn was dear" is not *Not content*: the ferry is not meant.
"""

# Written for this demonstration.
NOTES = [
    ("The crossing was smooth and the tea was hot. I could have gone on for hours.", 0),
    ("Two hours in the rain before anybody told us that there would be no boat.", 1),
    ("Late by half an hour, but the mate carried my mother's trunk up all the steps.", 2),
    ("I have taken this boat for thirty years and never once regretted it.", 0),
    ("The benches are broken, the windows are painted shut, and it smells of herring.", 1),
    ("A fine new engine. A pity that they sold the old saloon for it.", 2),
    ("They waited for us although we came running at the very last bell.", 0),
    ("Nobody on board could say where we would land, or when.", 1),
    ("Dear, to be sure, and worth every penny of it.", 2),
    ("My hat went overboard and a boy rowed out for it, laughing.", 0),
    ("The timetable on the pier is the one of the year before last.", 1),
    ("Clean decks and civil people. The fare has gone up again, which I resent.", 2),
    ("Such a quiet morning on the water; the children slept all the way.", 0),
    ("I asked for a receipt and was told that I might swim.", 1),
    ("The soup was cold, but the lights of the harbour made up for it.", 2),
    ("Booked, paid, and left standing on the quay with eleven others.", 1),
]


REPLY_INSTRUCTIONS = """\
Say whether the office of the ferry has to answer the note.

1. Choose **Answer** where something went wrong that the office can explain or mend.
2. Choose **No answer** where somebody only tells what the crossing was like.

**Right:** "I asked for a receipt and was told that I might swim" wants an *answer*.

**Wrong:** "The benches are broken" wants none: nobody asks for anything.
"""


def set_up(project: Project, manager: Any, opened: datetime) -> None:
    """Both are open; the second is paused when its crowd has been there."""
    for slug, name, instructions, options in (
        (
            CAMPAIGN, "What they say of the ferry", INSTRUCTIONS,
            {"choices": CHOICES, "question": "How does the writer judge the ferry?"},
        ),
        (
            PAUSED, "Which notes want an answer", REPLY_INSTRUCTIONS,
            {"choices": REPLIES, "question": "Does the office have to answer this note?"},
        ),
    ):  # fmt: skip
        campaign = create_campaign(
            project,
            slug=slug,
            name=name,
            interface="choice",
            instructions=instructions,
            redundancy=3,
            pay_mills=20,
            budget_mills=5_000,
            options=options,
            created_at=opened,
            user=manager,
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "notes.jsonl"
            notes = enumerate((text for text, _ in NOTES), start=1)
            lines = [{"id": f"note-{i}", "text": text} for i, text in notes]
            path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
            import_choices(campaign, path, user=manager)
        open_campaign(campaign, user=manager, now=opened)


def work(campaign: Campaign) -> None:
    """Each worker once, in a transaction; who was there before a start was broken off is not asked
    again."""
    opened = campaign.opened_at
    assert opened is not None
    there = campaign.enrollments.with_answers()
    done = set(there.values_list("worker__external_id", flat=True))
    for number, (name, right) in enumerate(RIGHT[campaign.slug].items()):
        if name not in done:
            with transaction.atomic():
                _work(campaign, name, right, opened + timedelta(hours=3 + 20 * number))


def pause(campaign: Campaign, manager: Any) -> None:
    if campaign.state == Campaign.State.OPEN:
        pause_campaign(campaign, user=manager)


def _work(campaign: Campaign, name: str, right: float, start: datetime) -> None:
    """One worker, an hour or less: some of the notes, then they give the next one back."""
    known = dict(NOTES)
    draw = random.Random(f"{SEED} {name}")
    text = dict(campaign.tasks.values_list("pk", "payload__text"))
    offered: list[str] = campaign.options["choices"]

    def answer_of(task: int) -> tuple[ChoiceAnswer, float]:
        judgment = known[text[task]]  # whoever is not content at all wants an answer
        choice = offered[judgment if len(offered) > 2 else judgment != 1]
        if draw.random() > right:
            choice = draw.choice([other for other in offered if other != choice])
        given: ChoiceAnswer = {"choice": choice, "unsure": False, "value": None, "note": ""}
        return given, draw.uniform(2, 6)

    key = workers.join(Link(campaign=campaign.slug, worker=name), now=start).key
    shift.work(key, start, EACH[campaign.slug], answer_of, pause=1)
