"""Of a worker's state: what practice and test led to, and why a rule has paused them."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence, gettext_noop, ngettext_noop, select

SENTENCES: dict[str, Sentence] = {
    "qualification.exam": ngettext_noop(
        "Practice is over. The test comes next: {number} task without feedback. You need to get "
        "{needed:.0%} of it right.",
        "Practice is over. The test comes next: {number} tasks without feedback. You need to get "
        "{needed:.0%} of it right.",
    ),
    "qualification.passed": select(
        "stage",
        training=gettext_noop(
            "Your practice tasks were {right:.0%} right. From here on your answers are part of "
            "the result."
        ),
        exam=gettext_noop(
            "Your test tasks were {right:.0%} right. From here on your answers are part of "
            "the result."
        ),
    ),
    "qualification.failed": select(
        "stage",
        training=gettext_noop("{right:.0%} of the practice was right; {needed:.0%} is needed."),
        exam=gettext_noop("{right:.0%} of the test was right; {needed:.0%} is needed."),
    ),
    "qualification.unanswered": select(
        "stage",
        training=gettext_noop("No practice task was answered."),
        exam=gettext_noop("No test task was answered."),
    ),
    "qualification.again": select(
        "first",
        practice=gettext_noop(
            "You can try again with other tasks, and practise first: this is try {attempt} of "
            "{most}."
        ),
        same=gettext_noop("You can try again with other tasks: this is try {attempt} of {most}."),
    ),
    # By the names of `selection.algorithms.Reason`.
    "selection.paused": select(
        "reason",
        below_chance=gettext_noop("Your answers to the check tasks were no better than guessing."),
        worthless=gettext_noop("Your answers to the check tasks can’t be told from guessing."),
        over_budget=gettext_noop(
            "The campaign goes on with a smaller group. Your work was good and is paid; others "
            "did better on the check tasks."
        ),
        surplus=gettext_noop(
            "The campaign goes on with a smaller group. Your work is paid; others did better on "
            "the check tasks."
        ),
    ),
}
