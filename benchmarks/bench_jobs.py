"""How long a worker waits for *submit with the next task* while jobs wait and one runs.

    ./run bench jobs --documents 800 --seconds 30

Two gunicorn workers and the work loop; one worker who submits ten times a second, first alone, then
while one job compares all methods on a campaign with 800 documents of three answers each and ten
others wait for it. The pages' buttons ask for them. p95 is to stay under 100 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from typing import Any

import throwaway

from tests.ports import free_port

WORDS = "Ada Lovelace met Charles Babbage in London and wrote of it to her mother in Paris"
TYPES = {"Ada": "PER", "Charles": "PER", "London": "LOC", "Paris": "LOC"}
BESIDE = [  # what the buttons ask for; the first is at work while the others wait
    ("jobs/compare_methods/", {}),
    ("jobs/aggregate/", {}),
    ("jobs/flag_workers/", {}),
    ("jobs/score_gold/", {}),
    ("gold/check/", {}),
    *(("download/", {"what": what, "format": format})
      for what in ("consensus", "responses", "workers") for format in ("jsonl", "csv")),
]  # fmt: skip
TARGET = 100  # milliseconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=800)
    parser.add_argument("--seconds", type=float, default=30, help="of each of the two measurements")
    options = throwaway.parsed(parser, documents=40, seconds=1)
    vendor = throwaway.set_up()
    session, link = seed(options.documents)
    port = free_port()
    server = started(
        "-m", "gunicorn", "config.wsgi", "--no-control-socket", "-w", "2", "--preload",
        "-b", f"127.0.0.1:{port}", "--log-level", "error",
    )  # fmt: skip
    loop = started("manage.py", "work")
    try:
        figures = measured(f"http://127.0.0.1:{port}", session, link, options.seconds)
    finally:
        for process in (loop, server):
            process.send_signal(signal.SIGTERM)
            process.wait()
    sys.stdout.write(json.dumps({"database": vendor} | vars(options) | figures, indent=1) + "\n")


def started(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, *command], stdin=subprocess.DEVNULL)


def seed(documents: int) -> tuple[str, str]:
    """A manager's session, and a worker's link to a campaign beside the one that jobs are about."""
    from django.contrib.auth.models import User
    from django.test import Client

    from annotation.actions import assignments, campaigns, tokens, workers
    from annotation.actions.projects import create_project
    from annotation.models import ImportRun

    manager = User.objects.create_user("manager")
    project = create_project(
        slug="jobs", name="Jobs", owner=manager,
        schema={"entity_types": [{"name": "PER"}, {"name": "LOC"}]},
    )  # fmt: skip
    run = ImportRun.objects.create(
        project=project, file_name="made", format="jsonl", state="complete"
    )
    throwaway.insert_documents(run, documents, WORDS.split())
    drawn = random.Random(3)
    for slug, redundancy in (("busy", 3), ("calm", 1_000)):
        campaign = campaigns.create_campaign(
            project, slug=slug, name=slug.title(), interface="entity", redundancy=redundancy
        )
        campaigns.open_campaign(campaign)
    for name in ("anna", "bo", "cy"):
        enrollment = workers.join(tokens.Link("busy", name))
        claimed = assignments.claim_next(enrollment.key)
        while claimed and (lease := claimed.assignment):
            claimed = assignments.submit(enrollment.key, lease.key, answer(drawn)).next
    client = Client()
    client.force_login(manager)
    link = tokens.campaign_link(campaign, "dora")
    return client.session.session_key, link


def answer(drawn: random.Random) -> dict[str, Any]:
    """Now and then a name is left out."""
    found = [
        {"id": f"m{place}", "start": place, "end": place + 1, "type": TYPES[word]}
        for place, word in enumerate(WORDS.split())
        if word in TYPES and drawn.random() < 0.9
    ]
    return {"mentions": found}


def measured(server: str, session: str, link: str, seconds: float) -> dict[str, Any]:
    import httpx

    from annotation.models import Job

    wait_for(server)
    with httpx.Client(base_url=server, timeout=60) as http:
        joined = http.post("/api/work/join/", json={"link": link}).json()
        headers = {"Authorization": f"Worker {joined['token']}"}
        page = http.post("/api/work/next/", json={}, headers=headers).json()
        drawn = random.Random(4)

        def cycles(most: float) -> list[float]:
            nonlocal page
            times, end = [], time.perf_counter() + most
            while time.perf_counter() < end and page.get("assignment"):
                body = {"answer": answer(drawn), "seconds": 4.0}
                begun = time.perf_counter()
                key = page["assignment"]["key"]
                reply = http.post(
                    f"/api/work/assignments/{key}/submit/", json=body, headers=headers
                )
                times.append(time.perf_counter() - begun)
                page = reply.raise_for_status().json()["next"]
                time.sleep(max(0.1 - times[-1], 0))
            return times

        alone = cycles(seconds)
        pressed = press(http, session)
        while not Job.objects.running().filter(project__isnull=False).exists():
            time.sleep(0.1)
        waiting = Job.objects.queued().count()
        beside = cycles(seconds)
        still = {state: Job.objects.filter(state=state).count() for state in Job.State.values}
    return {
        "alone": spread(alone),
        "beside jobs": spread(beside) | {"waiting at first": waiting, "at the end": still},
        "a press of a button, ms": round(max(pressed) * 1000, 1),
        "target ms": TARGET,
    }


def press(http: Any, session: str) -> list[float]:
    """The seconds that each button took to answer."""
    token = "x" * 32  # cookie and field have to agree
    http.cookies.update({"sessionid": session, "csrftoken": token})
    times = []
    for page, fields in BESIDE:
        begun = time.perf_counter()
        reply = http.post(
            f"/manage/campaigns/busy/{page}", data=fields | {"csrfmiddlewaretoken": token}
        )
        times.append(time.perf_counter() - begun)
        assert reply.status_code == 302, (page, reply.status_code)
    return times


def wait_for(server: str) -> None:
    import httpx

    for _ in range(3_000):
        try:
            httpx.get(f"{server}/robots.txt")
            return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise SystemExit("The server does not answer.")


def spread(times: list[float]) -> dict[str, Any]:
    times = sorted(times)
    places = {"p50 ms": 0.5, "p95 ms": 0.95, "p99 ms": 0.99}
    found = {name: round(times[int(share * (len(times) - 1))] * 1000, 1)
             for name, share in places.items()}  # fmt: skip
    return found | {"cycles": len(times)}


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    main()
