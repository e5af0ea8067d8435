"""Of a practice answer: what was right and what was not (interfaces.*_feedback)."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence, gettext_noop, ngettext_noop, select

SENTENCES: dict[str, Sentence] = {
    # What stands within the others.
    "word.quoted": gettext_noop("“{name}”"),
    "word.name_typed": gettext_noop("{name} ({type})"),
    "word.name_of_document": gettext_noop("{name} ({title})"),
    "word.document": gettext_noop("Document {code}"),  # of which nothing is told but a code
    "word.yes": gettext_noop("yes"),
    "word.no": gettext_noop("no"),
    "word.unsure": gettext_noop("can’t tell"),
    "word.cant_tell": gettext_noop("Can’t tell"),
    "word.no_relation": gettext_noop("No relation"),
    "word.value": gettext_noop("{value:g}"),
    "word.choice_and_value": gettext_noop("{choice} and {value:g}"),
    # What was asked and answered, where a worker looks back.
    "word.told": gettext_noop("{about}: {said}"),
    "word.pair": gettext_noop("{subject} → {object}"),
    "word.said_yes": gettext_noop("Yes"),
    "word.said_no": gettext_noop("No"),
    "word.all_true": gettext_noop("Is all of this true?"),
    "word.all_of_it": gettext_noop("Yes, all of it"),
    "word.not_all": gettext_noop("No, not all"),
    # A choice, or a relation.
    "choice.right": gettext_noop("{known} is right."),
    "choice.wrong": gettext_noop("You chose {given}. The right answer is {known}."),
    "choice.missed": gettext_noop("You chose nothing. The right answer is {known}."),
    "choice.none": gettext_noop("You chose {given}. It was right to choose nothing."),
    # A value on a scale.
    "value.right": gettext_noop("{known:g} is right."),
    "value.wrong": gettext_noop("You chose {given:g}. The right value is {known:g}."),
    "value.missed": gettext_noop("You chose no value. The right one is {known:g}."),
    "value.none": gettext_noop("You chose {given:g}. It was right to choose no value."),
    "value.taken": gettext_noop(
        "Your {given:g} is taken: the right value is {known:g}, and from {least:g} to {most:g} is "
        "taken."
    ),
    "value.off": select(
        "direction",
        low=ngettext_noop(
            "You chose {given:g}, {number:,} step too low: the right value is {known:g}.",
            "You chose {given:g}, {number:,} steps too low: the right value is {known:g}.",
        ),
        high=ngettext_noop(
            "You chose {given:g}, {number:,} step too high: the right value is {known:g}.",
            "You chose {given:g}, {number:,} steps too high: the right value is {known:g}.",
        ),
    ),
    "value.off_taken": select(
        "direction",
        low=ngettext_noop(
            "You chose {given:g}, {number:,} step too low: the right value is {known:g}, and "
            "from {least:g} to {most:g} is taken.",
            "You chose {given:g}, {number:,} steps too low: the right value is {known:g}, and "
            "from {least:g} to {most:g} is taken.",
        ),
        high=ngettext_noop(
            "You chose {given:g}, {number:,} step too high: the right value is {known:g}, and "
            "from {least:g} to {most:g} is taken.",
            "You chose {given:g}, {number:,} steps too high: the right value is {known:g}, and "
            "from {least:g} to {most:g} is taken.",
        ),
    ),
    # A claim about a relation or one side of it.
    "word.claim_name": gettext_noop("{name} is marked in full, with nothing extra"),
    "word.claim_type": gettext_noop("{name} is of the type {type}"),
    "word.claim_link": gettext_noop("{name} means {entry}"),
    "word.claim_no_link": gettext_noop("{name} means nothing"),
    "claim.right": gettext_noop("{claim}: {known} is right."),
    "claim.wrong": gettext_noop("{claim}: you said {given}, the right answer is {known}."),
    "claim.missed": gettext_noop("{claim}: you said nothing, the right answer is {known}."),
    "claim.other": gettext_noop("{claim}: you said “{given}”, the right answer is {known}."),
    "evidence.right": ngettext_noop("Evidence: {pieces} says so.", "Evidence: {pieces} say so."),
    "evidence.missed": ngettext_noop("Evidence: {pieces} says so.", "Evidence: {pieces} say so."),
    "evidence.missed_too": ngettext_noop(
        "Evidence: {pieces} says so too.", "Evidence: {pieces} say so too."
    ),
    "evidence.extra": ngettext_noop(
        "Evidence: {pieces} does not say so.", "Evidence: {pieces} do not say so."
    ),
    "evidence.both": gettext_noop("{missed} {extra}"),
    "word.evidence_extra": ngettext_noop("{pieces} does not say so.", "{pieces} do not say so."),
    # Names in a text, and what they refer to.
    "entity.unread": ngettext_noop(
        "You looked at {read:,} of {number:,} word. Read more of the text: so little proves "
        "little.",
        "You looked at {read:,} of {number:,} words. Read more of the text: so little proves "
        "little.",
    ),
    "entity.left_out": gettext_noop("You left out the whole text."),
    "entity.right": gettext_noop("{name} is right."),
    "entity.narrower": gettext_noop("{given} counts as right. The whole name is {known}."),
    "entity.wider": gettext_noop("{given} counts as right. The name alone is {known}."),
    "entity.edge": gettext_noop("You marked {given}. The name is {known}."),
    "entity.type": gettext_noop("{name} is {known}. You marked it as {given}."),
    "entity.other": gettext_noop("You marked {given}. It should be {known}."),
    "entity.missed": gettext_noop("You missed {name}."),
    "entity.part": gettext_noop("{name} is a part of {whole}, and not marked alone."),
    "entity.extra": gettext_noop("{name} is not to be marked. You marked it as {given}."),
    "entity.together": gettext_noop("{name} is not the same as {other}. You put them together."),
    "entity.apart": gettext_noop("{name} is the same as {same}. You put them apart."),
    "entity.elsewhere": gettext_noop("{name} is the same as {same}. You put it with {other}."),
    "entity.link_extra": gettext_noop(
        "{name} has no entry in the knowledge base. You linked it to one."
    ),
    "entity.link_missed": gettext_noop(
        "{name} has an entry in the knowledge base. You gave it none."
    ),
    "entity.link_other": gettext_noop(
        "{name} has another entry than the one that you linked it to."
    ),
    "entity.date_missed": gettext_noop("{name} is {known}. You gave no date."),
    "entity.date_other": gettext_noop("{name} is {known}. You wrote {given}."),
    # Piles.
    "linking.apart": gettext_noop("{names} are the same. You put them apart."),
    "linking.apart_unsure": ngettext_noop(
        "{names} are the same. You put them apart, and chose “Can’t tell” for {number:,} card.",
        "{names} are the same. You put them apart, and chose “Can’t tell” for {number:,} cards.",
    ),
    "linking.unsure": ngettext_noop(
        "{names} is the same as {same}. You chose “Can’t tell”.",
        "{names} are the same as {same}. You chose “Can’t tell”.",
    ),
    "linking.unsure_all": gettext_noop("{names} are the same. You chose “Can’t tell”."),
    "linking.together": gettext_noop("{names} are different. You put them together."),
    "linking.nothing_sorted": gettext_noop(
        "Each card is on its own. You chose “Can’t tell” for all."
    ),
    "linking.undecided": select(
        "kind",
        hint=ngettext_noop(
            "You left {left:,} of {number:,} card undecided; that costs nothing.",
            "You left {left:,} of {number:,} cards undecided; that costs nothing.",
        ),
        undecided=ngettext_noop(
            "You left {left:,} of {number:,} card undecided. Decide more of them: so few prove "
            "little.",
            "You left {left:,} of {number:,} cards undecided. Decide more of them: so few prove "
            "little.",
        ),
    ),
    "linking.more": ngettext_noop(
        "And {number:,} more pile to put right.", "And {number:,} more piles to put right."
    ),
    "linking.link_extra": gettext_noop(
        "{name} has no entry in the knowledge base. You linked it to one; that costs nothing."
    ),
    "linking.link_missed": gettext_noop(
        "{name} has an entry in the knowledge base. You gave it none; that costs nothing."
    ),
    "linking.link_other": gettext_noop(
        "{name} has another entry than the one that you linked it to; that costs nothing."
    ),
    "linking.unsure_alone": ngettext_noop(
        "{names} is on its own. You chose “Can’t tell”; that costs nothing.",
        "{names} are each on their own. You chose “Can’t tell”; that costs nothing.",
    ),
    "linking.left_open": ngettext_noop(
        "Nobody can tell where {names} belongs. What you did there does not count.",
        "Nobody can tell where {names} belong. What you did there does not count.",
    ),
    "linking.right": ngettext_noop(
        "{name}: {number:,} card, rightly together.", "{name}: {number:,} cards, rightly together."
    ),
    "linking.alone": ngettext_noop(
        "{number:,} card is rightly on its own.", "{number:,} cards are rightly on their own."
    ),
}
