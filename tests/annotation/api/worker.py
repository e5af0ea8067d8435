"""A browser that has joined, for the tests of what it may do then."""

from __future__ import annotations

from typing import Any

from django.test import Client


class Worker:
    def __init__(self, link: str, **join: Any):
        self.http = Client(raise_request_exception=True)
        self.joined = self.http.post(
            "/api/work/join/", {"link": link} | join, content_type="application/json"
        )
        token = self.joined.json().get("token", "none")
        self.headers = {"Authorization": f"Worker {token}"}

    def call(self, method, path, body=None):
        return getattr(self.http, method)(
            f"/api/work/{path}", body or {}, content_type="application/json", headers=self.headers
        )

    def next(self, **body):
        return self.call("post", "next/", body).json()

    def act(self, key, verb, body, method="post"):
        return self.call(method, f"assignments/{key}/{verb}/", body)

    def find(self, **query):
        return self.http.get("/api/work/entities/", query, headers=self.headers)
