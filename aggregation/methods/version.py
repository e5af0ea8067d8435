"""Which code made a result."""

from __future__ import annotations

import os
import subprocess
import tomllib
from functools import lru_cache

from django.conf import settings

LONGEST = 40


@lru_cache(maxsize=1)
def code_version() -> str:
    """Such as "0.1.0+1f0c9b2ad7e4-dirty": the release, and the commit where this is a checkout."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]
    commit = _commit()
    return f"{project['version']}+{commit}"[:LONGEST] if commit else project["version"]


def _commit() -> str:
    """Empty without git, or where the folder is no checkout of its own."""
    if not (settings.BASE_DIR / ".git").exists():
        return ""
    # A tag would hide the commit; the index of a checkout that somebody works in is left alone.
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        done = subprocess.run(
            command,
            cwd=settings.BASE_DIR,
            env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"},
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
