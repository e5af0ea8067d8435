"""Which code made a result."""

from __future__ import annotations

import os
import subprocess
import tomllib
from functools import lru_cache
from hashlib import blake2b

from django.conf import settings

LONGEST = 40


@lru_cache(maxsize=1)
def code_version() -> str:
    """Such as "0.1.0+1f0c9b2ad7e4-dirty.5a0be1c2": the release, and the commit where this is a
    checkout."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]
    commit = _commit()
    return f"{project['version']}+{commit}"[:LONGEST] if commit else project["version"]


def _commit() -> str:
    """Empty without git, or where the folder is no checkout of its own. What was changed since the
    commit is told apart by its digest: two runs of one version are of the same code."""
    if not (settings.BASE_DIR / ".git").exists():
        return ""
    try:
        # A tag would hide the commit.
        commit = _git("describe", "--always", "--dirty", "--abbrev=12", "--exclude=*").decode()
        if not commit.strip().endswith("-dirty"):
            return commit.strip()
        changes = blake2b(_git("diff", "--no-ext-diff", "HEAD"), digest_size=4)
        return f"{commit.strip()}.{changes.hexdigest()}"
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(*arguments: str) -> bytes:
    """The index of a checkout that somebody works in is left alone."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=settings.BASE_DIR,
        env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"},
        capture_output=True,
        timeout=10,
        check=True,
    )
    return done.stdout
