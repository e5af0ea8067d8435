"""Of tasks made from a consensus, and of knowledge bases that it is compared with (knowledge)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence, select

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
    # Tasks made from what a run has found, and what is exported of it.
    "export.nothing": (
        "Project '{project}' has no complete run of a campaign for entities, links or "
        "relations. Run `aggregate` first."
    ),
    "export.no_campaign": (
        "Project '{project}' has no campaign '{campaign}' for entities, links or relations."
    ),
    "export.no_run": (
        "Campaign '{campaign}' has no complete run. Make one first: aggregate --campaign {campaign}"
    ),
    "linking.no_run": (
        "Campaign '{campaign}' has not got a complete run. Run `aggregate --campaign "
        "{campaign}` first."
    ),
    "linking.no_type": "Project '{project}' has no entity type '{type}'.",
    "linking.from_entities": (
        "Campaign '{campaign}' is a {interface} campaign; mentions come from an entity campaign."
    ),
    "linking.into_linking": (
        "Campaign '{campaign}' is a {interface} campaign; give a linking campaign. "
        "`create_campaign --interface linking` makes one."
    ),
    "build.other_project": (
        "'{one}' and '{other}' belong to different projects. Give two campaigns of one project."
    ),
    "linking.closed": "Campaign '{campaign}' is closed: it takes no more tasks.",
    "linking.block_size": "A block of {number} cards does not work: give 4 to {most}.",
    "linking.most_blocks": ("Every card needs one block at least: give --most-blocks 1 or more."),
    "linking.unlike": (
        "No two of the {number:,} entities have similar names. Lower --threshold, or build "
        "tasks of all with --alone."
    ),
    "pairs.into_relations": (
        "Campaign '{campaign}' asks for {interface}. Make one that asks for relations: "
        "create_campaign SLUG --project {project} --interface relation"
    ),
    "pairs.closed": ("Campaign '{campaign}' is closed. Make another for new tasks."),
    "pairs.other_project": (
        "'{one}' and '{other}' belong to different projects. Both have to stand on the same "
        "documents."
    ),
    "pairs.no_types": (
        "Project '{project}' has no relation types. Give it some: import_relation_types FILE "
        "--project {project}"
    ),
    "pairs.from_entities": (
        "Campaign '{campaign}' asks for {interface}. Pairs are made from the names that an "
        "entity campaign has found."
    ),
    "linking.no_entity": Plural(
        "Run {run} found no entity without a link in {number:,} document: there is nothing to "
        "link.",
        "Run {run} found no entity without a link in {number:,} documents: there is nothing to "
        "link.",
        "number",
    ),
}
