from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def said(*arguments):
    out = StringIO()
    call_command("experiment_shared_task", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_a_task_is_made_with_its_true_scores(tmp_path):
    told = said(tmp_path / "task", "--documents", 80)
    assert "true claims; the true scores" in told
    assert "falcon" in told
    names = {path.name for path in (tmp_path / "task").iterdir()}
    assert names == {
        "corpus.jsonl", "falcon.jsonl", "heron.tsv", "owl.tac", "exhaustive.jsonl", "truth.csv"
    }  # fmt: skip


def test_what_can_not_be_made_is_told(tmp_path):
    with pytest.raises(CommandError, match="--documents must be 60 or more, but is 5"):
        said(tmp_path, "--documents", 5)
    with pytest.raises(CommandError, match="There is no file"):
        said(tmp_path, "--judge", tmp_path / "plan.csv")
    with pytest.raises(CommandError, match="No such file or directory"):
        said(tmp_path / "a" / "b")
