"""Logging in and out, the password, and the page of who has tried too often."""

from __future__ import annotations

from math import ceil
from typing import Any

from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.contrib import admin, messages
from django.contrib.auth import views
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.views.decorators.cache import never_cache

log_in = views.LoginView.as_view(
    template_name="manage/login.html", redirect_authenticated_user=True
)
log_out = views.LogoutView.as_view()


class PasswordView(views.PasswordChangeView):
    template_name = "manage/password.html"
    success_url = reverse_lazy("start")

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        messages.success(self.request, "Your password is changed.")
        return answer


password = PasswordView.as_view()


@never_cache
def tables_log_in(request: HttpRequest) -> HttpResponse:
    """Where /admin/ sends whoever may not read its tables: to the one log-in page."""
    if admin.site.has_permission(request):
        return redirect("admin:index")
    if request.user.is_authenticated:
        raise PermissionDenied
    return redirect_to_login(request.GET.get("next", reverse("admin:index")))


def locked_out(
    request: HttpRequest, answer: HttpResponse | None, credentials: dict[str, Any] | None
) -> HttpResponse:
    """429, with the minutes until the lock opens. Called by django-axes."""
    username = (credentials or {}).get("username", "")
    last = AccessAttempt.objects.filter(
        username=username, ip_address=getattr(request, "axes_ip_address", None)
    ).aggregate(last=Max("attempt_time"))["last"]
    opens = (last or timezone.now()) + get_cool_off(request)
    seconds = max(1, ceil((opens - timezone.now()).total_seconds()))
    context = {"username": username, "minutes": ceil(seconds / 60), "opens": opens}
    page = render(request, "manage/locked_out.html", context, status=429)
    page.headers["Retry-After"] = str(seconds)
    return page
