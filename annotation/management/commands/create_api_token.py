from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.api_tokens import DAYS, MOST_DAYS, create_api_token
from annotation.actions.secrets import SecretRefused
from annotation.management.commands.members import account_named
from annotation.models import ApiToken


class Command(BaseCommand):
    help = (
        "A token by which a program uses the API as an account. It is printed once, and nothing "
        "else is; the database keeps a digest of it. Whoever is logged in revokes their own on "
        "the page Tokens."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="the account")
        parser.add_argument("--name", required=True, help="where it will be used")
        parser.add_argument(
            "--scope", action="append", choices=ApiToken.Scope.values, dest="scopes",
            help="what it may do; once for each (read)",
        )  # fmt: skip
        parser.add_argument("--days", type=int, default=DAYS, help=f"that it lasts ({DAYS})")

    def handle(
        self, *, username: str, name: str, scopes: list[str] | None, days: int, **options: Any
    ) -> None:
        if not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--days is {days}. Choose a number from 1 to {MOST_DAYS}.")
        account = account_named(username)
        try:
            _, secret = create_api_token(account, name, scopes or ["read"], days=days)
        except SecretRefused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(secret)
