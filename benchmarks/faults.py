"""The server is killed (SIGKILL) at random moments under load; nothing acknowledged may be lost.

    ./run bench faults --kills 200

Two gunicorn workers, eight clients that send again until they are answered. At each kill the
whole server goes, master and workers, and a new one starts. Exits 1 where an acknowledged answer
is missing or doubled, a task has too many, or a counter is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import throwaway

from tests.ports import free_port

CLIENTS = 8
REDUNDANCY = 4
FEWEST_TASKS = 1_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = throwaway.parsed(parser, kills=1)
    vendor = throwaway.set_up()
    # A second and a start for each kill: the quickest machine must not run out of tasks before.
    links = seed(tasks=FEWEST_TASKS + 40 * options.kills)
    port = free_port()
    stop, acknowledged, errors = threading.Event(), [], []
    threads = [
        threading.Thread(target=work, args=(port, link, stop, acknowledged, errors), daemon=True)
        for link in links
    ]
    draw = random.Random(options.seed)
    server = start(port)
    try:
        for thread in threads:
            thread.start()
        for _ in range(options.kills):
            wait_for_answers(acknowledged)
            time.sleep(draw.uniform(0.0, 1.0))
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
            server = start(port)
        wait_for_answers(acknowledged)
        stop.set()
        for thread in threads:
            thread.join()
    finally:  # also where no answer came: a server left alone would keep its caller waiting
        server.terminate()
        server.wait()
    return report(vendor, options, acknowledged, errors)


def seed(tasks: int) -> list[str]:
    from annotation.actions import campaigns, tokens
    from annotation.actions.projects import create_project
    from annotation.models import ImportRun

    project = create_project(
        slug="faults", name="Faults", schema={"entity_types": [{"name": "PER"}]}
    )
    run = ImportRun.objects.create(
        project=project, file_name="made", format="jsonl", state="complete"
    )
    throwaway.insert_documents(run, tasks, ["Ada", "met", "Bob"])
    campaign = campaigns.create_campaign(
        project, slug="faults", name="Faults", interface="entity", redundancy=REDUNDANCY,
        pay_mills=10, budget_mills=10**9,
    )  # fmt: skip
    campaigns.open_campaign(campaign)
    return [tokens.campaign_link(campaign, f"w{n}") for n in range(CLIENTS)]


def start(port: int) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "gunicorn", "config.wsgi", "--no-control-socket",
         "-w", "2", "-b", f"127.0.0.1:{port}", "--log-level", "critical"],
        start_new_session=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def wait_for_answers(acknowledged: list) -> None:
    """Until the new server has taken a few: it was killed under load, and not while it started."""
    wanted, deadline = len(acknowledged) + 10, time.perf_counter() + 300
    while len(acknowledged) < wanted:
        if time.perf_counter() > deadline:
            raise SystemExit("The server took no answer for five minutes.")
        time.sleep(0.01)


def work(port: int, link: str, stop: threading.Event, acknowledged: list, errors: list) -> None:
    import httpx

    http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
    headers: dict[str, str] = {}

    def post(path: str, body: dict) -> dict:
        while True:
            try:
                reply = http.post(path, json=body, headers=headers)
            except httpx.HTTPError:
                time.sleep(0.05)  # the server is away; every call may be sent again
                continue
            if not reply.is_success:
                errors.append(f"{path}: {reply.status_code} {reply.text[:200]}")
            return reply.raise_for_status().json()

    headers["Authorization"] = f"Worker {post('/api/work/join/', {'link': link})['token']}"
    page = post("/api/work/next/", {})
    while not stop.is_set() and page["assignment"]:
        key = page["assignment"]["key"]
        reply = post(f"/api/work/assignments/{key}/submit/", {"answer": {"mentions": []}})
        acknowledged.append((key, reply["duplicate"]))
        page = reply["next"]


def report(vendor: str, options: argparse.Namespace, acknowledged: list, errors: list) -> int:
    from annotation.actions.integrity import check_campaign
    from annotation.models import Campaign, Demand, Response

    keys = [key for key, _ in acknowledged]
    stored = {str(key) for key in Response.objects.values_list("assignment__key", flat=True)}
    findings = {
        "errors": len(errors),
        "acknowledged but missing": len(set(keys) - stored),
        "acknowledged twice": len(keys) - len(set(keys)),
        "too many answers": Demand.objects.filter(received__gt=REDUNDANCY).count(),
        "counters that are wrong": len(check_campaign(Campaign.objects.get())),
    }
    figures = {
        "database": vendor,
        "kills": options.kills,
        "acknowledged": len(keys),
        "stored before the kill, acknowledged after it": sum(again for _, again in acknowledged),
    }
    sys.stdout.write(json.dumps(figures | findings, indent=1) + "\n")
    for error in errors[:3]:
        sys.stdout.write(error + "\n")
    return 1 if any(findings.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
