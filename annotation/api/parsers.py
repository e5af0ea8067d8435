from __future__ import annotations

from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from annotation.sentences import Problem, workers


class StrictJSONParser(JSONParser):
    """JSON whose nesting can't exhaust the stack: such a body is the sender's fault, no crash."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError(workers.sentence(Problem("request.deep"))) from error
