"""A fifth interface, stars for a text: stars.py, and below static its script and style sheet.

The fixture `stars` lays its files beside the product's and registers it; nothing else knows it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "static"
MODULE = "tests.toy_interface.stars"
CONSENSUS = "tests.toy_interface.consensus"
PAGES = "tests.toy_interface.pages"


def lay_beside(target: Path) -> None:
    """The product's static files with the toy's among them. None of them may be one of ours."""
    shutil.copytree(STATIC, target)
    for path in sorted((HERE / "static").rglob("*.*")):
        new = target / path.relative_to(HERE / "static")
        assert not new.exists(), f"{new} is not the toy's own"
        new.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, new)
