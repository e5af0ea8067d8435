"""What lies ahead of a worker: a window on the order of the tasks, and the hidden gold in it.

Two devices can compare what they were given. If plain tasks came to all workers in one order, what
stands elsewhere on the two would be gold. So each claim draws one of the next WINDOW plain tasks,
and gold moves as they do:

- It travels with plain tasks. Of `gold_every - 1` tasks one, by a keyed digest of its rank, brings
  a question along, which the digest names too: whoever meets the task meets the question, and who
  does not, does not.
- The question comes into the window with its task, and in each round (that is, with each plain
  task) it leaves with the chance that a task has. So it is displaced as tasks are.
- What others have filled leaves the window unseen; a question whose task is gone leaves with it.
  Where the worker had the task before, the question goes by the share of the window that was lost.

The draws are fresh each time and kept nowhere, so that nobody can work them out. What is kept, in
`Enrollment.ahead`, is what the last claim saw.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from annotation.models import PRIORITIES, SHUFFLE_BITS, Campaign, Enrollment

WINDOW = 8  # tasks, of which a claim draws one
TOGETHER_BITS = 20  # ranks that differ in these alone are tasks that stay together: of one document
GOLD_BASE = (PRIORITIES - 1) << SHUFFLE_BITS  # where the ranks of gold begin
draw: random.Random = random.SystemRandom()


@dataclass(slots=True)
class Ahead:
    """Ranks of plain tasks. `rows`: those that the last claim saw in the window and left there,
    with the one that comes in next. `gold`: those whose question is still to come; of a task that
    this worker has had, as -1 - rank. `front`: the highest that was ever in the window. `last`: of
    the task that was given last. `now`: a question comes next, whatever the window says. `no_gold`:
    this worker has had all that there is."""

    rows: list[int] = field(default_factory=list)
    gold: list[int] = field(default_factory=list)
    front: int = -1
    last: int = -1
    now: bool = False
    no_gold: bool = False

    @classmethod
    def of(cls, enrollment: Enrollment) -> Ahead:
        return cls(**enrollment.ahead)

    def keep(self, enrollment: Enrollment) -> None:
        """Without what says nothing, on the instance alone: the caller saves it."""
        enrollment.ahead = {
            name: value for name, value in asdict(self).items() if value != NEW[name]
        }

    def gold_place(self, campaign: Campaign) -> int | None:
        """From where on in the order of gold a question is to be given now; None: none is. The
        caller tells by `note_gold` whether one was there."""
        if self.no_gold or not campaign.gold_every:
            return None
        if self.now or campaign.gold_every == 1:
            return anywhere()
        # In a round one of `tasks` is drawn, each with one chance in so many. Gold that is asked
        # before the task, one against `tasks - 1`, comes with the same chance.
        tasks = min(len(self.rows), WINDOW)
        if not tasks or not self.gold or self._amid_document():
            return None
        drawn = draw.randrange(len(self.gold) + tasks - 1)
        if drawn >= len(self.gold):
            return None
        task = self.gold.pop(drawn)
        return _digest(campaign, task if task >= 0 else -1 - task)[1]

    def note_gold(self, has_gold: bool) -> None:
        self.no_gold, self.now = not has_gold, self.now and not has_gold

    def _amid_document(self) -> bool:
        """Where tasks stay together, gold waits until those of the document are done."""
        document = self.last >> TOGETHER_BITS
        return any(row >> TOGETHER_BITS == document for row in self.rows)

    def moved(self, campaign: Campaign, taken: int, window: Sequence[int]) -> None:
        """The plain task of the rank `taken` was given, out of the `window` of ranks."""
        priority = window[0] >> SHUFFLE_BITS
        rows = [rank for rank in window if rank >> SHUFFLE_BITS == priority]
        there = set(rows)
        lost = sum(rank not in there for rank in self.rows) / max(1, len(self.rows))
        gold = [rank for rank in self.gold if rank < 0 or rank in there]
        if campaign.gold_every > 1 and not self.no_gold:
            gold += [rank for rank in rows if rank > self.front and _digest(campaign, rank)[0]]
        had = [-1 - rank if rank == taken else rank for rank in gold]
        self.gold = [rank for rank in had if rank >= 0 or draw.random() >= lost]
        self.front = max(self.front, rows[-1])
        self.rows = [rank for rank in rows if rank != taken]
        self.last = taken


NEW = asdict(Ahead())


def begin_anew(enrollment: Enrollment) -> None:
    """On the instance alone: the order begins anew, and there may be more gold."""
    enrollment.ahead = {"now": True} if enrollment.ahead.get("now") else {}


def anywhere() -> int:
    """A place in the order of gold."""
    return GOLD_BASE + draw.getrandbits(SHUFFLE_BITS)


def order_of_draw() -> str:
    """A permutation of the window's places, as letters: the first that is there is taken."""
    letters = [chr(ord("a") + place) for place in range(WINDOW)]
    draw.shuffle(letters)
    return "".join(letters)


def _digest(campaign: Campaign, rank: int) -> tuple[bool, int]:
    """Whether gold travels with the plain task of this rank, and which: from where on."""
    key = campaign.secret.encode()
    digest = hashlib.blake2b(rank.to_bytes(8), key=key, digest_size=16, person=b"gold").digest()
    travels = int.from_bytes(digest[:8]) % max(1, campaign.gold_every - 1) == 0
    return travels, GOLD_BASE + (int.from_bytes(digest[8:]) >> (64 - SHUFFLE_BITS))


def offer_gold_first(enrollment: Enrollment) -> None:
    """On the instance alone: the next claim gives hidden gold, where the campaign has some."""
    enrollment.ahead = enrollment.ahead | {"now": True}
