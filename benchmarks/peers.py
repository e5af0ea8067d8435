"""Peers that a benchmark measures itself against, each set in an environment of its own.

They are no requirements of ours: the environment is made when a benchmark first asks for it, in
DATA_DIR/peers, and is found there by the next one. Remove the folder to make it anew.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def peer_python(*requirements: str) -> Path:
    """The interpreter of an environment that holds `requirements`, as pip writes them.

    `peer_python("crowd-kit==1.4.1", "nltk")`. The first call takes the network and up to a few
    minutes; pip's complaints go to stderr. Raises subprocess.CalledProcessError where it fails,
    and leaves nothing behind then.
    """
    wanted = "\n".join([*sorted(requirements), sys.version])
    name = hashlib.sha256(wanted.encode()).hexdigest()[:16]
    home = Path(os.environ.get("DATA_DIR") or ROOT / "var") / "peers" / name
    python = home / "bin" / "python"
    if python.exists():
        return python
    home.parent.mkdir(parents=True, exist_ok=True)
    print(f"Installing {', '.join(requirements)} into {home}; done once.", file=sys.stderr)  # noqa: T201
    made = Path(tempfile.mkdtemp(dir=home.parent))
    try:
        _install(made, requirements)
        (made / "requirements.txt").write_text(wanted + "\n")
        # Whole or not at all; nothing in it that is used here knows its own path.
        made.rename(home)
    except OSError:
        if not python.exists():  # else another benchmark was faster
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return python


def _install(made: Path, requirements: tuple[str, ...]) -> None:
    quiet = {"stdout": subprocess.DEVNULL, "check": True}
    python = str(made / "bin" / "python")
    if _has_uv():
        subprocess.run(["uv", "venv", "--quiet", "--clear", "-p", sys.executable, made], **quiet)
        subprocess.run(["uv", "pip", "install", "--quiet", "-p", python, *requirements], **quiet)
        return
    subprocess.run([sys.executable, "-m", "venv", made], **quiet)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements], **quiet)


def _has_uv() -> bool:
    """A shim may stand on the PATH without a uv, so it is run."""
    try:
        return subprocess.run(["uv", "--version"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
