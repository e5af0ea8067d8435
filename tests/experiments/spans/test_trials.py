from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from experiments.management.commands import experiment_spans
from experiments.spans.crowds import BEGIN, INSIDE, OUTSIDE, Kind, made

SMALL = Kind("ten texts", 10, 4, workers=8)


def test_made_crowds_mark_what_is_there_and_some_of_what_is_not():
    crowd = made(SMALL, 3)
    said, truth = crowd.sequences, crowd.truth
    assert said.n_labels == 4 * said.n_tokens
    before = np.concatenate(([OUTSIDE], truth[:-1]))
    assert not ((truth == INSIDE) & (before == OUTSIDE)).any()
    right = said.label == truth[said.token]
    marked = truth[said.token] != OUTSIDE
    assert 0.4 < right[marked].mean() < 0.9
    assert right[~marked].mean() > 0.85
    assert (truth == BEGIN).sum() > 10
    again = made(SMALL, 3)
    assert again.sequences.label.tolist() == said.label.tolist()


def test_the_command_compares_the_published_model_with_the_default(monkeypatch):
    monkeypatch.setattr(experiment_spans, "KINDS", (SMALL,))
    out = StringIO()
    call_command("experiment_spans", "--kinds", "1", stdout=out)
    head, line = out.getvalue().splitlines()
    assert head.split()[:2] == ["relaxed", "F1"]
    figures = [float(cell) for cell in line.split()[3:]]
    assert len(figures) == 4
    assert all(50 < figure < 100 for figure in figures)
    with pytest.raises(CommandError, match="--kinds must be from 1 to 1"):
        call_command("experiment_spans", "--kinds", "2", stdout=out)
