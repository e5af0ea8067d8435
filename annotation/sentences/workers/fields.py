"""Of one value of a body that was sent: what it is, and what is wanted (interfaces.reading)."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence, gettext_noop, ngettext_noop

SENTENCES: dict[str, Sentence] = {
    "names.more": ngettext_noop("{names} and {number} more", "{names} and {number} more"),
    "names.and": gettext_noop("{names} and {last}"),
    "names.comma": gettext_noop("{names}, {next}"),
    # What was found, as the first sentence of those below.
    "found.missing": gettext_noop("This is missing."),
    "found.null": gettext_noop("This is null."),
    "found.true": gettext_noop("This is true."),
    "found.false": gettext_noop("This is false."),
    "found.text": gettext_noop("This is the text '{text}'."),
    "found.number": gettext_noop("This is the number {value}."),
    "found.out_of_range": gettext_noop("This is a number out of range."),
    "found.list": ngettext_noop("This is a list of {number}.", "This is a list of {number}."),
    "found.object": gettext_noop("This is an object."),
    # What is wanted.
    "want.object": gettext_noop("{found} Send an object with {names}."),
    "want.list": gettext_noop("{found} Send a list."),
    "want.pair": gettext_noop("{found} Send two numbers, [start, end]."),
    "want.text": gettext_noop("{found} Send a text."),
    "want.one_of": gettext_noop("{found} Send one of {names}."),
    "want.whole": gettext_noop("{found} Send a whole number."),
    "want.number": gettext_noop("{found} Send a number."),
    "want.flag": gettext_noop("{found} Send true or false."),
    "member.unknown": gettext_noop(
        "This member is not known here. Leave it out; known are {names}."
    ),
    "list.long": ngettext_noop(
        "The list has {number} element, but at most {most} fit here.",
        "The list has {number} elements, but at most {most} fit here.",
    ),
    "text.length": ngettext_noop(
        "The text has {number} character. Send {least} to {most} characters.",
        "The text has {number} characters. Send {least} to {most} characters.",
    ),
    "name.unknown": gettext_noop("'{name}' is not known. Use one of {names}."),
    "name.none_known": gettext_noop("'{name}' is not known. Nothing is known here yet."),
    # What no database can store (annotation.text.storable).
    "storable.deep": gettext_noop("It is nested more than {most} levels deep. Send it flatter."),
    "storable.nul": gettext_noop("A text holds a NUL character. Remove it."),
    "storable.surrogate": gettext_noop(
        "A text holds half of a surrogate pair. Send whole characters."
    ),
    "storable.not_finite": gettext_noop("A number is not finite. Send null instead."),
}
