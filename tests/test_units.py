"""The systemd units that docs/operations.md gives: whose files they write, and where they may."""

import configparser
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "operations.md").read_text()
UNITS = dict(re.findall(r"^`/etc/systemd/system/(\S+)`.*?```ini\n(.*?)```", PAGE, re.M | re.S))
STATE = "/var/lib/touchstone"


def section(name: str) -> configparser.SectionProxy:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[method-assign, assignment]
    unit.read_string(UNITS[name])
    return unit["Service"]


def test_every_unit_has_the_sandbox():
    folder, name = "touchstone-.service.d", "sandbox.conf"
    assert f"{folder}/{name}" in UNITS
    units = sorted(set(UNITS) - {f"{folder}/{name}"})
    assert units == ["touchstone-web.service", "touchstone-work.service"]
    for unit in units:
        assert unit.startswith(folder.removesuffix(".service.d"))  # as systemd finds it
        assert section(unit)["User"] == "touchstone"


def test_what_they_write_is_nobody_else_s_and_stands_where_the_settings_say():
    sandbox = section("touchstone-.service.d/sandbox.conf")
    assert sandbox["UMask"] == "0077"
    assert sandbox["StateDirectoryMode"] == "0700"
    assert f"/var/lib/{sandbox['StateDirectory']}" == STATE
    assert f"DATA_DIR={STATE}\n" in PAGE
    for name in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices"):
        assert sandbox[name] == "yes"
    assert sandbox["ProtectSystem"] == "strict"
    assert re.search(r"^15 3 .* umask 077 && .* manage\.py night$", PAGE, re.M)
