"""How much of a body with files the server takes in."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest

FORM = 64 * 1024  # bytes of a body that are not the file


class LimitedUploads(FileUploadHandler):
    """Reads past the files of a body that is too large, so that they fill no disk. The CSRF check
    reads the body before any view can look at its length."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self.request is not None and is_too_large(self.request):
            raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


def is_too_large(request: HttpRequest) -> bool:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return length.isdigit() and int(length) > settings.MAX_UPLOAD_BYTES + FORM
