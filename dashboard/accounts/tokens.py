"""The tokens of one's own programs: made, shown once, looked through and revoked."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotation.actions.api_tokens import create_api_token, revoke_api_token
from annotation.actions.secrets import SecretRefused
from annotation.models import ApiToken
from dashboard.accounts.forms import ApiTokenForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """POST makes one, whose secret this page shows once."""
    form, secret, status = ApiTokenForm(), "", 200
    if request.method == "POST":
        form, status = ApiTokenForm(request.POST), 422
        if form.is_valid():
            try:
                _, secret = create_api_token(request.user, **form.cleaned_data)
                form, status = ApiTokenForm(), 200
            except SecretRefused as error:
                form.add_error(error.path or None, str(error))
    context = {
        "form": form,
        "secret": secret,
        "tokens": ApiToken.objects.filter(user=request.user.pk).live(timezone.now()),
    }
    return render(request, "dashboard/accounts/tokens.html", context, status=status)


@login_required
def revoke(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """POST. Somebody else's stays as it is."""
    if request.method == "POST" and revoke_api_token(request.user, key):
        messages.success(request, "The token is revoked: its programs come in no more.")
    return redirect("manage:tokens")
