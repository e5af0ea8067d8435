"""Of runs: what can't be aggregated, scored, or learnt from (actions)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence

SENTENCES: dict[str, Sentence] = {
    "differing.interface": (
        "Where method and vote differ is asked of choices and relations, and this is a "
        "{interface} campaign."
    ),
    "differing.clamped": (
        "The latest run was told gold, so it differs from a vote where gold does. Aggregate "
        "without --clamp-gold first."
    ),
    "differing.task": (
        "'{task}' is no task of '{campaign}'. Is it the file that was written for this campaign?"
    ),
    "aggregate.no_gold_start": (
        "Only choices and relations can begin with hidden gold: leave out start."
    ),
    "aggregate.no_answers": (
        "Campaign '{campaign}' has no answers yet. Aggregate it when workers have submitted some."
    ),
    "aggregate.changing": Plural(
        "Answers or gold were changed while they were read, {number} time. Aggregate again.",
        "Answers or gold were changed while they were read, {number} times. Aggregate again.",
        "number",
    ),
    "aggregate.replaced": "This run was taken for dead and another took its place.",
    "score.not_complete": "Run {run} is {state}. Only a complete run can be scored.",
    "score.no_gold": (
        "No answer of run {run} has gold to compare with. Import documents with a 'gold' field "
        "into the project, or make gold questions."
    ),
    "score.no_mention": (
        "No mention of run {run} is known to gold. Make gold questions of the same mentions."
    ),
    "suggest.least": ("The least confidence is {least:g}. Give a share, such as .8."),
    "suggest.no_run": "Campaign '{campaign}' has no complete run {run}.",
    "suggest.from_gold": (
        "Run {run} learnt from the answers to hidden gold, which must not reach workers through "
        "suggestions. Run first, without --clamp-gold: aggregate --campaign {campaign}"
    ),
    "suggest.no_span": (
        "The consensus of {method} has no span in a sentence that was labelled to its end: "
        "there is nothing to learn from."
    ),
    "suggest.no_consensus": (
        "Campaign '{campaign}' has no consensus yet. Run: aggregate --campaign {campaign}"
    ),
    "score.no_file": (
        "'{campaign}' is a campaign of the interface {interface}. A file is known for relation "
        "and linking campaigns; gold for others comes with documents."
    ),
    "score.unknown_to_file": "The file knows none of the mentions of run {run}.",
    "suggest.finds_nothing": (
        "{model} finds nothing, and the schema has {types}: it has nothing to suggest here."
    ),
    "suggest.other_types": (
        "{model} finds {known}, and the schema has {types}: it has nothing to suggest here."
    ),
    # Decisions of people.
    "decision.other_version": (
        "{name} decided this task after you opened it. What they decided is shown now; nothing of "
        "yours was stored. Decide again to change it."
    ),
    "decision.taken_back": (
        "The decision of this task was taken back after you opened it. Nothing was stored. Look "
        "at it again."
    ),
    "decision.nothing": "Nobody has decided task '{task}': there is nothing to take back.",
    "decision.gold_task": "Task '{task}' is a gold question: correct its answer under Quality.",
    "decision.is_gold": "The decision of task '{task}' is a gold question already.",
    "decision.not_complete": (
        "Task '{task}' has parts that nobody has decided yet. Decide them before it becomes gold."
    ),
    "serve.no_run": (
        "Campaign '{campaign}' has no complete run of {method} any more whose labels could be "
        "served. Run it, or choose another method."
    ),
    # A run that is made again.
    "refits.no_run": "Campaign '{campaign}' has no complete run yet. Aggregate it first.",
    "refits.method": (
        "Refits tell how good workers are of choices and relations, by a method that learns a "
        "model of each worker. The run that is served is one of {method}."
    ),
    "refits.changed": (
        "What the run that is served read has changed since: gold, tasks or answers. Aggregate "
        "again, then measure the workers."
    ),
    "repeat.not_complete": "Run {run} is {state}. Only a complete one can be made again.",
    "repeat.version": (
        "Run {run} was made by version {version}, and this is {now}. Make it again with that "
        "version."
    ),
    "repeat.too_old": "Run {run} does not know what it read: it is too old.",
    "repeat.changed": (
        "Run {run} can't be made again from the answers received by {as_of}: {changes}."
    ),
    "word.both": "{one}; {other}",
    "word.tasks_changed": "the answered tasks or their documents have changed",
    "word.decisions_changed": "other tasks have been decided by people, or in another way",
    "word.gold_changed": "the gold has changed (corrected, retired, or there is more of it)",
    "word.gold_answers_changed": "the answers to hidden gold are others",
    "word.schema_changed": "the project's schema or the campaign's options have changed",
    "word.doubts_changed": "the campaign now counts, or leaves out, what workers marked as unsure",
    "word.other_answers": Plural(
        "it read {number:,} answer, and this is another",
        "it read {number:,} answers, and these are as many others",
        "number",
    ),
    "word.answers_changed": Plural(
        "it read {number:,} answer, and these are {now:,}",
        "it read {number:,} answers, and these are {now:,}",
        "number",
    ),
    "word.answers_until_changed": Plural(
        "it read {number:,} answer (received by {until}), and these are {now:,}",
        "it read {number:,} answers (received by {until}), and these are {now:,}",
        "number",
    ),
}
