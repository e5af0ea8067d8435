"""Signed tokens: the campaign's link, and the worker's key to one campaign.

Signed with SECRET_KEY (and SECRET_KEY_FALLBACKS, so links outlive a rotation). Neither names a
row number.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.conf import settings
from django.core import signing

from annotation.models import FIRST_LINK, Campaign, CampaignLink, Enrollment
from annotation.sentences import CodedError

LINK_SALT = "touchstone.link"
WORKER_SALT = "touchstone.worker"
SECONDS_PER_DAY = 86_400


class BadToken(CodedError):
    """A token that was not signed here, was cut, or has expired."""


@dataclass(frozen=True, slots=True)
class Link:
    campaign: str  # slug
    worker: str | None  # external id of an invited worker; None: a public link
    number: int = FIRST_LINK  # of its row


def campaign_link(
    campaign: Campaign, worker_id: str | None = None, number: int = FIRST_LINK
) -> str:
    """The token of a public link, or of the personal link of one invited worker."""
    value = {"c": campaign.slug, "n": number}
    if worker_id is not None:
        value["w"] = worker_id
    return signing.dumps(value, salt=LINK_SALT)


def token_of(link: CampaignLink) -> str:
    """No query where campaign and worker were selected too."""
    worker = link.worker.external_id if link.worker else None
    return campaign_link(link.campaign, worker, link.number)


def read_link(token: str) -> Link:
    try:
        value = signing.loads(token, salt=LINK_SALT)
        number = value.get("n", FIRST_LINK)  # links had none once, and some are still about
        return Link(campaign=value["c"], worker=value.get("w"), number=number)
    except (signing.BadSignature, KeyError, AttributeError, TypeError) as error:
        raise BadToken("link.broken") from error


def worker_token(enrollment: Enrollment) -> str:
    return signing.dumps(enrollment.key.hex, salt=WORKER_SALT)


def read_worker_token(token: str) -> uuid.UUID:
    """The enrollment's key."""
    try:
        return uuid.UUID(
            signing.loads(
                token, salt=WORKER_SALT, max_age=settings.WORKER_TOKEN_DAYS * SECONDS_PER_DAY
            )
        )
    except signing.SignatureExpired as error:
        raise BadToken("session.expired") from error
    except (signing.BadSignature, ValueError, TypeError, AttributeError) as error:
        raise BadToken("session.unknown") from error
