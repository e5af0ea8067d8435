"""Somebody joins a team by the link that they were sent: with the account that they have, or with a
new one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from dashboard.systems.forms import AcceptForm
from dashboard.systems.views import refuse
from evaluation.actions.teams import (
    CannotTakePart,
    accept_as,
    accept_with_new_account,
    find_invitation,
)

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """The address itself is the permission: whoever has it may join, once."""
    try:
        found = find_invitation(secret)
    except CannotTakePart as error:
        told = {"problem": str(error)}
        return render(request, "dashboard/systems/invitation.html", told, status=404)
    form = AcceptForm(request.POST or None) if not request.user.is_authenticated else None
    if request.method == "POST" and (answer := _join(request, secret, form)):
        return answer
    context = {"invitation": found, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/systems/invitation.html", context, status=status)


def _join(request: HttpRequest, secret: str, form: AcceptForm | None) -> HttpResponse | None:
    try:
        if form is None:
            member = accept_as(secret, request.user)
        else:
            if not (form.is_valid() and _is_good(form)):
                return None
            member = accept_with_new_account(secret, **form.cleaned_data)
            login(request, member.user, backend=MODEL_BACKEND)
    except CannotTakePart as error:
        if form is not None:
            refuse(form, error)
            return None
        messages.error(request, str(error))
        return redirect("start")
    messages.success(request, f"You submit for “{member.team.name}” now.")
    return redirect("manage:team", member.team.key)


def _is_good(form: AcceptForm) -> bool:
    """By the rules for names and passwords of all accounts."""
    account = get_user_model()(username=form.cleaned_data["username"])
    try:
        account.clean_fields(exclude={"password"})
        validate_password(form.cleaned_data["password"], account)
    except ValidationError as error:
        told = error.message_dict if hasattr(error, "error_dict") else {"password": error.messages}
        for field, problems in told.items():
            form.add_error(field if field in form.fields else None, problems)
        return False
    return True
