import sys
import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.management.jobs import child


class Command(BaseCommand):
    help = "What `work` starts for each job that a page has asked for. It is of no use by hand."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("job", type=int)
        parser.add_argument("token", type=uuid.UUID, help="under which `work` has taken the job")

    def handle(self, *, job: int, token: uuid.UUID, **options: Any) -> None:
        if code := child.do(job, token):
            sys.exit(code)
