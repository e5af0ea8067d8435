"""The report of an import: a file of JSON lines with every line that was rejected, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

from annotation.formats.records import Rejected


class RejectionReport:
    """Makes its file, and the folder, with the first line that is rejected."""

    def __init__(self, path: Path):
        self.path = path
        self._file: TextIO | None = None

    def add(self, rejected: Rejected) -> None:
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("w", encoding="utf-8")
        fields = {
            "line": rejected.line,
            "id": rejected.external_id,
            "field": rejected.field,
            "reason": rejected.reason,
        }
        self._file.write(json.dumps(fields, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Raises OSError where the disk has no room for what is left to write."""
        if self._file is not None:
            self._file.close()
