"""The ways into the demonstration: a manager's account, and the file that keeps its links.

Addresses stand here as they are: to ask the application for them would import every page of it."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

from django.contrib.auth.models import User

from annotation.actions.links import public_link
from annotation.actions.tokens import token_of
from annotation.models import Campaign, Member
from demonstration.loop import PROJECT
from selection.models import LabellingLoop

MANAGER = "demonstration"
PASSWORD_LINE = re.compile(r"^Password +(\S+)$", re.M)


def manager(file: Path) -> tuple[User, str | None]:
    """The manager of the demonstration and their password, made once and kept in `file`.

    None: the file is gone, and with it the password of an account that stands.
    """
    found = PASSWORD_LINE.search(file.read_text()) if file.exists() else None
    password = found[1] if found else None
    user = User.objects.filter(username=MANAGER).first()
    if user is None:
        password = password or secrets.token_urlsafe(12)
        user = User.objects.create_user(MANAGER, password=password)
    return user, password


def colleagues() -> dict[str, str]:
    """Role → name of an account that has it, for the list of members. Nobody can log in as them."""
    names = {role: f"{MANAGER}-{role}" for role in (Member.Role.REVIEWER, Member.Role.VIEWER)}
    for name in names.values():
        if not User.objects.filter(username=name).exists():
            User.objects.create_user(name)
    return {str(role): name for role, name in names.items()}


def account_lines(server: str, password: str | None) -> list[str]:
    """Where to log in and as whom, a line each."""
    return _lines(
        ("Projects", f"{server}/"),
        ("Manager's log-in", f"{server}/login/"),
        ("Name", MANAGER),
        ("Password", password or f"not known any more: manage changepassword {MANAGER}"),
        ("API documents", f"{server}/api/docs/"),
    )


def campaign_lines(server: str, campaign: Campaign | None) -> list[str]:
    """Where the demonstration is; nothing where it has been removed."""
    if campaign is None:
        return []
    rows = [("Demonstration", f"{server}/manage/campaigns/{campaign.slug}/")]
    if link := public_link(campaign):
        rows.append(("Worker's link", f"{server}/join/{token_of(link)}/"))
    return _lines(*rows)


def loop_lines(server: str) -> list[str]:
    """Where the labelling loop is; nothing where there is none."""
    loop = LabellingLoop.objects.filter(project__slug=PROJECT).select_related("project").first()
    if loop is None:
        return []
    address = f"{server}/manage/projects/{loop.project.slug}/loops/{loop.key}/"
    return _lines(("Labelling loop", address))


def _lines(*rows: tuple[str, str]) -> list[str]:
    return [f"{name:<18}{value}" for name, value in rows]


def keep(file: Path, rows: list[str]) -> None:
    """Replace the file at once; nobody but its owner can read it at any time."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
        new.write("\n".join(rows) + "\n")
    draft.replace(file)
