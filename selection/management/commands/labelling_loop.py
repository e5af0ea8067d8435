"""Labelling loops as people command them."""

from __future__ import annotations

import uuid
from argparse import BooleanOptionalAction
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import is_aware, make_aware

from annotation.actions.campaigns import spent_together
from annotation.management.amounts import mills
from annotation.management.people import add_by, user_of
from annotation.models import Campaign
from selection.actions.loops.life import (
    EVALUATIONS,
    CannotLoop,
    change_loop,
    create_loop,
    pause_loop,
    resume_loop,
    stop_loop,
)
from selection.management.loops import loop_of
from selection.methods.words import DEFAULT, LEARNER_WORDS, NONE, PICKER_WORDS, STARTS
from selection.models import LabellingLoop, LoopRound

MOVES = {"pause": pause_loop, "resume": resume_loop, "stop": stop_loop}
DONE = {"pause": "is paused", "resume": "runs", "stop": "is stopped; all labels stay"}
SETTINGS = (
    "name", "start", "start_size", "picker", "batch_size", "learner", "evaluation", "metric",
    "deadline", "goal", "least_gain", "most_changed", "suggests", "seed",
)  # fmt: skip


class Command(BaseCommand):
    help = (
        "Set up a labelling loop (create, with --campaign and --budget), list them, show one, "
        "change it, pause, resume or stop it (with its KEY). advance_loops moves it on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=["create", "list", "show", "change", *MOVES])
        parser.add_argument("key", nargs="?", metavar="KEY", help="of the loop")
        parser.add_argument("--campaign", metavar="SLUG", help="a draft without tasks")
        parser.add_argument("--budget", type=float, help="in units of the campaign's currency")
        parser.add_argument("--name")
        parser.add_argument("--start", help=f"{', '.join((*STARTS, NONE))} ({STARTS[0]})")
        parser.add_argument("--start-size", type=int, help="documents of the first round (100)")
        parser.add_argument("--picker", help=f"{', '.join(PICKER_WORDS)} ({DEFAULT})")
        parser.add_argument("--batch-size", type=int, help="documents of each further round (50)")
        parser.add_argument("--learner", help=", ".join(LEARNER_WORDS))
        parser.add_argument("--evaluation", help=f"{' or '.join(EVALUATIONS)} (sample)")
        parser.add_argument("--metric", help="macro F1, accuracy; entities: F1")
        parser.add_argument("--deadline", metavar="TIME", help="such as 2026-12-05T18:00")
        parser.add_argument("--goal", type=float, help="of the metric")
        parser.add_argument("--least-gain", type=float, help="of the metric, that a round brings")
        parser.add_argument("--most-changed", type=float, help="share of decisions of the model")
        parser.add_argument(
            "--suggests", action=BooleanOptionalAction,
            help="whether its model suggests to the workers what it finds in a text (it does not)",
        )  # fmt: skip
        parser.add_argument("--seed", type=int)
        add_by(parser)

    def handle(self, *, verb: str, key: str | None, **options: Any) -> None:
        user = user_of(options["by"])
        try:
            if verb == "list":
                self._list()
            elif verb == "create":
                self._create(options, user)
            else:
                self._do(verb, _loop(key), options, user)
        except CannotLoop as error:
            raise CommandError(str(error)) from error

    def _create(self, options: dict[str, Any], user: Any) -> None:
        if options["campaign"] is None or options["budget"] is None:
            raise CommandError("create needs --campaign and --budget.")
        campaign = _campaign(options["campaign"])
        settings = {"name": campaign.name} | _settings(options)
        budget = mills(options["budget"], "--budget") or 0
        loop = create_loop(
            campaign.project, campaign=campaign, budget_mills=budget, user=user, **settings
        )
        sample = f" {loop.sample_size:,} documents are drawn at random to measure the model by."
        self.stdout.write(
            f"Loop {loop.key} runs.{sample if loop.sample_size else ''} Open it with: "
            f"advance_loops --loop {loop.key}"
        )

    def _list(self) -> None:
        for loop in LabellingLoop.objects.select_related("project").order_by("pk"):
            state = loop.get_state_display()
            self.stdout.write(f"{loop.key}  {loop.project.slug}  {loop.name}: {state}")

    def _do(self, verb: str, loop: LabellingLoop, options: dict[str, Any], user: Any) -> None:
        if verb in MOVES:
            MOVES[verb](loop, user=user)
            self.stdout.write(f"{loop.name} {DONE[verb]}.")
        elif verb == "change":
            changes = _settings(options)
            if options["budget"] is not None:
                changes["budget_mills"] = mills(options["budget"], "--budget")
            if options["campaign"] is not None:
                changes["campaign"] = _campaign(options["campaign"])
            changed = change_loop(loop, user=user, **changes)
            self.stdout.write(f"Changed: {', '.join(changed) or 'nothing'}.")
        else:
            self._show(loop)

    def _show(self, loop: LabellingLoop) -> None:
        ended = f", ended by: {loop.ended_by}" if loop.ended_by else ""
        currency = loop.budget.currency
        self.stdout.write(f"{loop.name}: {loop.get_state_display()}{ended}")
        self.stdout.write(
            f"Spent or promised: {spent_together(loop.budget) / 1000:.2f} of "
            f"{loop.budget.mills / 1000:.2f} {currency}"
        )
        if loop.problem:
            self.stdout.write(f"It can't go on: {loop.problem}")
        for row in loop.rounds.defer("decisions").order_by("number"):
            self.stdout.write(_line(loop, row))


def _line(loop: LabellingLoop, row: LoopRound) -> str:
    head = f"{row.number}. {row.picked:,} documents by {row.picker}"
    if row.metric is None or row.low is None or row.high is None:
        return f"{head}: {row.get_step_display()}"
    line = (
        f"{head}: {loop.metric} {row.metric:.3f} (95 % {row.low:.3f}–{row.high:.3f}), "
        f"{(row.spent_mills or 0) / 1000:.2f} {loop.budget.currency} spent"
    )
    if row.next_metric is None or row.next_low is None or row.next_high is None:
        return line
    return f"{line}; next {row.next_metric:.3f} (90 % {row.next_low:.3f}–{row.next_high:.3f})"


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    found = {name: options[name] for name in SETTINGS if options[name] is not None}
    if "deadline" in found:
        found["deadline"] = _time(found["deadline"])
    return found


def _time(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"--deadline is '{text}'. Write it as 2026-12-05T18:00.") from error
    return found if is_aware(found) else make_aware(found)


def _campaign(slug: str) -> Campaign:
    found = Campaign.objects.select_related("project").filter(slug=slug).first()
    if found is None:
        raise CommandError(f"There is no campaign '{slug}'.")
    return found


def _loop(key: str | None) -> LabellingLoop:
    if key is None:
        raise CommandError("Name the loop by its KEY. labelling_loop list names them.")
    try:
        return loop_of(uuid.UUID(key))
    except ValueError as error:
        raise CommandError(f"'{key}' is no KEY. labelling_loop list names them.") from error
