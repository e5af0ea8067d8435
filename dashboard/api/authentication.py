"""Who asks the managers' API: a session of a log-in, or a program with a person's token.

A token does what its account may do, as far as its scopes go; a session has all scopes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from annotation.actions.api_tokens import use_api_token
from annotation.actions.secrets import SecretRefused
from annotation.models import ApiToken

if TYPE_CHECKING:  # REST framework's views name what is here in their own defaults
    from rest_framework.views import APIView

READ, WRITE, EVALUATE = ApiToken.Scope.values


class ApiTokenAuthentication(BaseAuthentication):
    keyword = b"bearer"

    def authenticate(self, request: Request) -> tuple[Any, ApiToken] | None:
        words = get_authorization_header(request).split()
        if len(words) != 2 or words[0].lower() != self.keyword:
            return None
        try:
            token = use_api_token(words[1].decode(errors="replace"))
        except SecretRefused as error:
            raise AuthenticationFailed(str(error)) from error
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class HasScope(BasePermission):
    """A view may name `scopes`: method → those of which one is enough. Others need `read` to be
    read, and `write` for anything else."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not isinstance(request.auth, ApiToken):
            return True
        usual = {READ} if request.method in SAFE_METHODS else {WRITE}
        enough = getattr(view, "scopes", {}).get(request.method, usual)
        if not enough.intersection(request.auth.scopes):
            raise PermissionDenied(
                f"The token “{request.auth.name}” may {' and '.join(request.auth.scopes)}. This "
                f"takes one that may {' or '.join(sorted(enough))}."
            )
        return True
