"""The jobs that look at gold and workers, and at what to ask next."""

from annotation.management.jobs.kinds import Kind, command

KINDS = [
    Kind("check_gold", "Check gold questions", command("check_gold", about="campaign")),
    Kind("flag_workers", "Flag workers", command("flag_workers", about="campaign")),
    Kind(
        "adjust_redundancy", "Ask for answers where there is doubt",
        command("adjust_redundancy", "-v0"),
    ),
]  # fmt: skip
