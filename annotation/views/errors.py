"""Addresses that lead nowhere: a page for people, and for programs the refusal that they know."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views import defaults


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not request.path.startswith(reverse("api:schema").removesuffix("schema/")):
        return defaults.page_not_found(request, exception)
    detail = (
        "There is nothing at this address. Addresses end with a slash; "
        f"{reverse('api:docs')} lists them."
    )
    return JsonResponse({"detail": detail, "errors": []}, status=404)
