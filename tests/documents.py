"""README and the pages of docs/, cut into their fenced blocks.

A block says what it holds: `sh` is run by tests.test_documents. `console` and a reason are commands
that this machine can't run. The others (`text`, `json`, …) are no commands.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```(.*)$", re.M)
NO_COMMANDS = {"text", "json", "ini", "nginx", "md", "python"}  # tests.test_notebook runs Python
NOT_HERE = {"clone", "production", "cluster", "data", "hours"}  # why a console's block is not run
BEGINS = ("./run", "cat >", "printf", "curl", "python3 ", ".venv/bin/python ")


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    kind: str
    why: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}, line {self.line}"

    def commands(self) -> Iterator[str]:
        """A line each; one that goes on in the next, or has a text below it, as a whole."""
        lines = iter(self.text.splitlines())
        for line in lines:
            while line.endswith("\\") or not _is_whole(line):
                joint = "" if line.endswith("\\") else "\n"
                line = line.removesuffix("\\") + joint + next(lines)
            if here := re.search(r"<<'(\w+)'$", line):
                text = ""
                while not text.endswith(f"\n{here[1]}\n"):
                    text += f"{next(lines)}\n" if text else f"\n{next(lines)}\n"
                line += text
            if line.strip() and not line.startswith("#"):
                yield line.strip()


def _is_whole(line: str) -> bool:
    try:
        shlex.split(line, comments=True)
    except ValueError:  # a quotation that goes on
        return False
    return True


def pages() -> list[Path]:
    """README, and the others in the order in which it names them."""
    readme = ROOT / "README.md"
    named = re.findall(r"^\| \[(docs/[\w/-]+\.md)\]", readme.read_text(), re.M)
    found = [readme, *(ROOT / name for name in named)]
    assert set(found) == {readme, *ROOT.glob("docs/**/*.md")}
    return found


def blocks(page: Path) -> list[Block]:
    text, found = page.read_text(), []
    fences = list(FENCE.finditer(text))
    assert len(fences) % 2 == 0, page
    for begin, end in zip(fences[::2], fences[1::2], strict=True):
        kind, _, why = begin[1].partition(" ")
        line = text.count("\n", 0, begin.start()) + 1
        inside = text[begin.end() + 1 : end.start()]
        found.append(Block(str(page.relative_to(ROOT)), line, kind, why, inside))
    return found
