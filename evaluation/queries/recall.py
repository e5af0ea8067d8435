"""What documents annotated in full have cost."""

from __future__ import annotations

from django.db.models import Sum

from annotation.models import Payment
from evaluation.models import RecallSample


def spent_on_documents(sample: RecallSample) -> int:
    """In mills, on names and relations of the documents that were drawn. Of campaigns that have
    other documents too, what these have cost alone. One query."""
    mine = Payment.objects.filter(
        campaign__in=(sample.names_id, sample.relations_id),
        assignment__task__document__in=sample.documents.values("document"),
    ).exclude(state=Payment.State.UNFUNDED)
    return int(mine.aggregate(sum=Sum("mills"))["sum"] or 0)
