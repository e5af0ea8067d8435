"""README and the pages of docs/, followed to the letter: every command, in the order of the pages,
in one folder that is empty in the beginning; and in the end what the reader then looks at.

A fenced block says what it holds: `sh` is run here. `console` and a reason are commands that this
machine can't run. The others (`text`, `json`, …) are no commands.
"""

from __future__ import annotations

import builtins
import getpass
import io
import re
import shlex
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from django.core.management import call_command
from django.db import connection

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```(.*)$", re.M)
NO_COMMANDS = {"text", "json", "ini", "nginx", "md", "python"}  # tests.test_notebook runs Python
NOT_HERE = {"clone", "production", "cluster", "data", "hours"}  # why a console's block is not run
BEGINS = ("./run", "cat >", "printf", "curl", "python3 ", ".venv/bin/python ")
SERVER = "http://127.0.0.1:8000"
PASSWORD = "a-long-Password-7"
CROWD = {"news-1": 3}  # campaigns that README aggregates "when answers have come in": so many come
WRITES = {"--out", "--model", "--reliability"}


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


BLOCKS = [block for page in pages() for block in blocks(page)]


def test_every_block_says_what_it_holds():
    for block in BLOCKS:
        if block.kind == "console":
            assert block.why in NOT_HERE, block.place
        else:
            assert block.kind in {*NO_COMMANDS, "sh"}, block.place
    kinds = [block.kind for block in BLOCKS]
    assert kinds.count("sh") > 4 * kinds.count("console")


def test_every_command_begins_with_run_or_names_its_interpreter():
    for block in BLOCKS:
        if block.kind == "sh":
            for command in block.commands():
                known = command.startswith(BEGINS) or re.match(r"\w+(=|\(\))", command)
                assert known, (block.place, command)
        elif block.kind in NO_COMMANDS - {"text"}:
            assert "./run" not in block.text, block.place


@dataclass
class Reader:
    """Somebody with two shells and a browser. `folder` is where they cloned to."""

    folder: Path
    server: str
    printed: dict[str, str] = field(default_factory=dict)

    def follow(self, page: list[Block]) -> None:
        if any("curl " in block.text for block in page):
            self._shell("".join(block.text for block in page), page[0].place)
            return
        for block in page:
            for command in block.commands():
                try:
                    self._do(command)
                except Exception as error:
                    pytest.fail(f"{block.place}: {command}\n{type(error).__name__}: {error}")

    def _do(self, command: str) -> None:
        if not command.startswith("./run"):
            self._shell(command, "")
        elif command == "./run":
            said = self._manage(["load_demonstration", "--at", self.server])
            rows = (line for line in said.splitlines() if line[17:18] == " ")
            self.printed = {row[:18].strip(): row[18:] for row in rows}
        else:
            _, manage, *words = shlex.split(command, comments=True)
            assert manage == "manage"
            said = self._manage(words)
            for option, name in pairwise(words):
                if option in WRITES:
                    assert (self.folder / name).stat().st_size, name
            if words[0] == "campaign" and words[2] == "open":
                for _ in range(CROWD.get(words[1], 0)):
                    work(said.split()[-1])

    def _manage(self, words: list[str]) -> str:
        out = io.StringIO()
        terminal = io.StringIO()
        terminal.isatty = lambda: True
        more = {"stdin": terminal} if words[0] == "createsuperuser" else {}
        call_command(*words, stdout=out, stderr=io.StringIO(), **more)
        return out.getvalue()

    def _shell(self, script: str, place: str) -> None:
        done = subprocess.run(
            ["sh", "-eu", "-c", script.replace(SERVER, self.server)],
            cwd=self.folder, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{place}\n{done.stderr}"

    def log_in(self, browser: httpx.Client) -> None:
        """As whom `./run` has told."""
        form = browser.get(self.printed["Manager's log-in"])
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form.text)
        answer = browser.post(
            "/login/",
            data={
                "csrfmiddlewaretoken": token[1],
                "username": self.printed["Name"],
                "password": self.printed["Password"],
            },
            headers={"Referer": f"{self.server}/login/"},
        )
        assert answer.url.path == "/", answer.text


def work(link: str) -> None:
    """A new worker does all that they get."""
    server, token = re.fullmatch(r"(http://[^/]+)/join/([^/]+)/", link).groups()
    with httpx.Client(base_url=server, timeout=60) as http:
        device = str(uuid.uuid4())
        joined = http.post("/api/work/join/", json={"link": token, "device": device}).json()
        http.headers["Authorization"] = f"Worker {joined['token']}"
        page = http.post("/api/work/next/", json={}).json()
        while lease := page["assignment"]:
            answer = {"mentions": [], "entities": [], "unlabelled": []}
            path = f"/api/work/assignments/{lease['key']}/submit/"
            page = http.post(path, json={"answer": answer}).raise_for_status().json()["next"]


def results(page: list[Block]) -> Iterator[tuple[str, str]]:
    """(address, what has to stand there) of all that a page's commands make or change."""
    for block in page:
        for command in block.commands():
            words = shlex.split(command, comments=True) if command.startswith("./run m") else []
            named = dict(pairwise(words))
            match words[2:4]:
                case ["create_project", slug]:
                    yield f"/manage/projects/{slug}/", named["--name"]
                case ["import_documents", _]:
                    yield f"/manage/projects/{named['--project']}/documents/", "<td"
                case ["create_campaign" | "campaign", slug]:
                    yield f"/manage/campaigns/{slug}/", named.get("--name", slug)
                case ["aggregate", _] if "--compare" not in named:
                    slug = named["--campaign"]
                    yield f"/manage/campaigns/{slug}/", f"/manage/campaigns/{slug}/runs/"
                case ["replay", file]:
                    slug = named.get("--project", f"replay-{Path(file).stem}")
                    yield f"/manage/campaigns/{slug}/", f"{slug}"
                case ["import_knowledge_base", _]:
                    yield f"/manage/projects/{named['--project']}/", named["--project"]


@pytest.fixture
def reader(tmp_path, settings, live_server, monkeypatch) -> Reader:
    """At the server that `./run` would have started, with a test's database."""
    data = tmp_path / "var"
    data.mkdir()
    settings.DATA_DIR, settings.SITE_URL = data, live_server.url
    (data / "address").write_text(live_server.url)
    if connection.vendor == "sqlite":
        (data / "touchstone.sqlite3").symlink_to(connection.settings_dict["NAME"])
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    (tmp_path / "run").write_text(f'#!/bin/sh\n{launcher()} "$@"\n')
    (tmp_path / "run").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "DATA_DIR": str(data), "DATABASE_URL": database(), "SECRET_KEY": settings.SECRET_KEY,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(getpass, "getpass", lambda prompt="": PASSWORD)
    monkeypatch.setattr(builtins, "input", lambda prompt="": "mary" if "ser" in prompt else "")
    return Reader(tmp_path, live_server.url)


def launcher() -> str:
    """./run itself, unless it would first have to install what other tests do without."""
    stamp = ROOT / ".venv" / "requirements.txt.sum"
    with (ROOT / "requirements.txt").open() as file:
        sum = subprocess.run(["cksum"], stdin=file, capture_output=True, text=True, check=True)
    if stamp.exists() and stamp.read_text() == sum.stdout:
        return f"exec {shlex.quote(str(ROOT / 'run'))}"
    return f"shift; exec {sys.executable} {shlex.quote(str(ROOT / 'manage.py'))}"


def database() -> str:
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    host = settings["HOST"].replace("/", "%2F")
    account = f"{settings['USER']}:{settings['PASSWORD']}"
    return f"postgres://{account}@{host}:{settings['PORT']}/{settings['NAME']}"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_whoever_follows_the_pages_finds_what_they_promise(reader):
    done: list[Block] = []
    for page in pages():
        steps = [block for block in blocks(page) if block.kind == "sh"]
        if not steps:
            continue
        reader.follow(steps)
        done += steps
        with httpx.Client(base_url=reader.server, follow_redirects=True, timeout=60) as browser:
            reader.log_in(browser)
            for address, promised in results(steps):
                answer = browser.get(address)
                assert answer.status_code == 200, (page.name, address)
                assert promised in answer.text, (page.name, address, promised)
    assert len(set(results(done))) > 20
