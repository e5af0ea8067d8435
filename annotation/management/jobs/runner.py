"""Whoever starts jobs and watches them, each in a process of its own below the web server's."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time

from django.conf import settings

from annotation.actions import jobs
from annotation.management.jobs.child import OVER, read_progress
from annotation.management.jobs.kinds import ATTEMPTS, UnknownKind, kind_of
from annotation.management.threads import ONE_THREAD
from annotation.models import Job

BEAT_EVERY = 5.0  # seconds between two signs of life
LOST = 2.0  # seconds that a process may take to end when its job has ended
GRACE = 10.0  # seconds to take back what is half done, until the process is killed
NICE = "10"
PIPE = 65_536
log = logging.getLogger("touchstone.jobs")


class Runner:
    """`look` is to be called each second or so. What the database refuses meanwhile is raised,
    and made up for by the next call."""

    def __init__(self, at_once: int):
        self.at_once = at_once
        self._children: list[Child] = []

    def look(self) -> None:
        for child in list(self._children):
            if child.look():
                self._children.remove(child)
        self._take_abandoned()
        while len(self._children) < self.at_once and (job := jobs.claim()):
            try:
                self._children.append(Child(job))
            except OSError as error:  # no memory or no process is left for it
                log.warning("Job %d (%s) can't be started now (%s).", job.pk, job.kind, error)
                jobs.give_back(job, wait=jobs.BUSY)
                break

    def stop(self) -> None:
        """What is at work goes back into the queue."""
        for child in self._children:
            child.interrupt()
        for child in self._children:
            child.end()
            jobs.give_back(child.job)
        self._children = []

    def _take_abandoned(self) -> None:
        own = {child.job.token for child in self._children}
        for job in jobs.abandoned():
            if job.token not in own:
                _take_again(job, "The process that did it has gone, or its machine has.")


class Child:
    def __init__(self, job: Job):
        self.job = job
        self._progress: tuple[int, int | None, str] = (0, None, "")
        self._rest = b""  # of a line that is not whole yet
        self._reported_at = time.monotonic()
        self._interrupted: float | None = None
        self._lost: float | None = None
        manage = [sys.executable, str(settings.BASE_DIR / "manage.py"), "run_job"]
        self._process = subprocess.Popen(
            ["nice", "-n", NICE, *manage, str(job.pk), str(job.token)],
            stdin=subprocess.PIPE,  # stays open: the child ends when it is closed
            stdout=subprocess.PIPE,
            env=ONE_THREAD | os.environ,
            start_new_session=True,  # Ctrl-C is for the loop alone
        )
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)

    def look(self) -> bool:
        """Whether it is over."""
        if (code := self._process.poll()) is not None:
            self._close()
            self._note_end(code)
            return True
        changed, now = self._read(), time.monotonic()
        if changed or now - self._reported_at >= BEAT_EVERY:
            done, total, sentence = self._progress
            found = jobs.heartbeat(self.job, done=done, total=total, sentence=sentence)
            self._reported_at = now
        else:
            found = Job.objects.held_by(self.job.token).first()
        if found is None:  # it has just written its end; or the job was deleted, or is another's
            self._lost = self._lost or now
        is_lost = self._lost is not None and now - self._lost > LOST
        if self._interrupted is None and (is_lost or (found and found.stop_asked_at)):
            self.interrupt()
        if self._interrupted is not None and now - self._interrupted > GRACE:
            self._process.kill()
        return False

    def interrupt(self) -> None:
        self._interrupted = time.monotonic()
        self._process.terminate()

    def end(self) -> None:
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._close()

    def _read(self) -> bool:
        """Take in what it tells of its progress; whether that was anything."""
        assert self._process.stdout is not None
        read = self._process.stdout.read(PIPE)
        if not read:
            return False
        *lines, self._rest = (self._rest + read).split(b"\n")
        told = [found for line in lines if (found := read_progress(line))]
        if told:
            self._progress = told[-1]
        return bool(told)

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _note_end(self, code: int) -> None:
        """The child writes how its job ended. Where it did not, the job is as it was."""
        found = Job.objects.held_by(self.job.token).first()
        if found is None:
            return
        if code != OVER:
            log.warning("Job %d (%s): its process ended with %d", found.pk, found.kind, code)
        if code < 0:
            why = f"Its process was killed (signal {-code}): the machine may be short of memory."
        else:
            why = "Its process ended without a result. The log of the work loop may tell why."
        _take_again(found, why)


def _take_again(job: Job, why: str) -> None:
    if job.stop_asked_at is not None:
        jobs.end_stopped(job)
        return
    try:
        most = kind_of(job.kind).attempts
    except UnknownKind:
        most = ATTEMPTS
    log.warning("Job %d (%s) is tried again: %s", job.pk, job.kind, why)
    jobs.take_again(job, why, most=most)
