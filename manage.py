#!/usr/bin/env python
"""Run a management command with Touchstone's settings."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import BaseCommand, execute_from_command_line

from config.pipe import end_with_the_reader

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    end_with_the_reader()
    # `check` asks for the checks by itself, and `runserver` shows pages. Before each of the others
    # they would import every page: more than half of the time that a short command takes. None of
    # them knows --skip-checks then, except those that name their own, as `collectstatic` does.
    if sys.argv[1:2] != ["runserver"]:
        BaseCommand.requires_system_checks = []
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    finally:
        sys.stdout.flush()
