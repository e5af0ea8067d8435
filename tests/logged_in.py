"""How a client is logged in by force: as the log-in would have left it, without its ceremony.

Django's way saves an empty session, moves it to another key, notes the hour and has django-axes
write its log: nineteen statements. Here it is one session, in three. What the log-in itself does is
tested by its page.
"""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import Client
from django.utils.crypto import get_random_string

_as_django_does = Client.force_login


def force_login(client: Client, user: Any, backend: str | None = None) -> None:
    """Takes the place of Client.force_login."""
    if settings.SESSION_COOKIE_NAME in client.cookies:  # there is a session, which stays
        _as_django_does(client, user, backend)
        return
    user.backend = backend or client._get_backend()
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = user._meta.pk.value_to_string(user)
    session[BACKEND_SESSION_KEY] = user.backend
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session._session_key = get_random_string(32)
    session.save(must_create=True)
    client._set_login_cookies(SimpleNamespace(session=session))
