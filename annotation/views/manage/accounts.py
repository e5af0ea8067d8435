"""Logging in and out, the password, and the page of who has tried too often."""

from __future__ import annotations

from math import ceil
from typing import Any, cast

from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.contrib import admin, messages
from django.contrib.auth import authenticate, views
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.validators import validate_ipv46_address
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.views.decorators.cache import never_cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle


class LogInView(views.LoginView):
    template_name = "manage/login.html"
    redirect_authenticated_user = True

    def get_redirect_url(self) -> str:  # type: ignore[override]  # the stubs are of Django 6
        """Never this page itself: whoever is logged in would be sent round in circles."""
        found = super().get_redirect_url()
        return "" if found == self.request.path else found


log_in = LogInView.as_view()


class LogOutView(views.LogoutView):
    http_method_names = ["get", "head", "post", "options"]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Logs nobody out: whoever loads a refused log-out again is shown where the button is."""
        return redirect("start" if request.user.is_authenticated else "login")


log_out = LogOutView.as_view()


class PasswordForm(PasswordChangeForm):
    """Asks for the old password as the log-in does: who guesses at it in a session that he found
    open is counted, and locked out, with those who guess at the log-in."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        old = self.cleaned_data["old_password"]
        if authenticate(self.request, username=self.user.get_username(), password=old) is None:
            problem = self.error_messages["password_incorrect"]
            raise ValidationError(problem, code="password_incorrect")
        return old


class PasswordView(views.PasswordChangeView):
    form_class = PasswordForm
    template_name = "manage/password.html"
    success_url = reverse_lazy("start")

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"request": self.request}

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


def client_address(request: HttpRequest) -> str | None:
    """As the rates of workers see it: behind a proxy, what that says. Called by django-axes."""
    address = BaseThrottle().get_ident(cast(Request, request)) or ""  # META is all it reads
    try:
        validate_ipv46_address(address)
    except ValidationError:  # none, or such as "unknown", which PostgreSQL would not keep
        return None
    return address


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
