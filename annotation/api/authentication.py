"""Workers carry a signed token in the Authorization header: no cookie, so frames work too."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.actions.tokens import BadToken, read_worker_token
from annotation.sentences import Problem, workers


@dataclass(frozen=True, slots=True)
class WorkerSession:
    """Who is asking: a worker in one campaign. Nothing has been read from the database yet."""

    enrollment_key: uuid.UUID
    is_authenticated: bool = True


class WorkerTokenAuthentication(BaseAuthentication):
    keyword = b"worker"

    def authenticate(self, request: Request) -> tuple[WorkerSession, None] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != self.keyword:
            return None
        if len(words) != 2:
            raise AuthenticationFailed(workers.sentence(Problem("request.token")))
        try:
            return WorkerSession(read_worker_token(words[1].decode())), None
        except BadToken as error:
            raise AuthenticationFailed(workers.sentence(error.problem)) from error
        except UnicodeDecodeError as error:
            unknown = workers.sentence(Problem("session.unknown"))
            raise AuthenticationFailed(unknown) from error

    def authenticate_header(self, request: Request) -> str:
        return "Worker"


class IsWorker(BasePermission):
    """A worker's token, and nothing else: a manager's session does not work as one."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return isinstance(request.user, WorkerSession)


class WorkerTokenScheme(OpenApiAuthenticationExtension):
    target_class = WorkerTokenAuthentication
    name = "workerToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Worker <token>`, with the token that joining a campaign gives.",
        }
