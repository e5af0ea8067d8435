"""The code of docs/notebook.md, run from top to bottom as a reader would."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCKED = (
    "import sys\n"
    "for name in ('django', 'rest_framework', 'pandas'):\n"
    "    sys.modules[name] = None\n"
)


def test_the_notebook_runs_without_django():
    text = (ROOT / "docs" / "notebook.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", BLOCKED + "\n".join(blocks)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    vote, fitted = map(float, lines[0].split())
    assert fitted > vote > 0.7
    assert lines[1].startswith("[0, 1, 2]")  # those who guess
    votes, bsc = (float(line.split()[1]) for line in lines if line.startswith(("MV", "BSC")))
    assert bsc >= votes
    *_, habits, tagged, right, chosen = lines
    assert float(right.split()[-1]) > max(float(chosen.split()[-1]), 0.75)
    assert tagged.startswith("['O', 'O', 'B-PER', 'I-PER', 'O', 'O']")
    assert float(habits.split("]")[0].split()[-1]) > 0.5  # the fifth worker splits
