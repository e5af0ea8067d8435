"""Files that a manager has sent to a page, kept from the preview until they are imported.

DATA_DIR/uploads/<project>-<user>/<key>/ holds one upload: `content`, `rejected.jsonl` where a line
was rejected, and last, when its preview is made, `about.json`. Project and user stand in the path,
so that nobody finds another's upload, whatever key they type. What a job is to read stays until
that is over. Web servers behind one balancer have to share DATA_DIR.
"""

from __future__ import annotations

import json
import os
import shutil
import time
import uuid
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.actions.documents.importing import (
    ImportFailed,
    TakesTooLong,
    import_documents,
)
from annotation.actions.documents.preview import Preview, PreviewRow, preview_documents
from annotation.actions.progress import Progress
from annotation.models import ImportRun, Job, Project

KEPT = timedelta(days=1)
READ_AT_ONCE = 512 * 1024  # bytes that are looked at within 0.2 s
TOKENS_AT_ONCE, DOCUMENTS_AT_ONCE = 50_000, 500
LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Upload:
    key: str
    name: str  # of the file where it came from
    preview: Preview
    folder: Path

    @property
    def is_small(self) -> bool:
        """Whether its import takes no longer than a page may, a quarter of a second."""
        found = self.preview
        documents = found.new + found.unchanged
        return found.tokens <= TOKENS_AT_ONCE and documents <= DOCUMENTS_AT_ONCE

    @property
    def report(self) -> Path:
        return self.folder / "rejected.jsonl"

    def rejected(self, first: int, count: int) -> list[dict[str, Any]]:
        """Rejected lines from the one numbered `first` on, counted from 0."""
        if not self.preview.rejected:
            return []
        with self.report.open(encoding="utf-8") as lines:
            return [json.loads(line) for line in islice(lines, first, first + count)]


def keep_upload(
    project: Project, user: Any, name: str, chunks: Iterable[bytes], *, format: str = "auto"
) -> Upload:
    """The file with its preview. It takes the place of earlier ones of this user for this project.

    Raises ImportFailed for a file of which nothing can come; it is not kept then, and the earlier
    ones are.
    """
    key = store_upload(project, user, chunks)
    return read_upload(project, user, key, name=name, format=format)


def store_upload(project: Project, user: Any, chunks: Iterable[bytes]) -> uuid.UUID:
    """Keep a file that is to be read. Raises ImportFailed where there is no room for it."""
    key = uuid.uuid4()
    folder = _home(project, user) / str(key)
    try:
        folder.mkdir(parents=True, mode=0o700)
        with (folder / "content").open("wb") as file:
            file.writelines(chunks)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError):  # such as a full disk
            raise ImportFailed("upload.not_kept", why=error.strerror) from error
        raise
    return key


def is_stored(project: Project, user: Any, key: uuid.UUID) -> bool:
    return (_home(project, user) / str(key) / "content").exists()


def is_large(project: Project, user: Any, key: uuid.UUID) -> bool:
    """Whether a file takes longer to read than a page may."""
    return (_home(project, user) / str(key) / "content").stat().st_size > READ_AT_ONCE


def read_upload(
    project: Project,
    user: Any,
    key: uuid.UUID,
    *,
    name: str,
    format: str = "auto",
    seconds: float | None = None,
    uses: Mapping[str, str] | None = None,
) -> Upload:
    """A stored file with its preview. Raises ImportFailed as `keep_upload` does; TakesTooLong
    after `seconds`, where they are limited, and the file is kept for another try then."""
    folder, name = _home(project, user) / str(key), name[-LONGEST_NAME:]
    try:
        preview = preview_documents(
            project,
            folder / "content",
            name=name,
            format=format,
            report=folder / "rejected.jsonl",
            seconds=seconds,
            uses=uses,
        )
        if not (preview.new or preview.unchanged or preview.rejected):
            raise ImportFailed("upload.empty", file=name)
        about = {"name": name, "preview": asdict(preview)}
        (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")
        now = time.time_ns()  # the file system's own clock may take two files for equally old
        os.utime(folder / "about.json", ns=(now, now))
    except TakesTooLong:
        raise
    except ImportFailed:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise ImportFailed("upload.not_kept", why=error.strerror) from error
    _discard_older(folder)
    return Upload(str(key), name, preview, folder)


def _discard_older(folder: Path) -> None:
    """Of two that end at once, the later one stays; one that is still being read, or that a job
    is to import, is left alone."""
    wanted = _wanted()
    with suppress(FileNotFoundError):  # a later one is at it too
        own = (folder / "about.json").stat().st_mtime_ns
        for about in folder.parent.glob("*/about.json"):
            if about.stat().st_mtime_ns < own and about.parent.name not in wanted:
                shutil.rmtree(about.parent, ignore_errors=True)


def find_upload(project: Project, user: Any, key: uuid.UUID) -> Upload | None:
    folder = _home(project, user) / str(key)
    try:
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    preview = about["preview"]
    preview["rows"] = [PreviewRow(**row) for row in preview["rows"]]
    return Upload(str(key), about["name"], Preview(**preview), folder)


def import_upload(
    project: Project,
    upload: Upload,
    *,
    user: Any,
    progress: Progress | None = None,
) -> ImportRun:
    """The completed import; the upload is still there. Raises ImportFailed or locks.Held."""
    return import_documents(
        project, upload.folder / "content", format=upload.preview.format, name=upload.name,
        user=user, progress=progress, uses=upload.preview.uses,
    )  # fmt: skip


def discard_upload(upload: Upload) -> None:
    shutil.rmtree(upload.folder, ignore_errors=True)


def remove_old_uploads() -> int:
    """Throw away what nobody confirmed for a day; how many."""
    wanted = _wanted()
    before = time.time() - KEPT.total_seconds()
    removed = 0
    for folder in Path(settings.DATA_DIR, "uploads").glob("*/*"):
        with suppress(FileNotFoundError):  # imported meanwhile
            if folder.name not in wanted and folder.stat().st_mtime < before:
                shutil.rmtree(folder, ignore_errors=True)
                removed += 1
    return removed


def _wanted() -> set[str]:
    """The uploads that jobs are to read or to import."""
    waiting = Job.objects.unfinished().filter(parameters__has_key="upload")
    return set(waiting.values_list("parameters__upload", flat=True))


def _home(project: Project, user: Any) -> Path:
    return Path(settings.DATA_DIR, "uploads", f"{project.pk}-{user.pk}")
