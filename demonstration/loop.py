"""A labelling loop over the sentences of the demonstration's papers: its crowd says whether they
are about people, and three rounds are over. What people do is done by the actions that serve the
pages.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from textwrap import shorten
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.actions import workers
from annotation.actions.campaigns import create_campaign
from annotation.actions.documents import import_documents
from annotation.actions.projects import create_project
from annotation.actions.rollups import tally, update_rollups
from annotation.actions.tokens import Link
from annotation.interfaces.answers import ChoiceAnswer
from annotation.models import Campaign
from demonstration import shift
from demonstration.sentences import Sentence, sentences
from selection.actions.loops.life import create_loop
from selection.models import LabellingLoop, LoopRound

PROJECT, CAMPAIGN = "demonstration-loop", "demonstration-people"
SEED = 1
CHOICES = ["About people", "About things"]
CROWD = {"careful-1": 0.98, "careful-2": 0.96, "sloppy-1": 0.9}  # how often each is right
ROUNDS = 3
START, BATCH = 40, 40
BUDGET_MILLS = 8_000  # the sample and seven rounds
PAY_MILLS = 20
APART = timedelta(days=1)  # from one round to the next
PAUSE_SECONDS = 1.0
TITLE = 60  # characters of a sentence

INSTRUCTIONS = """\
Say whether the sentence is about people, by its words alone.

1. Choose **About people** where it says *I*, *we*, *you*, *he*, *she*, *they* or *who*, or whose
   something is.
2. Choose **About things** where it says none of these, even where somebody has a name.

**Right:** "We would rather be slow than sorry" is *About people*.

**Wrong:** "The mayor thanked the crew" is not: none of the words stands there.
"""


def run_loop(manager: Any, report: Callable[[str], Any], now: datetime | None = None) -> None:
    """What is still lacking of the three rounds; a start that was broken off is made up for, and
    what a manager has changed since stays. The crowd's work lies in the days before `now`."""
    now = now or timezone.now()
    if not LabellingLoop.objects.filter(project__slug=PROJECT).exists():
        if Campaign.objects.filter(slug=CAMPAIGN).exists():  # somebody has taken the loop away
            return
        with transaction.atomic():
            _set_up(manager, now - (ROUNDS + 1) * APART)
    loop = LabellingLoop.objects.filter(project__slug=PROJECT).latest("pk")
    done = _rounds_done(loop)
    while done < ROUNDS and loop.state == LabellingLoop.State.RUNNING:
        from selection.actions.loops.advance import advance  # numerics: at the first start only

        advance(loop)
        row = loop.rounds.latest("number")
        begun = now - (ROUNDS + 1 - row.number) * APART
        LoopRound.objects.filter(pk=row.pk).update(picked_at=begun, published_at=begun)
        Campaign.objects.filter(slug=CAMPAIGN, opened_at__gt=begun).update(opened_at=begun)
        _work(begun)
        found = advance(loop)
        rows = LoopRound.objects.filter(pk=row.pk, step=LoopRound.Step.DONE)
        rows.update(done_at=begun + APART / 2)
        report(f"\n{loop.name}: {', '.join(found.steps)}")
        if _rounds_done(loop) == done:  # it can't go on, and says why on its page
            return
        done = _rounds_done(loop)


def _rounds_done(loop: LabellingLoop) -> int:
    return loop.rounds.filter(step=LoopRound.Step.DONE).count()


def _set_up(manager: Any, begun: datetime) -> None:
    project = create_project(
        slug=PROJECT,
        name="What the papers are about",
        schema={"entity_types": [], "relation_types": [], "nested": False},
        owner=manager,
        listed=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.jsonl"
        lines = (
            {
                "id": one.name,
                "title": shorten(one.text, TITLE, placeholder=" …"),
                "text": one.text,
                "attributes": {"kind": one.kind},
            }
            for one in sentences()
        )
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        import_documents(project, path, format="jsonl")
    campaign = create_campaign(
        project,
        slug=CAMPAIGN,
        name="People or things?",
        interface="choice",
        instructions=INSTRUCTIONS,
        redundancy=1,
        pay_mills=PAY_MILLS,
        options={"choices": CHOICES, "question": "Is this sentence about people?"},
        created_at=begun,
        user=manager,
    )
    create_loop(
        project,
        name="People or things",
        campaign=campaign,
        budget_mills=BUDGET_MILLS,
        start_size=START,
        batch_size=BATCH,
        learner="multinomial",
        picker="uncertainty",
        goal=0.85,
        seed=SEED,
        user=manager,
    )


def _work(begun: datetime) -> None:
    """All that is given out, by one worker after the other, each in a transaction; the last one
    does what is left."""
    campaign = Campaign.objects.get(slug=CAMPAIGN)
    names = dict(campaign.tasks.values_list("pk", "external_id"))
    known = {one.name: one for one in sentences()}
    each = campaign.demands.ready().count() // len(CROWD)
    for number, (name, right) in enumerate(CROWD.items(), start=1):
        draw = random.Random(f"{SEED} {name} {begun:%j}")

        def answer(task: int, draw: random.Random = draw, right: float = right) -> Any:
            return _answer(known[names[task]], draw, right)

        with transaction.atomic():
            start = begun + timedelta(hours=number)
            key = workers.join(Link(campaign=CAMPAIGN, worker=name), now=start).key
            most = each if number < len(CROWD) else None
            shift.work(key, start, most, answer, pause=PAUSE_SECONDS)
    update_rollups(since=begun)
    tally([campaign])


def _answer(sentence: Sentence, draw: random.Random, right: float) -> tuple[ChoiceAnswer, float]:
    choice = CHOICES[not sentence.people]
    if draw.random() > right:
        choice = next(other for other in CHOICES if other != choice)
    given: ChoiceAnswer = {"choice": choice, "unsure": False, "value": None, "note": ""}
    return given, draw.uniform(2, 5)
