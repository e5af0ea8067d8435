"""Of tasks made from a consensus, and of knowledge bases that it is compared with (knowledge)."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence, select

SENTENCES: dict[str, Sentence] = {
    "knowledge.refused": "{where}: {why}",
    "knowledge.no_mention": (
        "{where}: no line tells where mention '{mention}' stands. Give a line of kind mention for "
        "it."
    ),
    # What systems claim.
    "claim.no_document": "There is no document '{document}' in the project.",
    "claim.no_relation": "The project has no relation '{relation}'.",
    "claim.off_words": select(
        "side",
        subject=(
            "The subject {start}–{end} does not begin and end with a word of the document. Offsets "
            "are characters (code points), the end exclusive."
        ),
        object=(
            "The object {start}–{end} does not begin and end with a word of the document. Offsets "
            "are characters (code points), the end exclusive."
        ),
    ),
    "claim.same_words": "Subject and object are the same words.",
    "claim.types": "'{relation}' does not hold between {subject} and {object}.",
}
