"""Work loops as processes, and what becomes of their jobs when they are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection

from annotation.actions import jobs
from annotation.models import Job
from tests.signals import hear_signals

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 200  # seconds


def database_url() -> str:
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    place = f"{given['HOST']}:{given['PORT']}/{given['NAME']}"
    return f"postgres://{given['USER']}:{given['PASSWORD']}@{place}"


@pytest.fixture
def start_loop(tmp_path):
    """Starts a work loop on the test's database; what is left of it is killed at the end."""
    loops = []

    def start() -> subprocess.Popen:
        with (tmp_path / "loops.log").open("ab") as log:
            loops.append(
                subprocess.Popen(
                    [sys.executable, "manage.py", "work", "--every", "0.2"],
                    cwd=ROOT, preexec_fn=hear_signals, stderr=log,
                    env=os.environ | {
                        "DJANGO_SETTINGS_MODULE": "tests.job_settings",
                        "DATABASE_URL": database_url(),
                        "DATA_DIR": str(tmp_path),
                    },
                )
            )  # fmt: skip
        return loops[-1]

    yield start
    for loop in loops:
        loop.kill()
        loop.wait()
    until(lambda: not any(is_alive(pid) for _, _, pid in notes(tmp_path)), "processes are left")


def until(condition, otherwise="it has not come") -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.02)


def notes(folder) -> list[tuple[str, int, int]]:
    """(what, job, process) of what the jobs have noted."""
    log = folder / "log"
    lines = log.read_text().splitlines() if log.exists() else []
    return [(what, int(job), int(pid)) for what, job, pid in (line.split() for line in lines)]


def noted(folder, what: str, times: int = 1) -> None:
    until(lambda: [n[0] for n in notes(folder)].count(what) >= times, f"nothing {what}")


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def ask(folder, number: int = 1, *, silent: bool = False) -> Job:
    """`silent`: it writes nothing to its runner, and so does not hear that nobody listens."""
    parameters = {"folder": str(folder), "number": number, "silent": silent}
    return jobs.enqueue("wait for go", parameters)


def state(job: Job) -> str:
    return Job.objects.values_list("state", flat=True).get(pk=job.pk)


def test_killed_job_is_done_again_and_one_that_is_stopped_tidies_up(start_loop, tmp_path):
    job, loop = ask(tmp_path), start_loop()
    noted(tmp_path, "begins")
    first = notes(tmp_path)[0][2]
    below = min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)  # the web server's processes
    assert os.getpriority(os.PRIO_PROCESS, first) == below
    until(lambda: Job.objects.get().sentence == "steps")
    assert Job.objects.values_list("done", "total").get() == (2, 5)

    os.kill(first, signal.SIGKILL)
    noted(tmp_path, "begins", 2)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("running", 2)

    jobs.stop(job)
    noted(tmp_path, "tidies")
    until(lambda: state(job) == "stopped")

    later = ask(tmp_path)
    noted(tmp_path, "begins", 3)
    loop.terminate()
    assert loop.wait(PATIENCE) == 0
    later.refresh_from_db()
    assert (later.state, later.attempts, later.token) == ("queued", 0, None)
    assert "Traceback" not in (tmp_path / "loops.log").read_text()


def test_two_loops_do_each_job_once_even_where_one_is_killed(start_loop, tmp_path):
    asked = [ask(tmp_path, number, silent=True) for number in range(4)]
    loops = [start_loop(), start_loop()]
    noted(tmp_path, "begins", 2)
    job, pid = notes(tmp_path)[0][1:]
    ours = next(loop for loop in loops if parent(pid) == loop.pid)
    ours.kill()
    ours.wait()
    until(lambda: not is_alive(pid), "the job goes on without anybody who watches it")

    (tmp_path / "go").touch()
    until(lambda: all(state(one) == "done" for one in asked))
    begun = Counter(number for what, number, _ in notes(tmp_path) if what == "begins")
    ended = Counter(number for what, number, _ in notes(tmp_path) if what == "ends")
    assert ended == {one.pk: 1 for one in asked}
    assert begun == {one.pk: 2 if one.pk == job else 1 for one in asked}
    assert Job.objects.get(pk=job).result == {"lines": ["It went."]}


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
