"""Of periods, teams, submissions and plans (actions)."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence

SENTENCES: dict[str, Sentence] = {
    "period.no_documents": "Project '{project}' has no documents. Import the corpus first.",
    "period.no_relations": (
        "Project '{project}' has no relation types, so there is nothing that a system could claim. "
        "Import them under Labels."
    ),
    "period.same_name": "There is a period '{name}' already. Choose another name.",
    "period.window": "The window closes before it opens. Choose a later end.",
    "period.campaign": (
        "Campaign '{campaign}' verifies no claims of this project. Choose a campaign for relations "
        "that has not been closed."
    ),
    "period.followed": "'{name}' is followed by another period already.",
    "team.same_name": "There is a team '{name}' already. Choose another name.",
    "team.no_name": "Give the team a name.",
    "submission.not_open": "'{period}' takes no submissions before {opens:%-d %B %Y, %H:%M} UTC.",
    "submission.closed": (
        "'{period}' took submissions until {closes:%-d %B %Y, %H:%M} UTC, and takes none any more."
    ),
    "submission.system_name": (
        "A system is called by 1 to 100 characters without line breaks; found '{name}'."
    ),
    "submission.other_team": "Another team has a system called '{name}'. Choose another name.",
    "submission.empty_file": "The file is empty. Choose the file with the system's claims.",
    "submission.no_room": "The file could not be kept ({why}). Try again later.",
    "annotators.campaign": (
        "Campaign '{campaign}' finds no relations of this project. Choose one that does."
    ),
    "annotators.no_run": "Campaign '{campaign}' has no complete run. Run the aggregation first.",
    "recall.width": "The half-width wanted lies between 0 and 1; found {found}.",
    "recall.no_documents": "'{period}' has no documents any more, so none can be drawn.",
    "recall.campaign": (
        "Campaign '{campaign}' can't take them. Choose campaigns of the same project: one that "
        "asks for names, one for relations."
    ),
    "recall.no_forecast": (
        "What ± {width} takes is not computed. Compute the plan again, then choose a half-width."
    ),
    "links.no_campaign": (
        "Period '{period}' names no campaign in which it is asked who is who. Choose one first."
    ),
    "links.campaign": (
        "Campaign '{campaign}' asks nobody who is who in this project. Choose a linking campaign."
    ),
    "links.closed": "Campaign '{campaign}' is closed. Choose another, or a new one.",
    "submission.gone": "The file is not kept any more. Submit it again.",
    "submission.withdrawn": "This submission has been withdrawn already.",
    "plan.no_campaign": (
        "Period '{period}' names no campaign in which claims are verified. Choose one first."
    ),
    "plan.campaign_state": (
        "Campaign '{campaign}' is {state}. Choose another for the period: claims are asked about "
        "in one that is open, or that the first plan opens."
    ),
    "plan.not_ready": (
        "The tasks are made, but campaign '{campaign}' can't be opened: {why} Mend that, and go on "
        "with the plan."
    ),
    "plan.nothing": "No submission of '{period}' has a valid claim, so there is nothing to judge.",
    "plan.at_work": "Tasks of an earlier plan are still being made. Wait until that is done.",
    "plan.width": "The half-width is {width}. Choose one above 0 and below .5.",
    "plan.all_judged": (
        "Nothing is to be asked: the claims that this half-width needs are judged, or asked for, "
        "already."
    ),
    "plan.budget": (
        "The plan takes {needed} {currency}, and campaign '{campaign}' has {left} left. Raise its "
        "budget, or choose a wider half-width."
    ),
    "plan.changed": (
        "Submissions have come or gone since this plan was shown. Look at the new one, then "
        "confirm it."
    ),
}
