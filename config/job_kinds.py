"""The night as a job of the loop."""

from annotation.management.jobs.kinds import Kind, command

KINDS = [Kind("night", "Run the night's steps", command("night"))]
