from __future__ import annotations

from annotation.admin.raw_tables import RawTable, register_tables


class Named(RawTable):
    searched = ("name",)


class Claims(RawTable):
    searched = ("code",)
    grows = True


class Grows(RawTable):
    grows = True


register_tables(
    "evaluation",
    {
        "Claim": Claims,
        "ClaimPart": Grows,
        "Draw": Grows,
        "EvaluationPeriod": Named,
        "PartLabel": Grows,
        "SubmissionClaim": Grows,
        "System": Named,
        "Team": Named,
    },
)
