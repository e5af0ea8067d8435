import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions.members import default_manager
from annotation.actions.projects import SlugTaken, create_project
from annotation.interfaces import AnswerError
from annotation.interfaces.schema import entity_type_names
from annotation.management.commands.members import account_named, who_sees
from annotation.models import Project


class Command(BaseCommand):
    help = "Set up a project: the schema first, documents next with import_documents."

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("slug", help="the name that commands and links use: letters, digits, - and _")
        add("--name", required=True, help="the name that people read")
        schema = parser.add_mutually_exclusive_group(required=True)
        schema.add_argument(
            "--types", help='entity types, with or without a description: "PER=A person,LOC"'
        )
        schema.add_argument(
            "--schema", type=Path, metavar="FILE", help="the whole schema as JSON (UTF-8)"
        )
        add("--language", default="en", help="of the documents, such as en or pt-BR (en)")
        add("--direction", choices=Project.Direction.values, default="auto", help="of the text")
        add("--tokeniser", choices=Project.Tokeniser.values, default="words")
        add(
            "--listed",
            action="store_true",
            help="show name and progress to everyone, not logged in",
        )
        add_manager(parser)

    def handle(self, *, slug: str, types: str | None, schema: Path | None, **options: Any) -> None:
        wanted = schema_of_file(schema) if schema else schema_of_types(types or "")
        try:
            project = create_project(
                slug=slug,
                name=options["name"],
                schema=wanted,
                owner=manager_named(options["manager"]),
                language=options["language"],
                text_direction=options["direction"],
                tokeniser=options["tokeniser"],
                listed=options["listed"],
            )
        except SlugTaken as error:
            raise CommandError(str(error)) from error
        except AnswerError as error:
            raise CommandError(f"The schema can't be used. {error}") from error
        except ValidationError as error:
            problems = "; ".join(
                f"{field}: {' '.join(messages)}" for field, messages in error.message_dict.items()
            )
            raise CommandError(f"The project can't be set up. {problems}") from error
        names = entity_type_names(project.schema)
        self.stdout.write(
            f"Project '{slug}' is set up with {len(names)} entity types"
            f"{': ' if names else ''}{', '.join(names)}.\n"
            f"Import its documents: ./run manage import_documents FILE --project {slug}"
        )
        self.stdout.write(who_sees(project))


def add_manager(parser: CommandParser) -> None:
    parser.add_argument(
        "--manager",
        metavar="USERNAME",
        help="the account that owns and manages a new project "
        f"({settings.DEFAULT_MANAGER}, where there is such an account)",
    )


def manager_named(username: str | None) -> Any:
    """The account; where nobody is named, the default one, or None."""
    return default_manager() if username is None else account_named(username)


def schema_of_types(types: str) -> dict[str, Any]:
    """The schema that "PER=A person,LOC" asks for."""
    parts = (part.partition("=") for part in types.split(","))
    return {
        "entity_types": [
            {"name": name.strip(), "description": description.strip()}
            for name, _, description in parts
        ]
    }


def schema_of_file(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CommandError(f"--schema can't be read: {error}") from error
    except UnicodeDecodeError as error:
        raise CommandError(
            f"{path} is not UTF-8 from byte {error.start} on. Save it as UTF-8."
        ) from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON: {error}") from error
