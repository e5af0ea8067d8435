"""In which language a worker's page or a reply to it is written.

What the worker chose in the frame stands in the address; their device remembers it, for a page
that is opened without it, and works in a frame that keeps nothing. Else the campaign's language
counts, else the browser's. Replies of the API follow the language of the page that asks.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_from_request

PARAMETER = "language"


def chosen_language(request: HttpRequest) -> str:
    """The one that the address names; "" where it names none, or one that is not here."""
    wanted = request.GET.get(PARAMETER, "")
    return wanted if wanted in dict(settings.LANGUAGES) else ""


def page_language(request: HttpRequest, campaign_language: str = "") -> str:
    return (
        chosen_language(request)
        or (campaign_language if campaign_language in dict(settings.LANGUAGES) else "")
        or get_language_from_request(request)
    )
