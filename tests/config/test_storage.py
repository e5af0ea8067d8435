"""Every static file gets its hashed name, however long the chains of imports are."""

import json
import os
import subprocess
import sys
from pathlib import Path

from annotation.interfaces import REGISTRY

ROOT = Path(__file__).resolve().parents[2]


def test_all_files_are_collected_under_hashed_names(tmp_path):
    """In a process of its own: the other tests of this one keep their plain names."""
    environment = os.environ | {
        "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    static = tmp_path / "static"
    names = json.loads((static / "staticfiles.json").read_text())["paths"]
    for bundle in (f"work-{kind}.{suffix}" for kind in REGISTRY for suffix in ("js", "css")):
        hashed = names[f"bundles/{bundle}"]
        assert hashed != f"bundles/{bundle}"
        assert (static / hashed).is_file()
