"""The servers of `bench_web`: how each is set up, served, and worked with as its own page does it.

A peer is started with the texts that all get, an account for each client, and what it needs to be
quick: two processes where its own command takes a number of them. `work` does one client's cycles:
what its page sends for an answer with nine spans, and what it asks for to show the next text.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from peers import peer_python

SECONDS_TO_START = 300
PASSWORD = "only-for-benchmarks-1"


@dataclass(frozen=True, slots=True)
class Text:
    """With its spans: [start, end) in characters, and the type."""

    text: str
    spans: tuple[tuple[int, int, str], ...]


@dataclass(slots=True)
class Server:
    """One that runs. `visit`: the address of a page with a task, and the cookies to see it with."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path
    visit: str = ""
    cookies: dict[str, str] = field(default_factory=dict)

    def wait(self, path: str) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                if httpx.get(self.url + path, timeout=5).status_code < 500:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.5)
        raise RuntimeError(f"no answer from {self.url}{path}; {last_words(self.log)}")

    def stop(self) -> None:
        os.killpg(self.process.pid, 15)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)
            self.process.wait()


def last_words(log: Path) -> str:
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return f"its log ends: {' / '.join(lines[-3:])}"


def serve(command: list[str], folder: Path, port: int, **environment: str) -> Server:
    """In a group of its own, so that all of its processes end with it."""
    log = folder / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
            env=own_environment() | environment, start_new_session=True,
        )  # fmt: skip
    return Server(f"http://127.0.0.1:{port}", process, log)


def own_environment() -> dict[str, str]:
    """Without what names our own settings and database."""
    ours = (
        "DATABASE_URL",
        "DATA_DIR",
        "DJANGO_SETTINGS_MODULE",
        "SECRET_KEY",
        "DEBUG",
        "PORT",
        "PYTHONPATH",
    )
    return {name: value for name, value in os.environ.items() if name not in ours}


def checked(reply: httpx.Response) -> httpx.Response:
    if reply.status_code >= 400:
        said = " ".join(reply.text.split())[:300]
        raise RuntimeError(f"{reply.request.url} answered {reply.status_code}: {said}")
    return reply


class Touchstone:
    """With everything on: pay, budget, ledger, hidden gold one in ten, twelve events an answer."""

    name = "Touchstone"

    def __init__(self, links: list[str], body: dict[str, Any]):
        self.links, self.body = links, body

    def start(self, folder: Path, port: int, texts: list[Text], clients: int) -> Server:
        root = str(Path(__file__).resolve().parent.parent)
        command = [
            sys.executable, "-m", "gunicorn", "config.wsgi", "--no-control-socket", "-w", "2", "-b",
            f"127.0.0.1:{port}", "--log-level", "error", "--chdir", root,
        ]  # fmt: skip
        kept = ("DATABASE_URL", "DATA_DIR", "DJANGO_SETTINGS_MODULE", "SECRET_KEY")
        server = serve(command, folder, port, **{name: os.environ[name] for name in kept})
        server.wait("/login/")
        server.visit = f"/join/{self.links[-1]}/"
        return server

    def work(self, server: Server, client: int, http: httpx.Client) -> Iterator[None]:
        joined = checked(http.post("/api/work/join/", json={"link": self.links[client]})).json()
        http.headers["Authorization"] = f"Worker {joined['token']}"
        page = checked(http.post("/api/work/next/", json={})).json()
        while True:
            yield
            key = page["assignment"]["key"]
            sent = http.post(f"/api/work/assignments/{key}/submit/", json=self.body)
            page = checked(sent).json()["next"]


class Peer:
    """One that is installed: into an environment of its own, the first time that it is made."""

    name: str
    requirements: tuple[str, ...]

    def __init__(self) -> None:
        self.python = peer_python(*self.requirements)


class Potato(Peer):
    """Its page saves the answer, moves on, and loads itself anew. One process with threads."""

    name = "Potato"
    requirements = ("potato-annotation==2.12.1",)

    def start(self, folder: Path, port: int, texts: list[Text], clients: int) -> Server:
        rows = [{"id": str(n), "text": one.text} for n, one in enumerate(texts)]
        (folder / "data.json").write_text("\n".join(map(json.dumps, rows)) + "\n")
        settings = {
            "annotation_task_name": "Bench", "port": port, "server_name": "bench",
            "task_dir": str(folder), "output_annotation_dir": "out",
            "output_annotation_format": "json", "data_files": ["data.json"],
            "item_properties": {"id_key": "id", "text_key": "text"}, "require_password": False,
            "user_config": {"allow_all_users": True, "users": []},
            "max_annotations_per_item": 10, "max_annotations_per_user": len(texts),
            "assignment_strategy": "random", "alert_time_each_instance": 0,
            "annotation_schemes": [
                {"annotation_type": "span", "name": "names", "description": "Mark the names.",
                 "labels": ["PER", "LOC"]}
            ],
        }  # fmt: skip
        (folder / "config.yaml").write_text(json.dumps(settings))  # JSON is YAML too
        program = [str(self.python), str(self.python.with_name("potato"))]
        server = serve([*program, "start", "config.yaml", "-p", str(port)], folder, port)
        server.wait("/")
        with httpx.Client(base_url=server.url, follow_redirects=True, timeout=60) as http:
            checked(http.post("/auth", data={"email": "visitor", "pass": ""}))
            server.visit, server.cookies = "/annotate", dict(http.cookies)
        self.texts = texts
        return server

    def work(self, server: Server, client: int, http: httpx.Client) -> Iterator[None]:
        page = checked(http.post("/auth", data={"email": f"client{client}", "pass": ""})).text
        page = checked(http.get("/annotate")).text
        while True:
            found = re.search(r'id="instance_id"[^>]*value="(\d+)"', page) or re.search(
                r'value="(\d+)"[^>]*id="instance_id"', page
            )
            if not found:
                raise RuntimeError(f"Potato's page names no text: {' '.join(page.split())[:300]}")
            one = self.texts[int(found[1])]
            spans = [
                {"schema": "names", "name": kind, "start": start, "end": end, "title": kind,
                 "value": one.text[start:end]}
                for start, end, kind in one.spans
            ]  # fmt: skip
            yield
            answer = {"instance_id": found[1], "annotations": {}, "span_annotations": spans}
            checked(http.post("/updateinstance", json=answer))
            moved = {"action": "next_instance", "instance_id": found[1]}
            checked(http.post("/annotate", json=moved, headers={"X-Requested-With": "fetch"}))
            page = checked(http.get("/annotate")).text


class LabelStudio(Peer):
    """An annotation with nine regions, then the next task. Its own command serves with threads."""

    name = "Label Studio"
    requirements = ("label-studio==1.23.2",)
    labels = (
        '<View><Labels name="label" toName="text"><Label value="PER"/><Label value="LOC"/></Labels>'
        '<Text name="text" value="$text"/></View>'
    )

    def start(self, folder: Path, port: int, texts: list[Text], clients: int) -> Server:
        command = [str(self.python), "-m", "label_studio.server", "start", "--no-browser", "--port",
                   str(port), "--internal-host", "127.0.0.1", "--data-dir", str(folder),
                   "--username", self.mail(0), "--password", PASSWORD]  # fmt: skip
        server = serve(
            command, folder, port, LABEL_STUDIO_BASE_DATA_DIR=str(folder), COLLECT_ANALYTICS="0",
            SENTRY_DSN="", FRONTEND_SENTRY_DSN="", LATEST_VERSION_CHECK="0",
        )  # fmt: skip
        server.wait("/health")
        with httpx.Client(base_url=server.url, follow_redirects=True, timeout=300) as http:
            self.log_in(http, 0)
            made = {"title": "Bench", "label_config": self.labels, "maximum_annotations": 10}
            self.project = checked(http.post("/api/projects/", json=made)).json()["id"]
            tasks = [{"data": {"text": one.text, "n": n}} for n, one in enumerate(texts)]
            checked(http.post(f"/api/projects/{self.project}/import", json=tasks))
            server.visit = f"/projects/{self.project}/data?labeling=1"
            server.cookies = dict(http.cookies)
        self.texts = texts
        return server

    def mail(self, client: int) -> str:
        return f"client{client}@example.org"

    def log_in(self, http: httpx.Client, client: int) -> None:
        """The first account is the command's; the others sign up, as its page lets anybody."""
        where = "/user/login/" if client == 0 else "/user/signup/"
        http.get(where)
        form = {"email": self.mail(client), "password": PASSWORD, "allow_newsletters": "false"}
        form["csrfmiddlewaretoken"] = http.cookies["csrftoken"]
        checked(http.post(where, data=form, headers={"Referer": str(http.base_url)}))
        http.headers["X-CSRFToken"] = http.cookies["csrftoken"]
        http.headers["Referer"] = str(http.base_url)
        checked(http.get("/api/current-user/whoami"))

    def work(self, server: Server, client: int, http: httpx.Client) -> Iterator[None]:
        self.log_in(http, client)
        task = checked(http.get(f"/api/projects/{self.project}/next")).json()
        while True:
            one = self.texts[task["data"]["n"]]
            result = [
                {"id": f"r{n}", "from_name": "label", "to_name": "text", "type": "labels",
                 "origin": "manual",
                 "value": {"start": start, "end": end, "text": one.text[start:end],
                           "labels": [kind]}}
                for n, (start, end, kind) in enumerate(one.spans)
            ]  # fmt: skip
            yield
            answer = {"result": result, "lead_time": 4.0, "project": self.project}
            where = f"/api/tasks/{task['id']}/annotations/?project={self.project}"
            checked(http.post(where, json=answer))
            task = checked(http.get(f"/api/projects/{self.project}/next")).json()


class Doccano(Peer):
    """Its page sends each span when it is marked, then that the text is done, and asks for the
    next text with its spans and state. The texts of clients lie apart: it deals nothing out."""

    name = "doccano"
    # Its environs knows no later marshmallow, its pandas no later numpy.
    requirements = ("doccano==1.8.4", "marshmallow<4", "numpy<2")

    def start(self, folder: Path, port: int, texts: list[Text], clients: int) -> Server:
        program = [str(self.python), str(self.python.with_name("doccano"))]
        home = {"DOCCANO_HOME": str(folder), "HOME": str(folder)}
        for command in (["init"], ["createuser", "--username", "admin", "--password", PASSWORD]):
            done = subprocess.run(
                [*program, *command], cwd=folder, check=False, capture_output=True, text=True,
                env=own_environment() | home,
            )  # fmt: skip
            if done.returncode:
                raise RuntimeError(f"doccano {command[0]} failed: {done.stderr.strip()[-300:]}")
        command = [*program, "webserver", "--port", str(port), "--workers", "2"]
        server = serve(command, folder, port, **home)
        server.wait("/v1/me")  # its health asks for a queue of jobs too
        with httpx.Client(base_url=server.url, follow_redirects=True, timeout=300) as http:
            self.log_in(http, "admin")
            made = {"name": "Bench", "description": "Bench", "project_type": "SequenceLabeling",
                    "resourcetype": "SequenceLabelingProject", "guideline": "",
                    "collaborative_annotation": False, "random_order": False}  # fmt: skip
            project = checked(http.post("/v1/projects", json=made)).json()["id"]
            self.api = f"/v1/projects/{project}"
            kinds = {}
            for key, kind in (("p", "PER"), ("l", "LOC")):
                label = {"text": kind, "suffix_key": key, "background_color": "#209cee"}
                kinds[kind] = checked(http.post(f"{self.api}/span-types", json=label)).json()["id"]
            self.examples = [
                checked(http.post(f"{self.api}/examples", json={"text": one.text})).json()["id"]
                for one in texts
            ]
            roles = {one["name"]: one["id"] for one in checked(http.get("/v1/roles")).json()}
            for client in range(clients):
                account = {"username": f"client{client}", "password1": PASSWORD,
                           "password2": PASSWORD}  # fmt: skip
                user = checked(http.post("/v1/users/create", json=account)).json()["id"]
                member = {"user": user, "role": roles["annotator"]}
                checked(http.post(f"{self.api}/members", json=member))
            server.visit = f"/projects/{project}/sequence-labeling?page=1"
            server.cookies = dict(http.cookies)
        self.kinds, self.texts, self.clients = kinds, texts, clients
        return server

    def log_in(self, http: httpx.Client, name: str) -> None:
        checked(http.post("/v1/auth/login/", json={"username": name, "password": PASSWORD}))
        http.headers["X-CSRFToken"] = http.cookies["csrftoken"]
        http.headers["Referer"] = str(http.base_url)

    def work(self, server: Server, client: int, http: httpx.Client) -> Iterator[None]:
        self.log_in(http, f"client{client}")
        for n in range(client, len(self.texts), self.clients):
            example, one = self.examples[n], self.texts[n]
            yield
            for start, end, kind in one.spans:
                span = {"start_offset": start, "end_offset": end, "label": self.kinds[kind]}
                checked(http.post(f"{self.api}/examples/{example}/spans", json=span))
            checked(http.post(f"{self.api}/examples/{example}/states", json={}))
            page = f"{self.api}/examples?limit=1&offset={n + 1}&confirmed="
            found = checked(http.get(page)).json()["results"]
            if found:
                following = f"{self.api}/examples/{found[0]['id']}"
                checked(http.get(f"{following}/spans"))
                checked(http.get(f"{following}/states"))


PEERS = {"potato": Potato, "label-studio": LabelStudio, "doccano": Doccano}
