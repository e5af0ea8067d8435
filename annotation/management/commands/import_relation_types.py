from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.projects import SchemaChanged
from annotation.actions.relation_types import replace_relation_types
from annotation.formats.records import FormatError
from annotation.formats.relations import COLUMNS
from annotation.interfaces import AnswerError
from annotation.management.people import add_by, user_of
from annotation.models import Project


class Command(BaseCommand):
    help = (
        "Take a project's relation types from a CSV file: "
        f"{', '.join(COLUMNS)}. They replace those that the project has; answers stay."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--project", required=True, metavar="SLUG")
        add_by(parser)

    def handle(self, *, file: Path, project: str, by: str | None, **options: Any) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(f"There is no project '{project}'.")
        try:
            done = replace_relation_types(found, file, user=user_of(by))
        except (FormatError, SchemaChanged) as error:
            raise CommandError(str(error)) from error
        except AnswerError as error:
            raise CommandError(f"{file.name} can't be used. {error}") from error
        self.stdout.write(done)
