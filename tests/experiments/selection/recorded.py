"""Where the recorded answers are, if they are; no test needs them."""

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


def needs(*names):
    missing = [name for name in names if not (DATA / name).exists()]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} not in {DATA}")
