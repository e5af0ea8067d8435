"""Logging in and out, and the password."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth import authenticate, views
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.views.decorators.cache import never_cache

from dashboard.accounts.lockout import PasswordCheckMixin


class LogInView(PasswordCheckMixin, views.LoginView):
    template_name = "dashboard/accounts/login.html"
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
    """Asks for the old password as the log-in does: whoever guesses at it in a session that was
    left open is counted, and locked out, with those who guess at the log-in."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        old = self.cleaned_data["old_password"]
        if authenticate(self.request, username=self.user.get_username(), password=old) is None:
            problem = self.error_messages["password_incorrect"]
            raise ValidationError(problem, code="password_incorrect")
        return old


class PasswordView(PasswordCheckMixin, views.PasswordChangeView):
    form_class = PasswordForm
    template_name = "dashboard/accounts/password.html"
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
