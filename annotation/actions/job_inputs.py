"""Files that a page hands to a job.

DATA_DIR/job-inputs/<digest>/ holds them under their own names, so that errors can name them. The
digest is that of names and contents: whoever sends the same files twice asks for the same job, and
*Try again* finds them. Web servers and work loops have to share DATA_DIR.
"""

from __future__ import annotations

import os
import re
import shutil
import time
import uuid
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from django.conf import settings

from annotation.models import Job
from annotation.sentences import CodedError

DAY = 86_400  # seconds
LONGEST_NAME = 200  # bytes
STRANGE = re.compile(r"[\x00-\x1f\x7f/\\]")


class Sent(Protocol):
    name: str | None

    def chunks(self) -> Iterable[bytes]: ...


class CannotStore(CodedError):
    """There is no room, or two files have one name."""


def store(files: Sequence[Sent]) -> str:
    """Keep files until a job has read them; the name of their folder. Raises CannotStore."""
    try:
        return _store(files)
    except OSError as error:  # such as a full disk
        raise CannotStore("upload.not_kept", why=error.strerror) from error


def _store(files: Sequence[Sent]) -> str:
    root = _root()
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = root / f"new-{uuid.uuid4().hex}"
    folder.mkdir(mode=0o700)
    digest = blake2b(digest_size=20)
    try:
        for file in files:
            name = safe_name(file.name)
            if (folder / name).exists():
                raise CannotStore("upload.same_name", file=name)
            digest.update(f"{len(name)} {name} ".encode())
            with (folder / name).open("wb") as copy:
                for chunk in file.chunks():
                    digest.update(chunk)
                    copy.write(chunk)
            digest.update(b" end ")
        kept = root / digest.hexdigest()
        try:
            folder.rename(kept)
        except OSError:  # the same files were sent before
            os.utime(kept)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return kept.name


def stored(folder: str, name: str) -> Path | None:
    """None where it is not kept any more."""
    path = _root() / Path(folder).name / Path(name).name
    return path if path.is_file() else None


def safe_name(name: str | None) -> str:
    """A name that a folder can hold, and that leads nowhere else."""
    clean = STRANGE.sub("_", name or "").strip()
    if clean.strip(".") == "" or len(clean.encode()) > LONGEST_NAME:
        return "file" + "".join(Path(clean).suffixes[-2:])[-LONGEST_NAME // 4 :]
    return clean


def drop_old() -> int:
    """Remove what was sent more than JOB_FILE_DAYS ago and no unfinished job names; how many
    folders."""
    oldest = time.time() - settings.JOB_FILE_DAYS * DAY
    wanted = set(Job.objects.unfinished().values_list("parameters__folder", flat=True))
    dropped = 0
    with suppress(FileNotFoundError):
        for folder in _root().iterdir():
            if folder.name in wanted or folder.stat().st_mtime > oldest:
                continue
            shutil.rmtree(folder, ignore_errors=True)
            dropped += 1
    return dropped


def _root() -> Path:
    return Path(settings.DATA_DIR, "job-inputs")
