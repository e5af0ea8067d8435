"""A picture that a task shows."""

from __future__ import annotations

from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_safe

from annotation.actions.pictures import find_picture
from annotation.formats.pictures import KINDS


@require_safe
def picture(request: HttpRequest, name: str) -> FileResponse:
    path = find_picture(name)
    if path is None:
        raise Http404
    reply = FileResponse(path.open("rb"), content_type=KINDS[path.suffix[1:]])
    # The name is the digest of the content: what was seen once never changes.
    reply["Cache-Control"] = "private, max-age=31536000, immutable"
    return reply
