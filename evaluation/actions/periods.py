"""Evaluation periods: set up, changed, and at last their labels released."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.actions import audit
from annotation.actions.campaigns import create_campaign
from annotation.actions.webhooks import tell
from annotation.interfaces import Product, traits
from annotation.models import Campaign, Document, ImportRun, Project
from annotation.sentences import CodedError
from evaluation.models import EvaluationPeriod
from evaluation.sentences import CATALOGUE

INSTRUCTIONS = """\
Say whether the sentence tells what the system claims, and nothing else.

1. Read the whole claim: both names, their types, and how they are related.
2. **Yes, all of it** where the sentence tells it.
3. **No, not all** where any part is wrong; then say which.
"""


class CannotEvaluate(CodedError, ValueError):
    """A period can't be like this; the message says what to do."""

    catalogue = CATALOGUE


def create_period(
    project: Project,
    *,
    name: str,
    opens_at: datetime,
    closes_at: datetime | None = None,
    imports: Sequence[ImportRun] = (),
    follows: EvaluationPeriod | None = None,
    campaign: Campaign | None = None,
    metrics: Sequence[str] = ("instance",),
    match: str = EvaluationPeriod.Match.EXACT,
    level: float = 0.9,
    is_public: bool = False,
    seed: int = 0,
    user: Any = None,
) -> EvaluationPeriod:
    """On the documents of `imports`, or on all that the project has now. Audited.

    Raises CannotEvaluate.
    """
    if not project.schema.get("relation_types"):
        raise CannotEvaluate("period.no_relations", project=project.name)
    documents = Document.objects.visible().filter(project=project)
    if imports:
        documents = documents.filter(import_run__in=imports)
    if not documents.exists():
        raise CannotEvaluate("period.no_documents", "imports", project=project.name)
    check_window(opens_at, closes_at)
    check_campaign(project, campaign)
    if follows is not None and EvaluationPeriod.objects.filter(follows=follows).exists():
        raise CannotEvaluate("period.followed", "follows", name=follows.name)
    try:
        with transaction.atomic():
            period = EvaluationPeriod.objects.create(
                project=project, name=name, opens_at=opens_at, closes_at=closes_at,
                follows=follows, campaign=campaign, metrics=list(metrics), match=match,
                level=level, is_public=is_public, seed=seed, created_by=user,
            )  # fmt: skip
            period.documents.add(*documents.values_list("pk", flat=True))
            audit.record(project, "new evaluation period", name, user=user)
    except IntegrityError as error:
        raise CannotEvaluate("period.same_name", "name", name=name) from error
    return period


def change_period(period: EvaluationPeriod, *, user: Any = None, **changes: Any) -> bool:
    """Window, campaign, and who sees the scores; whether anything is another now. Documents, rule
    of matching and seed stay, or what was judged would be of something else. Audited.

    Raises CannotEvaluate.
    """
    changed = {name: value for name, value in changes.items() if getattr(period, name) != value}
    if not changed:
        return False
    opens, closes = (changes.get(one, getattr(period, one)) for one in ("opens_at", "closes_at"))
    check_window(opens, closes)
    if "campaign" in changed:
        check_campaign(period.project, changed["campaign"])
    before = {name: str(getattr(period, name)) for name in changed}
    for name, value in changed.items():
        setattr(period, name, value)
    with transaction.atomic():
        period.save(update_fields=list(changed))
        audit.record(
            period.project, "edit evaluation period", period.name, user=user, before=before,
            after={name: str(value) for name, value in changed.items()},
        )  # fmt: skip
    return True


def make_claims_campaign(
    period: EvaluationPeriod, *, pay_mills: int, redundancy: int, user: Any = None
) -> Campaign:
    """A draft in which the period's claims are verified; the first plan opens it. One that the
    period has is kept."""
    with transaction.atomic():
        row = EvaluationPeriod.objects.select_for_update(no_key=True).get(pk=period.pk)
        if row.campaign is None:
            made = create_campaign(
                period.project, slug=f"claims-{str(period.key)[:8]}",
                name=f"Claims of {period.name}"[:100], interface="relation",
                instructions=INSTRUCTIONS, redundancy=redundancy, pay_mills=pay_mills, user=user,
            )  # fmt: skip
            change_period(row, campaign=made, user=user)
        period.campaign = row.campaign
    assert row.campaign is not None  # by now
    return row.campaign


def release_labels(period: EvaluationPeriod, *, user: Any = None) -> bool:
    """Teams may download what was judged, from now on for good. Audited."""
    now = timezone.now()
    with transaction.atomic():
        rows = EvaluationPeriod.objects.filter(pk=period.pk, labels_released_at=None)
        released = rows.update(labels_released_at=now)
        if released:
            audit.record(period.project, "release labels", period.name, user=user)
            tell(period.project_id, "evaluation.released", period=str(period.key))
            period.labels_released_at = now
    return bool(released)


def check_window(opens_at: datetime, closes_at: datetime | None) -> None:
    if closes_at is not None and closes_at <= opens_at:
        raise CannotEvaluate("period.window", "closes_at")


def check_campaign(project: Project, campaign: Campaign | None) -> None:
    if campaign is None:
        return
    fits = traits(campaign.interface).product == Product.RELATIONS
    if campaign.project_id != project.pk or not fits or campaign.state == Campaign.State.CLOSED:
        raise CannotEvaluate("period.campaign", "campaign", campaign=campaign.slug)
