"""What the question marks say is what docs/numbers.md says."""

import re
from pathlib import Path

from dashboard.explanations import EXPLANATIONS

NUMBERS = (Path(__file__).parents[2] / "docs" / "numbers.md").read_text(encoding="utf-8")

ROWS = {  # each explanation, and how the row begins that says the same at length
    "gold-score": "Gold score",
    "gold-score-campaign": "Single answers on gold",
    "consensus-spans": "F1 of spans",
    "consensus-gold": "Accuracy (choices, relations)",
    "paired-difference": "Difference from the run that is served",
    "alpha": "Agreement, α",
    "target-quality": "Quality wanted",
    "calibration": "Calibration error",
    "loop-forecast": "Forecast of a loop's round",
    "reliability": "Agrees with the consensus",
    "worker-accuracy": "Accuracy of a worker",
    "hourly-pay": "Pay an hour",
    "selection": "q",
    "cost": "Forecast of the cost",
    "forecast": "Forecast of the end",
    "board": "Scores, places and differences",
    "confidence": "Confidence of a choice or relation",
    "expected-errors": "Expected wrong",
    "accepted-task": "Pay an hour, what a label costs",
    "accepted-answers": "Accepted judgments",
    "pace": "Pace",
    "plan": "Forecast (`forecast`)",
    "flags": "Flags",
    "gold-expected": "Expected score of a gold question",
}


def row(begins: str) -> list[str]:
    """The cells of the row whose name begins like that."""
    lines = [line for line in NUMBERS.splitlines() if line.startswith(f"| {begins}")]
    assert lines, f"no row of docs/numbers.md is about {begins}"
    line = lines[0]
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def test_each_question_mark_has_its_row():
    assert ROWS.keys() == EXPLANATIONS.keys()
    for begins in ROWS.values():
        assert all(row(begins)), begins


def test_paired_difference_holds_as_often_as_was_measured():
    measured = re.search(r"(\.\d\d) to 1\.00", row("Difference from the run that is served")[2])
    assert measured
    said = f"held the truth in {round(100 * float(measured[1]))} % of cases or more"
    assert said in EXPLANATIONS["paired-difference"].text
