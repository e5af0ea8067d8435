"""What ends the reading of a file: a code, whose sentence is in evaluation.sentences."""

from __future__ import annotations

from annotation.sentences import CodedError


class BadFile(CodedError, ValueError):
    """What is wrong in which file, line and field, and what to do."""

    catalogue = "evaluation.sentences"
