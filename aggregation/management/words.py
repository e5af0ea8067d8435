"""How commands write numbers."""

from __future__ import annotations

from django.template.defaultfilters import pluralize

from aggregation.methods.words import CAPPED


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{pluralize(number)}"


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def ending(method: str, iterations: int, converged: bool) -> str:
    """How a fit went."""
    if not iterations:
        return "no iterations"
    if not converged and method in CAPPED:
        return f"{counted(iterations, 'iteration')}, its limit"
    outcome = "converged" if converged else "did NOT converge"
    return f"{outcome} after {counted(iterations, 'iteration')}"


def table(rows: list[list[str]]) -> list[str]:
    """Lines with flush columns: the first to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            text.ljust(width) if i == 0 else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
