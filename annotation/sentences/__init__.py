"""What went wrong as a code with a path and parameters; the sentence is made where it is shown.

Interfaces, formats and actions raise codes: `field.refuse("span.empty", start=3, end=3)`,
`raise CannotReject("rejection.paid")`. The sentences stand in one module for each audience:

- `workers`: what a worker reads. It goes through gettext, so that a language is a file.
- `managers`: what managers, commands and logs say, in English. Where a manager reads of an answer
  what its worker reads, the sentence is the worker's. `str()` of a problem is this one.

aggregation and selection have `sentences` of their own for what they raise.
"""

from annotation.sentences.problems import CodedError, Problem, problem_of, shown

__all__ = ["CodedError", "Problem", "problem_of", "shown"]
