from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.formats.reading import Reader
from annotation.formats.records import DocumentRecord, Rejected, Rules

SCHEMA = {"entity_types": [{"name": "PER"}, {"name": "LOC"}], "nested": False}

Read = Callable[..., list[DocumentRecord | Rejected]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Bytes, or text, as the list of what a Reader yields for them; settings go to Rules."""

    def read(
        content: bytes | str, name: str = "news.jsonl", format: str = "auto", **rules: Any
    ) -> list[DocumentRecord | Rejected]:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        with Reader(path, Rules(**{"schema": SCHEMA} | rules), format) as reader:
            return list(reader)

    return read
