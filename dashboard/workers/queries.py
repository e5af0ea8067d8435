"""All workers of a campaign as a table: sorted, filtered, by the page."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, Exists, F, FloatField, OuterRef, Q, When
from django.db.models.functions import Cast
from django.utils import timezone

from annotation.models import ANONYMOUS, Appeal, Campaign, Enrollment
from annotation.models.pseudonyms import pseudonym
from annotation.querysets.workers import EnrollmentQuerySet
from dashboard.campaigns.queries import BY_GOLD, WorkerRow, score_of, worker_row
from dashboard.charts import Chart
from dashboard.workers.history import Days, answers_by_day, day_words
from dashboard.workers.plot import plot
from dashboard.workers.tones import tone_of
from selection.models import SelectedWorker, WorkerFlag, WorkerSelection
from selection.queries.rules import kept_each_night
from selection.queries.words import flag_in_words, reason_in_words

ROWS = 50
ANY = "any"
SHORT_FLAGS = {"fast": "far too fast", "same": "always the same", "chance": "as if by chance"}
OF_GOLD = frozenset({"gold"})  # orders that tell how workers did on gold
OF_MONEY = frozenset({"pay", "earned"})  # and what they earned
# What each order sorts by, and whether the largest comes first.
ORDERS: dict[str, tuple[str, bool]] = {
    "gold": ("gold_mean", False),  # whom one looks for first
    "answers": ("submitted", True),
    "pace": ("seconds_each", False),
    "pay": ("mills_a_second", True),
    "earned": ("earned_mills", True),
    "seen": ("seen_at", True),
    "state": ("state", False),
}
BY_RULES = {
    "selection": "the selection",
    "qualification": "the practice and exam",
    "command": "a command",
}
State = Enrollment.State
PRACTISING = "practising"
# What the buttons above the table show after those who get tasks: address, words, states.
GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("selected", "Selected", (State.SELECTED,)),
    ("qualified", "Qualified", (State.QUALIFIED,)),
    ("paused", "Paused", (State.PAUSED,)),
    ("blocked", "Blocked", (State.BLOCKED,)),
    (PRACTISING, "Practising", (State.INVITED, State.TRAINING, State.EXAM)),
    ("done", "Done", (State.DONE,)),
)
SEARCHED = 10_000  # workers among whom a pseudonym is looked for


@dataclass(frozen=True, slots=True)
class Flag:
    kind: str
    label: str
    evidence: str

    @property
    def short(self) -> str:
        """For a cell of the table; its link leads to the whole."""
        return SHORT_FLAGS.get(self.kind, self.label)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the last selection said of a worker."""

    is_kept: bool
    reason: str
    score: float | None  # q
    number: int  # of gold scores behind it


@dataclass(frozen=True, slots=True)
class TableRow:
    row: WorkerRow
    by: str  # who decided the state
    reason: str  # "" as well where it tells of gold to who may not see any
    overruled: bool
    flags: list[Flag]
    appeals: int  # that wait for an answer
    tone: str  # of the gold score
    days: Days  # answers on each of the last; () without any
    days_words: str


@dataclass(frozen=True, slots=True)
class Group:
    """A button above the table: which workers it shows, and how many they are."""

    words: str
    number: int
    parameters: dict[str, str | None]  # of its address
    is_here: bool


@dataclass(frozen=True, slots=True)
class WorkerTable:
    rows: list[TableRow]
    groups: list[Group]
    number: int  # of workers that were asked for
    order: str  # of ORDERS, with - before it where it is turned round
    page: int
    pages: int
    selection: WorkerSelection | None  # the last
    each_night: int | None  # so many are kept at most; None: nobody is selected by night
    plot: Chart | None

    @property
    def first(self) -> int:
        return (self.page - 1) * ROWS + 1

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1

    @property
    def earlier(self) -> int:
        return self.page - 1

    @property
    def later(self) -> int:
        return self.page + 1


def worker_table(
    campaign: Campaign, *, order: str = "", state: str = "", flag: str = "", appeals: str = "",
    search: str = "", page: int = 1, with_gold: bool, with_ids: bool,
) -> WorkerTable:  # fmt: skip
    """Eleven queries at most, whatever the number of workers. What is not known of `order`,
    `state`, `flag` and `appeals` is taken as not given. Without `with_gold` nothing that gold
    tells is in it, without `with_ids` nothing of ids, earnings and appeals."""
    asked = {"state": state, "flag": flag, "appeals": appeals if with_ids else ""}
    chosen = _searched(_chosen(campaign, **asked), search, with_ids)
    order = order if _is_order(order, with_gold, with_ids) else "answers"
    number = chosen.count()
    pages = max(1, -(-number // ROWS))
    page = min(max(page, 1), pages)
    found = list(_ordered(chosen, order)[(page - 1) * ROWS : page * ROWS])
    for row in found:
        row.campaign = campaign  # whose codes a row tells
    keys = [row.pk for row in found]
    now = timezone.now()
    days, today = answers_by_day(keys, now), timezone.localdate(now)
    flags, waiting = _flags(keys), _waiting(keys) if with_ids else {}
    return WorkerTable(
        rows=[
            TableRow(
                row=worker_row(row, with_ids=with_ids),
                reason=str(row.reason or "") if with_gold or row.state_by not in BY_GOLD else "",
                by=BY_RULES.get(row.state_by, row.state_by),
                overruled=row.overruled,
                flags=flags[row.pk],
                appeals=waiting.get(row.pk, 0),
                tone=tone_of(score_of(row.gold_score_sum, row.gold_seen), campaign),
                days=days.get(row.pk, ()),
                days_words=day_words(days.get(row.pk, ()), today),
            )
            for row in found
        ],
        groups=_groups(campaign, asked, with_appeals=with_ids),
        number=number,
        order=order,
        page=page,
        pages=pages,
        selection=WorkerSelection.objects.filter(campaign=campaign).first() if with_gold else None,
        each_night=kept_each_night(campaign) if with_gold else None,
        plot=plot(chosen, campaign, with_ids=with_ids) if with_gold else None,
    )


def _chosen(campaign: Campaign, *, state: str, flag: str, appeals: str) -> EnrollmentQuerySet:
    rows = Enrollment.objects.filter(campaign=campaign)
    states = {name: states for name, _, states in _by_state(campaign)}
    states |= {one: (one,) for one in State.values}
    if state in states:
        rows = rows.filter(state__in=states[state])
    if flag == ANY or flag in WorkerFlag.Kind.values:
        flags = WorkerFlag.objects.standing().filter(enrollment=OuterRef("pk"))
        rows = rows.filter(Exists(flags if flag == ANY else flags.filter(kind=flag)))
    if appeals == "open":
        rows = rows.filter(
            Exists(Appeal.objects.filter(enrollment=OuterRef("pk"), answered_at=None))
        )
    return rows


def states_with_tasks(campaign: Campaign) -> tuple[str, ...]:
    """In which a worker who is through with practice is given tasks."""
    if campaign.open_to == Campaign.OpenTo.SELECTED:
        return (State.SELECTED,)
    return (State.SELECTED, State.QUALIFIED)


def _by_state(campaign: Campaign) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    if campaign.state == Campaign.State.CLOSED:
        return GROUPS
    return (("with-tasks", "Getting tasks", states_with_tasks(campaign)), *GROUPS)


def _searched(rows: EnrollmentQuerySet, search: str, with_ids: bool) -> EnrollmentQuerySet:
    """By the name that they gave, by what the pages call them, and `with_ids` by the id of their
    platform. A pseudonym is no column: one more query reads the keys of the campaign."""
    if not search:
        return rows
    wanted = search.removeprefix("#").removeprefix("anonymous-").lower()
    keys = rows.order_by("-submitted", "-pk").only("key", "pk")[:SEARCHED]
    named = [row.pk for row in keys if pseudonym(row).removeprefix("anonymous-").startswith(wanted)]
    found = Q(worker__display_name__icontains=search) | Q(pk__in=named)
    if with_ids:
        found |= Q(worker__external_id__icontains=search) & ~Q(
            worker__external_id__startswith=ANONYMOUS
        )
    return rows.filter(found)


def _groups(campaign: Campaign, asked: dict[str, str], *, with_appeals: bool) -> list[Group]:
    """Three queries. Groups of nobody are left out unless somebody is looking at them."""
    rows = Enrollment.objects.filter(campaign=campaign)
    counts = dict(rows.order_by().values_list("state").annotate(Count("pk")))
    flagged = WorkerFlag.objects.standing().filter(enrollment__campaign=campaign)
    numbers = flagged.aggregate(flagged=Count("enrollment", distinct=True))
    if with_appeals:
        open_ones = Appeal.objects.filter(enrollment__campaign=campaign, answered_at=None)
        numbers |= open_ones.aggregate(appeals=Count("enrollment", distinct=True))
    groups: list[tuple[str, int, dict[str, str]]] = [
        ("All", sum(counts.values()), {}),
        ("Flagged", numbers["flagged"], {"flag": ANY}),
        ("Appeals", numbers.get("appeals", 0), {"appeals": "open"}),
        *(
            (words, sum(counts.get(state, 0) for state in states), {"state": name})
            for name, words, states in _by_state(campaign)
        ),
    ]
    given = {name: value for name, value in asked.items() if value}
    return [
        Group(words, number, dict.fromkeys(asked) | parameters, given == parameters)
        for words, number, parameters in groups
        if number or not parameters or given == parameters
    ]


def _is_order(order: str, with_gold: bool, with_money: bool) -> bool:
    name = order.removeprefix("-")
    closed = (OF_GOLD if not with_gold else frozenset()) | (
        OF_MONEY if not with_money else frozenset()
    )
    return name in ORDERS and name not in closed


def _ordered(rows: EnrollmentQuerySet, order: str) -> EnrollmentQuerySet:
    """Those of whom nothing is known come last, either way round."""
    column, largest_first = ORDERS[order.removeprefix("-")]
    if order.startswith("-"):
        largest_first = not largest_first
    by = F(column)
    return (
        rows.select_related("worker")
        .annotate(
            gold_mean=_ratio("gold_score_sum", "gold_seen"),
            seconds_each=_ratio("seconds", "submitted"),
            mills_a_second=_ratio("earned_mills", "seconds"),
        )
        .order_by(
            by.desc(nulls_last=True) if largest_first else by.asc(nulls_last=True),
            "-submitted", "pk",
        )
    )  # fmt: skip


def _ratio(total: str, number: str) -> Case:
    share: Any = F(total) / Cast(number, FloatField())
    return Case(When(Q(**{f"{number}__gt": 0}), then=share), output_field=FloatField())


def _flags(enrollments: list[int]) -> dict[int, list[Flag]]:
    found: dict[int, list[Flag]] = defaultdict(list)
    rows = WorkerFlag.objects.standing().filter(enrollment__in=enrollments)
    for row in rows.order_by("enrollment", "kind"):
        evidence = flag_in_words(row.kind, row.evidence)
        found[row.enrollment_id].append(Flag(row.kind, row.get_kind_display(), evidence))
    return found


def _waiting(enrollments: list[int]) -> dict[int, int]:
    """Appeals without an answer, by worker."""
    rows = Appeal.objects.filter(enrollment__in=enrollments, answered_at=None)
    return dict(rows.order_by().values_list("enrollment").annotate(Count("pk")))


def verdict_of(row: SelectedWorker) -> Verdict:
    return Verdict(row.chosen, reason_in_words(row.reason), row.score, row.number)
