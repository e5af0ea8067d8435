"""Of a worker's way: joining, the next task, skips, handing in, consent, asking for a review."""

from __future__ import annotations

from annotation.sentences.rendering import (
    Select,
    Sentence,
    gettext_noop,
    ngettext_noop,
    select,
)

SENTENCES: dict[str, Sentence] = {
    "word.task": gettext_noop("Task {name}"),  # of which nothing is told but a code
    "appeal.not_rejected": gettext_noop(
        "This answer is not rejected: there is nothing to look at again."
    ),
    "session.no_campaign": gettext_noop("This session belongs to no campaign any more."),
    "appeal.asked": gettext_noop("You have asked already. The answer will stand here."),
    "appeal.not_paused": gettext_noop("You are not paused: there is nothing to look at again."),
    "assignment.unknown": gettext_noop("There is no such task for you. Ask for the next one."),
    "assignment.returned": gettext_noop(
        "You gave this task back, so it takes no answer any more. Go on with the next."
    ),
    "consent.changed": gettext_noop("The text has changed. Read it again, please."),
    "link.broken": gettext_noop(
        "This link is not complete. Open it again from the message it came in."
    ),
    "session.expired": gettext_noop("Your session has expired. Open your link again to go on."),
    "session.unknown": gettext_noop("This session is not known. Open your link again to go on."),
    "join.no_campaign": gettext_noop("The campaign of this link is not here any more."),
    "join.draft": gettext_noop("This campaign is not open yet. Try the link again later."),
    "join.phrase": gettext_noop(
        "Nobody has these words. Look at them again on the other device, under “My work”: there "
        "are five."
    ),
    "join.closed": gettext_noop("This campaign is closed. Thank you for your interest."),
    "join.invitation": gettext_noop(
        "This campaign is by invitation. Use the link that was sent to you."
    ),
    "join.blocked": gettext_noop(
        "You can’t join this campaign. Ask the person who sent the link why."
    ),
    "join.excluded": gettext_noop(
        "You have worked on a campaign whose workers can’t join this one. Nothing is wrong with "
        "your work; the two need different people."
    ),
    "join.unknown_link": gettext_noop(
        "This link is not known here any more. Ask the person who sent it for a new one."
    ),
    "join.ended_link": gettext_noop(
        "This link has ended. Ask the person who sent it for a new one. If you have worked here "
        "before, open it on the device that you used then, or type in your five words."
    ),
    "search.no_links": gettext_noop(
        "Names are not linked in this campaign, so there is nothing to search for."
    ),
    "correction.not_handed_in": gettext_noop(
        "This task is not handed in yet: go on with it, and submit it."
    ),
    "correction.once": gettext_noop(
        "This answer was corrected once already, and that is what counts."
    ),
    "correction.over": gettext_noop(
        "This answer can’t be corrected any more. What you handed in counts."
    ),
    "answer.not_yours": gettext_noop("You have handed in no such task."),
    # What a program sent.
    "request.answer": gettext_noop("The answer can’t be taken as it is."),
    "request.fields": gettext_noop("Some fields can’t be taken as they are."),
    "request.large": gettext_noop("The body is larger than {most} MB. Send less at a time."),
    "request.deep": gettext_noop("The body is nested too deeply. Send a flatter one."),
    "request.token": gettext_noop("Send 'Authorization: Worker <token>'."),
    "request.text_or_key": gettext_noop("Send either q, a text, or key."),
    "request.many_workers": ngettext_noop(
        "Too many people have joined from your network in a short time. Try again in {number} "
        "minute. Whoever has joined before can go on.",
        "Too many people have joined from your network in a short time. Try again in {number} "
        "minutes. Whoever has joined before can go on.",
    ),
    "request.too_many": ngettext_noop(
        "That was too much at once. Wait {number} second, then send it again.",
        "That was too much at once. Wait {number} seconds, then send it again.",
    ),
    # Why there is no task.
    "work.none": select(
        "reason",
        nothing_left=gettext_noop("There is no task for you at the moment. Ask again later."),
        campaign_draft=gettext_noop("This campaign is not open yet."),
        campaign_paused=gettext_noop(
            "This campaign is paused. Your work is kept; ask again later."
        ),
        campaign_closed=gettext_noop("This campaign is closed. Thank you for your work."),
        budget_used_up=gettext_noop(
            "The money for this campaign is used up. Thank you for your work."
        ),
        not_selected=gettext_noop("This campaign goes on with a selected group at the moment."),
        not_qualified=gettext_noop("You have not qualified for this campaign."),
        paused=gettext_noop("You are paused in this campaign."),
        blocked=gettext_noop("You can’t work in this campaign any more."),
        done=gettext_noop("You have finished. Thank you for your work."),
        invited=gettext_noop("Open your link first."),
        consent=gettext_noop(
            "Read what you are asked to agree to, and agree, before the first task."
        ),
        task_not_available=gettext_noop("That task is not yours to do, or is filled already."),
    ),
    "lease.gone": Select(
        "state",
        {
            "unknown": gettext_noop("This task is unknown; only one that you hold can be changed."),
            "leased": gettext_noop("This task is leased; only one that you hold can be changed."),
            "submitted": gettext_noop(
                "This task is submitted; only one that you hold can be changed."
            ),
            "returned": gettext_noop(
                "This task is returned; only one that you hold can be changed."
            ),
            "expired": gettext_noop("This task is expired; only one that you hold can be changed."),
            "late": gettext_noop("This task is late; only one that you hold can be changed."),
            "filled by others": gettext_noop(
                "This task is filled by others; only one that you hold can be changed."
            ),
            "held back: the worker is at another task": gettext_noop(
                "This task is held back: the worker is at another task; only one that you hold can "
                "be changed."
            ),
            "held back: the budget is used up": gettext_noop(
                "This task is held back: the budget is used up; only one that you hold can be "
                "changed."
            ),
        },
    ),
    "appeal.granted": select(
        "about",
        pause=gettext_noop("You can go on with your work."),
        rejection=gettext_noop("Your answer was looked at again. The rejection is taken back."),
    ),
    "appeal.most": ngettext_noop(
        "You have asked {number} time, and that is the last word.",
        "You have asked {number} times, and that is the last word.",
    ),
    "skips.limit": ngettext_noop(
        "You have skipped {number} task, which is the limit here. Answer this one as well as you "
        "can, or stop.",
        "You have skipped {number} tasks, which is the limit here. Answer this one as well as you "
        "can, or stop.",
    ),
    "skips.limit_reported": ngettext_noop(
        "You have reported {reports} tasks as broken and skipped {number} task, which is the limit "
        "here. Answer this one as well as you can, or stop.",
        "You have reported {reports} tasks as broken and skipped {number} tasks, which is the "
        "limit here. Answer this one as well as you can, or stop.",
    ),
}
