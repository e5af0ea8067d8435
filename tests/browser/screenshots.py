"""Screenshots of what a test sees, kept where SCREENSHOTS names a folder; none without it.

    SCREENSHOTS=var/screenshots ./run test tests/browser

Each page that axe looks at is kept, and whatever else a test keeps. A file is named after its test,
with a number; the next run writes over it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

from playwright.sync_api import Page

FOLDER = os.environ.get("SCREENSHOTS", "")
_kept: Counter[str] = Counter()  # how many of each test


def keep_screenshot(page: Page) -> None:
    if not FOLDER:
        return
    test = os.environ["PYTEST_CURRENT_TEST"].removesuffix(" (call)").rpartition("/")[2]
    name = re.sub(r"[^\w-]+", "-", test.replace(".py::test_", "-").removeprefix("test_")).strip("-")
    _kept[name] += 1
    page.screenshot(path=Path(FOLDER, f"{name}-{_kept[name]}.png"))  # makes the folder too
