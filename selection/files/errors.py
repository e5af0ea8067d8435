"""What is wrong with files of items and labels, or with what is asked of them."""

from __future__ import annotations

from aggregation.files import data
from annotation.formats import records
from annotation.sentences import CodedError

CATALOGUE = "selection.sentences"


class BadArgument(CodedError, ValueError):
    """What was asked for can't be done, with these files or at all."""

    catalogue = CATALOGUE


class BadFile(data.BadFile):
    """What is wrong in which file, line and field, and what to do."""

    catalogue = CATALOGUE


class Refused(records.Refused):
    """Of the line that was read last."""

    catalogue = CATALOGUE


class RefusedAt(data.RefusedAt):
    """Of another line than the one that was read last; 0 is the file as a whole."""

    catalogue = CATALOGUE
