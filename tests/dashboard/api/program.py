"""A manager's program, as tests are one."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from annotation.actions.api_tokens import create_api_token


class Program:
    def __init__(self, user: Any):
        _, secret = create_api_token(user, "test", ["read", "write"])
        self.http = Client(headers={"Authorization": f"Bearer {secret}"})

    def get(self, path: str, **query: Any) -> Any:
        return self.http.get(path, query)

    def send(self, path: str, method: str = "post", **body: Any) -> Any:
        return getattr(self.http, method)(path, json.dumps(body), content_type="application/json")


def fields(reply: Any) -> set[str]:
    """Of which a refusal tells."""
    assert reply.status_code == 400, reply.content
    return {one["field"] for one in reply.json()["errors"]}
