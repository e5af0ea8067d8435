"""The tables of the base app, one file a family."""

from annotation.models.assignments import (
    Assignment,
    Correction,
    Event,
    GoldScore,
    ImmutableRow,
    Response,
)
from annotation.models.campaigns import (
    PRIORITIES,
    SHUFFLE_BITS,
    Campaign,
    ConsentVersion,
    Demand,
    GoldQuestion,
    InstructionsVersion,
    Task,
)
from annotation.models.documents import Document, ImportedAnswer, ImportRun
from annotation.models.jobs import Job, NightStep
from annotation.models.knowledge import Entity, EntityName
from annotation.models.ledger import AuditEntry, CommandLock, Payment, SharedBudget
from annotation.models.links import FIRST_LINK, CampaignLink
from annotation.models.projects import Label, Member, Project
from annotation.models.rights import Appeal, Consent, Rejection
from annotation.models.rollups import CampaignForecast, Rollup, Tally
from annotation.models.secrets import ApiToken, ProjectInvitation
from annotation.models.webhooks import Webhook, WebhookDelivery
from annotation.models.workers import ANONYMOUS, Allotment, Enrollment, Worker

__all__ = [
    "ANONYMOUS",
    "FIRST_LINK",
    "PRIORITIES",
    "SHUFFLE_BITS",
    "Allotment",
    "ApiToken",
    "Appeal",
    "Assignment",
    "AuditEntry",
    "Campaign",
    "CampaignForecast",
    "CampaignLink",
    "CommandLock",
    "Consent",
    "ConsentVersion",
    "Correction",
    "Demand",
    "Document",
    "Enrollment",
    "Entity",
    "EntityName",
    "Event",
    "GoldQuestion",
    "GoldScore",
    "ImmutableRow",
    "ImportRun",
    "ImportedAnswer",
    "InstructionsVersion",
    "Job",
    "Label",
    "Member",
    "NightStep",
    "Payment",
    "Project",
    "ProjectInvitation",
    "Rejection",
    "Response",
    "Rollup",
    "SharedBudget",
    "Tally",
    "Task",
    "Webhook",
    "WebhookDelivery",
    "Worker",
]
