"""Of members, links, requests of workers, and of what somebody else is at (actions)."""

from __future__ import annotations

from annotation.sentences.rendering import Sentence

SENTENCES: dict[str, Sentence] = {
    "job.ended": "The job has ended already.",
    "appeal.blocked_first": (
        "This worker is blocked on the whole platform. Lift that first, then answer."
    ),
    "appeal.answered": "This request was answered in the meantime.",
    "appeal.blocked": ("This worker is blocked on the whole platform. Lift that first."),
    "invitation.unknown": (
        "This invitation is not known, has been used, or is over. Ask for a new one."
    ),
    "invitation.taken": "There is an account '{user}' already. Choose another name.",
    "invitation.is_member": "{user} belongs to this team already.",
    "invitation.not_sent": ("The mail to {address} was not sent ({why}). Send the link yourself."),
    "token.unknown": "The token is not known, has been revoked, or is over. Ask for a new one.",
    "token.no_name": "Give the token a name: where it will be used.",
    "token.no_scope": "Choose at least one thing that the token may do.",
    "link.campaign_closed": "Campaign '{campaign}' is closed: nobody joins it any more.",
    "link.past": "This time has passed. Choose a later one, or none.",
    "link.no_worker": ("A list says who does what here: name the worker whom the link is for."),
    "link.not_listed": (
        "'{worker}' is not on the list of who does what. Look for a slip of the pen."
    ),
    "link.worker_name": (
        "'{worker}' can't be a worker's name: what begins with '{anonymous}' is nobody's."
    ),
    "link.no_number": "Campaign '{campaign}' has no link number {link}.",
    "link.ended": "Link {link} was ended already.",
    "lock.held": (
        "'{name}' is being worked on by {holder} since its last sign of life at {at:%H:%M:%S} "
        "UTC. Wait for it to end."
    ),
    "lock.taken": ("'{name}' has just been taken over by another process. Wait for it to end."),
    "member.no_account": (
        "There is no account '{user}'. Ask the site's administrator to make it, then add it here."
    ),
    "member.last_manager": ("{user} is the only manager. Make somebody else a manager first."),
    "member.is_member": "'{user}' is a member already. Change the role instead.",
    "project.slug_taken": (
        "There is a project '{slug}' already. Choose another slug for a new project."
    ),
    "schema.changed": (
        "Somebody else has changed the schema meanwhile. Open this page anew in another tab, "
        "and carry over what you typed here."
    ),
    "webhook.url": "Write an address that begins with https:// and names a host.",
    "webhook.url_inside": "Write an address that begins with https:// or http:// and names a host.",
    "webhook.credentials": (
        "Leave name and password, and what follows #, out of the address. Events are signed: that "
        "is how the receiver knows them."
    ),
    "webhook.inside": (
        "The address leads inside this network, where events are not sent. Use one of the "
        "internet; or whoever runs this server sets WEBHOOKS_PRIVATE=1."
    ),
    "webhook.no_events": "Choose at least one event.",
    "webhook.many": "A project has {most} webhooks at most. Delete one first.",
    "webhook.unknown_host": "The name of the host is not known.",
    "webhook.certificate": "The receiver's certificate does not prove its name.",
    "webhook.slow": "The receiver took more than {seconds} seconds.",
    "webhook.unreachable": "The receiver can't be reached ({why}).",
    "webhook.status": "The receiver answered with {status}; 200 to 299 would be right.",
    "rejection.no_reason": ("Give the reason: the worker reads it, and may ask for a review."),
    "rejection.no_answer": "This task is {state}: there is no answer to reject.",
    "rejection.rejected": "This answer is rejected already.",
    "rejection.paid": ("This answer is paid already, and can't be rejected any more."),
    "rejection.taken_back": "This rejection was taken back already.",
}
