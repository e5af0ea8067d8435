"""Which method's run serves a campaign's labels. No numerics: pages call this."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from aggregation.actions.decisions import lay_over_served
from aggregation.models import AggregationRun
from aggregation.sentences import CATALOGUE
from annotation.actions import audit
from annotation.models import Campaign
from annotation.sentences import CodedError

LATEST = "latest run"  # as the record calls it


class CannotServe(CodedError, ValueError):
    """The method has no labels that could be served."""

    catalogue = CATALOGUE


def serve(campaign: Campaign, method: str, *, user: Any = None) -> bool:
    """From now on the latest run of `method` serves labels, to pages, files, queue and rules; with
    "" the latest of all does. Whether that is a change. What people have decided meanwhile is laid
    over the run that is served now. Raises CannotServe."""
    with transaction.atomic():
        row = Campaign.objects.select_for_update().get(pk=campaign.pk)
        complete = AggregationRun.objects.complete().filter(campaign=row, as_of=None)
        if method and not complete.filter(method=method).exists():
            raise CannotServe("serve.no_run", campaign=row.slug, method=method)
        before, campaign.served_method = row.served_method, method
        if before == method:
            return False
        row.served_method = method
        row.save(update_fields=["served_method"])
        audit.record(
            row.project, "serve method", row.slug, user=user,
            before={"method": before or LATEST}, after={"method": method or LATEST},
        )  # fmt: skip
        lay_over_served(row)
    return True
