"""Recorded answers sent again through a running server, as their workers would have.

The file is one document a line: `id`, `tokens`, `sent_starts`, `workers` {worker: BIO tags, with
`?` for a gap}, and `gold` where it is known. Nothing stands between the worker's client and the
server: each answer goes the way that a page's answer goes.
"""

from __future__ import annotations

import gzip
import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from annotation.actions import campaigns, links, tokens
from annotation.actions.documents import import_documents
from annotation.actions.projects import create_project
from annotation.models import Campaign, ImportRun, Project

GZIP_MAGIC = b"\x1f\x8b"
TRIES = 8
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0
TIMEOUT = 30.0
LONGEST_WAIT = 120.0  # for tasks that somebody else's lease hides


class ReplayError(Exception):
    """The replay can't go on; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Recording:
    """worker → document → tags, and the entity types that occur."""

    answers: dict[str, dict[str, list[str]]]
    types: list[str]
    documents: int

    @property
    def total(self) -> int:
        return sum(len(documents) for documents in self.answers.values())


@dataclass
class Outcome:
    """What the clients saw. Latencies are seconds of a submit with its next task."""

    submitted: int = 0
    duplicates: int = 0
    retries: int = 0
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)

    def quantile(self, share: float) -> float:
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def read_recording(path: Path) -> Recording:
    """Raises ReplayError naming the line."""
    answers: dict[str, dict[str, list[str]]] = {}
    types: set[str] = set()
    number = 0
    for number, document in _lines(path):
        try:
            name, length, workers = document["id"], len(document["tokens"]), document["workers"]
            for worker, tags in workers.items():
                if len(tags) != length:
                    raise ReplayError(
                        f"Line {number}: worker '{worker}' has {len(tags)} tags for {length} "
                        "tokens. Give one tag for each token."
                    )
                types.update(tag[2:] for tag in tags if tag[:2] in ("B-", "I-"))
                answers.setdefault(worker, {})[str(name)] = tags
        except (KeyError, TypeError, AttributeError) as error:
            raise ReplayError(
                f"Line {number}: a document needs id, tokens (a list) and workers (worker → tags)."
            ) from error
    if not answers:
        raise ReplayError(f"{path} holds no answers: no line names a worker.")
    return Recording(answers, sorted(types), number)


def set_up(
    path: Path, recording: Recording, slug: str, manager: Any = None, **progress: Any
) -> tuple[Campaign, ImportRun]:
    """Project, documents, an assigned campaign and who does what; what is there already stays.

    `manager` gets a project that is new.
    """
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        types = [{"name": name} for name in recording.types]
        project = create_project(
            slug=slug, name=slug, schema={"entity_types": types}, owner=manager
        )
    run = import_documents(project, path, format="jsonl", **progress)
    campaign = project.campaigns.filter(slug=slug).first()
    if campaign is None:
        campaign = campaigns.create_campaign(
            project, slug=slug, name=f"Replay of {path.name}", interface="entity",
            assignment="assigned", redundancy=1, lease_minutes=10,
        )  # fmt: skip
    if campaign.state == Campaign.State.CLOSED:
        raise ReplayError(f"Campaign '{slug}' is closed. Choose another --project.")
    if not campaign.is_assigned:
        raise ReplayError(f"Campaign '{slug}' is not an assigned one. Choose another --project.")
    campaigns.publish_tasks(campaign)
    pairs = ((worker, name) for worker, names in recording.answers.items() for name in names)
    try:
        campaigns.allot(campaign, pairs)
    except ValueError as error:
        raise ReplayError(
            f"{error} Its line was rejected by the import ({run.rejected} were): look at "
            f"import_documents {path} --project {slug}."
        ) from error
    if campaign.state != Campaign.State.OPEN:
        campaigns.open_campaign(campaign)
    return campaign, run


def drive(
    campaign: Campaign,
    recording: Recording,
    server: str,
    clients: int,
    advance: Callable[[int], None],
) -> Outcome:
    """Act as every worker, `clients` at a time; each is one client until they have nothing left."""
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    # The busiest first, so that no client is left alone with a long list at the end.
    for worker in sorted(recording.answers, key=lambda w: -len(recording.answers[w])):
        waiting.put(worker)
    rows = links.personal_links(campaign, recording.answers)
    for row in rows.values():
        row.campaign = campaign
    tokens_of = {worker: tokens.token_of(row) for worker, row in rows.items()}
    outcome, lock = Outcome(), threading.Lock()
    errors: list[ReplayError] = []

    def work() -> None:
        with httpx.Client(base_url=server, timeout=TIMEOUT) as http:
            while not errors:
                try:
                    worker = waiting.get_nowait()
                except queue.Empty:
                    return
                try:
                    client = _Client(http, tokens_of[worker], recording.answers[worker])
                    for latency, duplicate in client.run():
                        with lock:
                            outcome.submitted += 1
                            outcome.duplicates += duplicate
                            outcome.latencies.append(latency)
                            advance(1)
                    with lock:
                        outcome.retries += client.retries
                except ReplayError as error:
                    errors.append(error)
                    return

    started = time.perf_counter()
    threads = [threading.Thread(target=work, daemon=True) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    outcome.seconds = time.perf_counter() - started
    if errors:
        raise errors[0]
    return outcome


class _Client:
    """One worker at their browser: join, then submit until the server has nothing more for them."""

    def __init__(self, http: httpx.Client, link: str, answers: dict[str, list[str]]):
        self.http, self.link, self.answers = http, link, answers
        self.retries = 0
        self.headers: dict[str, str] = {}

    def run(self) -> Iterator[tuple[float, bool]]:
        """(seconds of the cycle, was it a repetition) of each submit."""
        joined = self._post("/api/work/join/", {"link": self.link})
        self.headers = {"Authorization": f"Worker {joined['token']}"}
        page = self._post("/api/work/next/", {})
        waited = 0.0
        while True:
            lease = page["assignment"]
            if lease is None:
                pause = _pause(page["retry_at"])
                # A short rest means that a lock hid a task; a long one that nothing is left.
                if page["reason"] != "nothing_left" or pause > 10 or waited > LONGEST_WAIT:
                    if page["reason"] not in ("nothing_left", "campaign_closed"):
                        raise ReplayError(f"The server gives no task: {page['message']}")
                    return
                time.sleep(pause)
                waited += pause
                page = self._post("/api/work/next/", {})
                continue
            tags = self.answers.get(lease["task"])
            if tags is None:
                raise ReplayError(f"The server gave out '{lease['task']}', which is not recorded.")
            started = time.perf_counter()
            reply = self._post(
                f"/api/work/assignments/{lease['key']}/submit/", {"answer": {"tags": tags}}
            )
            yield time.perf_counter() - started, reply["duplicate"]
            page = reply["next"]

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Sent again with growing pauses while the server is away; every call is idempotent."""
        pause, problem = FIRST_PAUSE, ""
        for _ in range(TRIES):
            try:
                reply = self.http.post(path, json=body, headers=self.headers)
            except httpx.HTTPError as error:
                problem = f"{type(error).__name__}: {error}"
            else:
                if reply.is_success:
                    return reply.json()
                problem = f"{reply.status_code} {_detail(reply)}"
                if reply.status_code < 500 and reply.status_code != 429:
                    raise ReplayError(self._explain(path, reply))
            self.retries += 1
            time.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        raise ReplayError(
            f"{self.http.base_url} did not answer {path} after {TRIES} tries ({problem}). "
            "Start the server and run the same command again: it goes on where it stopped."
        )

    def _explain(self, path: str, reply: httpx.Response) -> str:
        if path.endswith("/join/"):
            return (
                f"The server does not know the link of this campaign ({_detail(reply)}) It has to "
                "run on the same database and secret key: the same DATABASE_URL and DATA_DIR."
            )
        return f"The server refused {path}: {reply.status_code} {_detail(reply)}"


def _detail(reply: httpx.Response) -> str:
    try:
        body = reply.json()
        errors = "; ".join(f"{e['field']}: {e['message']}" for e in body.get("errors", []))
        return f"{body['detail']} {errors}".strip()
    except (ValueError, KeyError, TypeError, AttributeError):
        return reply.text[:200]


def _pause(retry_at: str | None) -> float:
    if retry_at is None:
        return LONGEST_WAIT
    return max(0.0, (datetime.fromisoformat(retry_at) - datetime.now(UTC)).total_seconds())


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open("rb") as probe:
            packed = probe.read(2) == GZIP_MAGIC
        with (
            gzip.open(path, "rt", encoding="utf-8")
            if packed
            else path.open(encoding="utf-8") as lines
        ):
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield number, json.loads(line)
    except (OSError, ValueError, EOFError) as error:
        raise ReplayError(f"{path} can't be read: {error}") from error
