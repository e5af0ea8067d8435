from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from annotation.actions.accounts import clear_log_ins


class Command(BaseCommand):
    help = (
        "Delete what is kept of log-ins: those older than LOGIN_LOG_DAYS, failed ones that lock "
        "nothing any more, and sessions that are over."
    )

    def handle(self, **options: Any) -> None:
        log_ins, failed, sessions = clear_log_ins(settings.LOGIN_LOG_DAYS)
        self.stdout.write(
            f"{log_ins:,} log-in{'' if log_ins == 1 else 's'} of more than "
            f"{settings.LOGIN_LOG_DAYS} days ago deleted, {failed:,} that failed, and "
            f"{sessions:,} session{'' if sessions == 1 else 's'} that ended."
        )
