"""The pure JavaScript modules, tested by Node's own runner."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# `node --test` would start a process for each file: eight times the work.
IN_ONE = "for (const file of process.argv.slice(1)) await import(file);"


def test_javascript_modules():
    node = shutil.which("node")
    if node is None:
        missing = "There is no Node.js to run tests/js: install the package nodejs."
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    files = sorted(ROOT.glob("tests/js/**/*.test.js"))
    assert files
    run = subprocess.run(
        [node, "--input-type=module", "--eval", IN_ONE, *map(Path.as_uri, files)],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


def test_each_script_uses_what_it_imports():
    idle = [
        (str(path.relative_to(ROOT)), name)
        for path in sorted(ROOT.glob("static/js/**/*.js"))
        for script in [path.read_text(encoding="utf-8")]
        for names in re.findall(r"^import \{([^}]*)\} from", script, re.MULTILINE)
        for name in re.findall(r"\w+(?=\s*(?:,|$))", names)
        if len(re.findall(rf"\b{name}\b", script)) < 2
    ]
    assert idle == []
