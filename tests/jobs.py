"""Jobs that a page has asked for, done at once and in the test's own process."""

from __future__ import annotations

from annotation.actions import jobs
from annotation.management.jobs import child
from annotation.models import Job


def do_jobs() -> list[Job]:
    """Do all that wait; as they are then."""
    done = []
    while job := jobs.claim():
        begun = jobs.begin(job.pk, job.token)
        child.perform(begun)
        done.append(Job.objects.get(pk=job.pk))
    return done
