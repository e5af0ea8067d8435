"""What the question marks say is what docs/numbers.md says."""

import re
from pathlib import Path

from dashboard.explanations import EXPLANATIONS

NUMBERS = (Path(__file__).parents[2] / "docs" / "numbers.md").read_text(encoding="utf-8")


def row(begins: str) -> list[str]:
    """The cells of the row whose name begins like that."""
    line = next(line for line in NUMBERS.splitlines() if line.startswith(f"| {begins}"))
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def test_paired_difference_holds_as_often_as_was_measured():
    measured = re.search(r"(\.\d\d) to 1\.00", row("Difference from the run that is served")[2])
    assert measured
    said = f"held the truth in {round(100 * float(measured[1]))} % of cases or more"
    assert said in EXPLANATIONS["paired-difference"].text
