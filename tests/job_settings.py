"""The settings of a work loop that a test starts: with the tests' own kinds of jobs, and without
the jobs that the loop asks for itself."""

from config.settings import *  # noqa: F403

JOB_KINDS = [*JOB_KINDS, "tests.job_kinds"]  # noqa: F405
WORK_JOBS = []
