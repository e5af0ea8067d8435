"""The jobs that infer, compare and write labels. What they load is loaded when they run."""

from annotation.management.jobs.kinds import Kind, command

KINDS = [
    Kind("refresh_consensus", "Refresh the consensus", command("refresh_consensus", "-v0")),
    Kind("aggregate", "Run aggregation", command("aggregate", about="campaign")),
]
