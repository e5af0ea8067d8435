from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.projects import SchemaChanged, schema_digest, set_schema
from annotation.formats.records import FormatError
from annotation.formats.relations import COLUMNS, read_relation_types
from annotation.interfaces import AnswerError
from annotation.models import Project


class Command(BaseCommand):
    help = (
        "Take a project's relation types from a CSV file: "
        f"{', '.join(COLUMNS)}. They replace those that the project has; answers stay."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--project", required=True, metavar="SLUG")

    def handle(self, *, file: Path, project: str, **options: Any) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(f"There is no project '{project}'.")
        try:
            types = read_relation_types(file)
            before = found.schema
            set_schema(found, before | {"relation_types": types}, replacing=schema_digest(before))
        except (FormatError, SchemaChanged) as error:
            raise CommandError(str(error)) from error
        except AnswerError as error:
            raise CommandError(f"{file.name} can't be used. {error}") from error
        gone = {one["name"] for one in before.get("relation_types", ())} - {
            one["name"] for one in types
        }
        told = f" {len(gone)} that it had are gone." if gone else ""
        self.stdout.write(f"Project '{project}' has {len(types)} relation types now.{told}")
