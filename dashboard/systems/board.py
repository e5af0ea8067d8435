"""The leaderboard of an evaluation period, and the page of one system on it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.formats.tables import csv_row
from dashboard.systems.access import BoardAccess, visible_board
from dashboard.systems.board_chart import precision_and_recall
from dashboard.systems.metrics import METRICS
from dashboard.systems.queries import relation_words
from evaluation.models import Submission, SystemScore
from evaluation.queries.board import Board, BoardLine, Tie, board_of, pool_number
from evaluation.queries.errors import errors_of

COLUMNS = (
    "place", "system", "team", "version", "metric",
    *(f"{measure}{level}{end}" for measure in ("f1", "precision", "recall")
      for level in ("", "_with_types", "_with_links") for end in ("", "_low", "_high")),
    "not_estimable", "effective_labels", "claims", "judged", "cost", "currency", "chance_of_first",
    "snapshot", "pool",
)  # fmt: skip
NAMED = 3  # systems in a sentence


@require_safe
def leaderboard(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """`?metric=` and `?against=`, the submission that all others are compared with."""
    found = _access(request, slug, key)
    if isinstance(found, HttpResponse):
        return found
    board = _board(request, found)
    context = _frame(found) | {
        "board": board,
        "metrics": [(name, *METRICS[name]) for name in found.period.metrics or ["instance"]],
        "metric_words": METRICS[board.metric][1],
        "chart": precision_and_recall(board) if len(board.lines) > 1 else None,
        "tie": _tie(board),
        "reasons": _reasons(board),
        "pool": pool_number(board.snapshot) if board.snapshot else None,
        "chosen": next((line for line in board.lines if line.key == board.chosen), None),
        "own": found.teams,
    }
    return render(request, "dashboard/systems/leaderboard.html", context)


@require_safe
def leaderboard_file(
    request: HttpRequest, slug: str, key: uuid.UUID
) -> HttpResponse | StreamingHttpResponse:
    """The same as CSV, of all metrics."""
    found = _access(request, slug, key)
    if isinstance(found, HttpResponse):
        return found
    boards = [board_of(found.period, metric) for metric in found.period.metrics or ["instance"]]
    response = StreamingHttpResponse(_rows(boards), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-leaderboard.csv"'
    return response


@require_safe
def system(request: HttpRequest, slug: str, key: uuid.UUID, submission: uuid.UUID) -> HttpResponse:
    """Open to the project's people and to the system's own team."""
    found = _access(request, slug, key)
    if isinstance(found, HttpResponse):
        return found
    rows = Submission.objects.filter(period=found.period).select_related("system__team")
    if found.permissions is None:
        rows = rows.filter(system__team__in=found.teams)
    row = get_object_or_404(rows, key=submission)
    board = _board(request, found)
    may_see = found.permissions is not None or found.period.labels_released_at is not None
    line = next((line for line in board.lines if line.key == str(row.key)), None)
    recalls = line.score.relations if line else []
    errors = errors_of(row, found.period.level, examples=may_see, recalls=recalls)
    words = relation_words(found.period.project)
    errors.relations = [
        replace(one, name=words.get(one.name, one.name)) for one in errors.relations
    ]
    errors.examples = [
        replace(one, relation=words.get(one.relation, one.relation)) for one in errors.examples
    ]
    context = _frame(found) | {
        "board": board,
        "metrics": [(name, *METRICS[name]) for name in found.period.metrics or ["instance"]],
        "metric_words": METRICS[board.metric][0].lower(),
        "submission": row,
        "line": line,
        "errors": errors,
        "may_see": may_see,
    }
    return render(request, "dashboard/systems/system.html", context)


def _access(request: HttpRequest, slug: str, key: uuid.UUID) -> BoardAccess | HttpResponse:
    """A stranger is asked to log in, whether or not there is such a board."""
    try:
        return visible_board(request.user, slug, key)
    except Http404:
        if request.user.is_authenticated:
            raise
        return redirect_to_login(request.get_full_path())


def _frame(found: BoardAccess) -> dict[str, Any]:
    campaign = found.period.campaign
    return {
        "project": found.project,
        "permissions": found.permissions,
        "period": found.period,
        "slug": found.period.project.slug,
        "currency": campaign.currency if campaign else "USD",
    }


def _board(request: HttpRequest, found: BoardAccess) -> Board:
    return board_of(found.period, request.GET.get("metric", ""), request.GET.get("against", ""))


def _tie(board: Board) -> tuple[BoardLine, BoardLine, Tie | None] | None:
    """The first two, where they can't be told apart, and what would do it."""
    if len(board.lines) < 2 or board.lines[0].last in (None, 1):
        return None
    first, second = board.lines[:2]
    names = (first.name, second.name)
    return (
        first,
        second,
        next((one for one in board.ties if (one.first, one.second) == names), None),
    )


def _reasons(board: Board) -> list[tuple[str, str]]:
    """Why recall, or anything, is not estimable, and for whom; "" where it is so for all."""
    told: dict[str, list[str]] = {}
    for line in board.lines:
        one = line.score
        for why in dict.fromkeys((one.precision_why, one.recall_why, one.f1_why)):
            if why:
                told.setdefault(why, []).append(line.name)
    return [
        ("" if len(names) == len(board.lines) else _listed(names), why)
        for why, names in told.items()
    ]


def _listed(names: list[str]) -> str:
    rest = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _rows(boards: list[Board]) -> Iterator[str]:
    yield csv_row(COLUMNS)
    for board in boards:
        campaign = board.period.campaign
        for line in board.lines:
            one, row = line.score, line.score.submission
            why = "; ".join(dict.fromkeys(
                why for why in (one.precision_why, one.recall_why, one.f1_why) if why
            ))  # fmt: skip
            place = "" if line.first is None else _place(line)
            yield csv_row([
                place, row.system.name, row.system.team.name if row.system.team else "",
                row.version, board.metric, one.f1, one.f1_low, one.f1_high, *_stricter(one, "f1"),
                one.precision, one.precision_low, one.precision_high, *_stricter(one, "precision"),
                one.recall, one.recall_low, one.recall_high, *_stricter(one, "recall"), why,
                "all" if one.effective is None else one.effective,
                one.claims, one.judged, f"{one.cost_mills / 1000:.3f}",
                campaign.currency if campaign else "USD",
                line.chances[0] if line.chances else None,
                board.snapshot.number if board.snapshot else None,
                board.snapshot.pool_version if board.snapshot else None,
            ])  # fmt: skip


def _stricter(one: SystemScore, measure: str) -> list[float | None]:
    return [(one.with_parts(level, measure) or {}).get(end) for level in ("types", "links")
            for end in ("value", "low", "high")]  # fmt: skip


def _place(line: BoardLine) -> str:
    return f"{line.first}" if line.first == line.last else f"{line.first}–{line.last}"
