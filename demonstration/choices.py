"""A small campaign of choices: how visitors of the demonstration's island judge its ferry."""

from __future__ import annotations

import json
import random
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.actions import workers
from annotation.actions.campaigns import create_campaign, import_choices, open_campaign
from annotation.actions.tokens import Link
from annotation.models import Campaign, Project
from demonstration import shift

CAMPAIGN = "demonstration-ferry"
SEED = 1903
ANSWERS = 30  # of the crowd; the rest is for whoever tries the link
CHOICES = ["Content", "Not content", "Both"]
# How often a worker of this kind is right.
RIGHT = {"careful-1": 0.97, "careful-2": 0.94, "hasty-1": 0.8, "confused-1": 0.55}

INSTRUCTIONS = """\
Say how the writer judges the ferry, and nothing else.

1. Read the note to its end.
2. Choose **Both** where praise and blame stand side by side.
3. Choose **Can't tell** where the note says nothing of the ferry.

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


def set_up(project: Project, manager: Any, opened: datetime) -> None:
    campaign = create_campaign(
        project,
        slug=CAMPAIGN,
        name="What they say of the ferry",
        interface="choice",
        instructions=INSTRUCTIONS,
        redundancy=3,
        pay_mills=20,
        budget_mills=5_000,
        options={"choices": CHOICES, "question": "How does the writer judge the ferry?"},
        created_at=opened,
        user=manager,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "notes.jsonl"
        lines = [{"id": f"note-{i}", "text": text} for i, (text, _) in enumerate(NOTES, start=1)]
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
    for number, (name, right) in enumerate(RIGHT.items()):
        if name not in done:
            with transaction.atomic():
                _work(campaign, name, right, opened + timedelta(hours=3 + 20 * number))


def _work(campaign: Campaign, name: str, right: float, start: datetime) -> None:
    """One worker, an hour or less: some of the notes, then they give the next one back."""
    known = {text: CHOICES[right] for text, right in NOTES}
    draw = random.Random(f"{SEED} {name}")
    text = dict(campaign.tasks.values_list("pk", "payload__text"))

    def answer_of(task: int) -> tuple[dict[str, Any], float]:
        choice = known[text[task]]
        if draw.random() > right:
            choice = draw.choice([other for other in CHOICES if other != choice])
        return {"choice": choice}, draw.uniform(2, 6)

    key = workers.join(Link(campaign=campaign.slug, worker=name), now=start).key
    shift.work(key, start, ANSWERS // len(RIGHT), answer_of, pause=1)
