"""What evaluation keeps, one file a family."""

from evaluation.models.claims import Claim, ClaimPart, PartLabel, SubmissionClaim
from evaluation.models.periods import EvaluationPeriod
from evaluation.models.plans import Draw, SamplingPlan
from evaluation.models.recall import RecallDocument, RecallSample
from evaluation.models.scores import ScoreComparison, ScoreSnapshot, SystemScore
from evaluation.models.submissions import Submission, System
from evaluation.models.teams import Team, TeamInvitation, TeamMember, UploadToken

__all__ = [
    "Claim",
    "ClaimPart",
    "Draw",
    "EvaluationPeriod",
    "PartLabel",
    "RecallDocument",
    "RecallSample",
    "SamplingPlan",
    "ScoreComparison",
    "ScoreSnapshot",
    "Submission",
    "SubmissionClaim",
    "System",
    "SystemScore",
    "Team",
    "TeamInvitation",
    "TeamMember",
    "UploadToken",
]
