"""Labelling loops go on until they wait for people."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from selection.management.loops import add_loop, loop_of
from selection.models import LabellingLoop


class Command(BaseCommand):
    help = (
        "Move labelling loops on, each until it waits for people: publish what was picked; where "
        "all of it is labelled, train, measure and forecast; stop, or pick the next documents. Run "
        "it as often as you like, at once or after a crash. Without --loop: every one that runs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_loop(parser, required=False)

    def handle(self, *, loop: Any, verbosity: int, **options: Any) -> None:
        running = LabellingLoop.objects.filter(state=LabellingLoop.State.RUNNING)
        chosen = [loop_of(loop)] if loop else list(running.order_by("pk"))
        if not chosen:
            if verbosity:
                self.stdout.write("No labelling loop runs.")
            return
        from selection.actions.loops.advance import advance  # with numerics: only where one runs

        failed: list[Exception | str] = []
        for row in chosen:
            try:
                found = advance(row)
            except locks.Held as error:
                failed.append(error)
                continue
            if found.problem:
                failed.append(f"{row.name}: {found.problem}")
            if verbosity or found.steps:
                steps = ", ".join(found.steps) or "nothing to do"
                ended = f" Ended by: {row.ended_by}." if row.ended_by else ""
                self.stdout.write(f"{row.name}: {steps}.{ended}")
        if failed:
            held = next((one for one in failed if isinstance(one, locks.Held)), None)
            only_held = held if all(isinstance(one, locks.Held) for one in failed) else None
            raise CommandError(" ".join(map(str, failed))) from only_held
