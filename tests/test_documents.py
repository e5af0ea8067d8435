"""README and the pages of docs/, followed to the letter: every command, in the order of the pages,
in one folder that is empty in the beginning; and in the end what the reader then looks at."""

from __future__ import annotations

import builtins
import getpass
import io
import re
import shlex
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from django.core.management import call_command
from django.db import connection

from tests.documents import Block, blocks, pages
from tests.jobs import do_jobs

ROOT = Path(__file__).resolve().parents[1]
SERVER = "http://127.0.0.1:8000"
PASSWORD = "a-long-Password-7"
CROWD = {"news-1": 3}  # campaigns that README aggregates "when answers have come in": so many come
WRITES = {"--out", "--model", "--reliability"}


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
        ended = threading.Event()
        loop = threading.Thread(target=work_beside, args=(ended,))
        loop.start()
        try:
            done = subprocess.run(
                ["sh", "-eu", "-c", script.replace(SERVER, self.server)],
                cwd=self.folder, capture_output=True, text=True, timeout=300, check=False,
            )  # fmt: skip
        finally:
            ended.set()
            loop.join()
        assert done.returncode == 0, f"{place}\n{done.stdout[-500:]}\n{done.stderr}"

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
    with httpx.Client(base_url=server, timeout=300) as http:
        device = str(uuid.uuid4())
        joined = http.post("/api/work/join/", json={"link": token, "device": device}).json()
        http.headers["Authorization"] = f"Worker {joined['token']}"
        page = http.post("/api/work/next/", json={}).json()
        while lease := page["assignment"]:
            answer = {"mentions": [], "entities": [], "unlabelled": []}
            path = f"/api/work/assignments/{lease['key']}/submit/"
            page = http.post(path, json={"answer": answer}).raise_for_status().json()["next"]


def work_beside(ended: threading.Event) -> None:
    """The loop that `./run` has beside the server: what a page asks for is done."""
    while not ended.wait(0.05):
        do_jobs()
    connection.close()


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
                    yield f"/manage/campaigns/{slug}/results/", f"/manage/campaigns/{slug}/runs/"
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


@pytest.mark.timeout(900)  # seconds; the whole of the documentation is done here
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
        with httpx.Client(base_url=reader.server, follow_redirects=True, timeout=300) as browser:
            reader.log_in(browser)
            for address, promised in results(steps):
                answer = browser.get(address)
                assert answer.status_code == 200, (page.name, address)
                assert promised in answer.text, (page.name, address, promised)
    assert len(set(results(done))) > 20
