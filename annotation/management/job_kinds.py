"""The jobs of the base app."""

from annotation.management.jobs.kinds import Kind, command

KINDS = [
    Kind("score_gold", "Score gold", command("score_gold", about="campaign"), resumes=True),
]
