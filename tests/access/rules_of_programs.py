"""Who may do what by a manager's program."""

from __future__ import annotations

from dashboard.api.urls import KEY, SLUG
from tests.access.rules import (
    CAMPAIGN,
    GOLD,
    MANAGERS,
    MEMBERS,
    PERIOD,
    PROJECT,
    TEAM,
    WORKER,
    Rule,
    api,
)  # fmt: skip

AP, AC = "api/projects/<slug:slug>/", "api/campaigns/<slug:slug>/"

RULES_OF_PROGRAMS: dict[str, Rule] = {
    # A manager's program.
    "api/evaluations/<uuid:key>/": api(
        "GET", read=MEMBERS | TEAM, scopes=frozenset({"read", "evaluate"}), key="period"
    ),
    AP: api("GET", "DELETE", read=MEMBERS, write=MANAGERS, **PROJECT),
    f"{AP}labels/": api("GET", "PUT", read=MEMBERS, write=MANAGERS, **PROJECT),
    f"{AP}documents/": api("GET", "POST", read=MEMBERS, write=MANAGERS, **PROJECT),
    f"{AP}imports/": api("GET", read=MEMBERS, **PROJECT),
    f"{AP}campaigns/": api("GET", "POST", read=MEMBERS, write=MANAGERS, **PROJECT),
    f"{AP}members/": api("GET", "POST", read=MEMBERS, write=MANAGERS, **PROJECT),
    f"{AP}members/<str:username>/": api(
        "PUT", "DELETE", write=MANAGERS, username="member", **PROJECT
    ),
    f"{AP}invitations/": api("GET", "POST", read=MANAGERS, write=MANAGERS, **PROJECT),
    f"{AP}invitations/<uuid:key>/": api(
        "DELETE", write=MANAGERS, key="project invitation", **PROJECT
    ),
    f"{AP}jobs/": api("GET", read=GOLD, **PROJECT),
    f"{AP}jobs/<uuid:key>/": api("GET", read=GOLD, key="job", **PROJECT),
    f"{AP}jobs/<uuid:key>/stop/": api("POST", write=MANAGERS, key="job", **PROJECT),
    f"{AP}jobs/<uuid:key>/again/": api("POST", write=MANAGERS, key="job", **PROJECT),
    f"{AP}record/": api("GET", read=MANAGERS, **PROJECT),
    f"{AP}jobs/<uuid:key>/file/": api("GET", read=GOLD, key="job", **PROJECT),
    f"{AP}webhooks/": api("GET", "POST", read=MANAGERS, write=MANAGERS, **PROJECT),
    f"{AP}webhooks/<uuid:key>/": api("DELETE", write=MANAGERS, key="webhook", **PROJECT),
    f"{AP}webhooks/<uuid:key>/deliveries/": api("GET", read=MANAGERS, key="webhook", **PROJECT),
    f"{AP}webhooks/<uuid:key>/deliveries/<uuid:delivery>/again/": api(
        "POST", write=MANAGERS, key="webhook", delivery="delivery", **PROJECT
    ),
    # Its evaluations, teams and loops.
    f"{AP}periods/": api("GET", "POST", read=MEMBERS, write=MANAGERS, **PROJECT),
    f"{AP}periods/<uuid:key>/": api("GET", "PATCH", read=MEMBERS, write=MANAGERS, **PERIOD),
    f"{AP}periods/<uuid:key>/release/": api("POST", write=MANAGERS, **PERIOD),
    f"{AP}periods/<uuid:key>/plans/": api("POST", write=MANAGERS, **PERIOD),
    f"{AP}periods/<uuid:key>/recall/": api("POST", write=MANAGERS, **PERIOD),
    f"{AP}periods/<uuid:key>/recall/links/": api("POST", write=MANAGERS, **PERIOD),
    f"{AP}periods/<uuid:key>/submissions/": api("GET", read=MEMBERS, **PERIOD),
    rf"api/^projects/{SLUG}/periods/(?P<key>{KEY})/(?P<act>score|forecast)/$": api(
        "POST", write=MANAGERS, act="score", **PERIOD
    ),
    f"{AP}teams/": api("GET", "POST", read=MEMBERS, write=MANAGERS, **PROJECT),
    "api/teams/<uuid:key>/people/": api("GET", read=MANAGERS, key="team"),
    "api/teams/<uuid:key>/people/<str:username>/": api(
        "DELETE", write=MANAGERS, key="team", username="submitter"
    ),
    "api/teams/<uuid:key>/invitations/": api(
        "GET", "POST", read=MANAGERS, write=MANAGERS, key="team"
    ),
    "api/teams/<uuid:key>/tokens/": api("GET", "POST", read=MANAGERS, write=MANAGERS, key="team"),
    rf"api/^teams/(?P<key>{KEY})/(?P<what>invitations|tokens)/(?P<row>{KEY})/$": api(
        "DELETE", write=MANAGERS, key="team", what="invitations", row="team invitation"
    ),
    f"{AP}loops/": api("GET", "POST", read=MEMBERS, write=MANAGERS, **PROJECT),
    f"{AP}loops/<uuid:key>/": api(
        "GET", "PATCH", read=MEMBERS, write=MANAGERS, key="loop", **PROJECT
    ),
    f"{AP}loops/<uuid:key>/advance/": api("POST", write=MANAGERS, key="loop", **PROJECT),
    f"{AP}loops/<uuid:key>/rounds/": api("GET", read=MEMBERS, key="loop", **PROJECT),
    f"{AP}loops/<uuid:key>/rounds/<int:number>/": api(
        "GET", read=MEMBERS, key="loop", number="1", **PROJECT
    ),
    rf"api/^projects/{SLUG}/loops/(?P<key>{KEY})/(?P<verb>pause|resume|stop)/$": api(
        "POST", write=MANAGERS, key="loop", verb="pause", **PROJECT
    ),
    f"{AP}imports/<uuid:key>/undo/": api("POST", write=MANAGERS, key="import", **PROJECT),
    f"{AP}copy/": api("POST", write=MANAGERS, **PROJECT),
    rf"api/^projects/{SLUG}/(?P<verb>archive|restore)/$": api(
        "POST", write=MANAGERS, verb="restore", **PROJECT
    ),
    f"{AC}copy/": api("POST", write=MANAGERS, **CAMPAIGN),
    f"{AC}money/": api("GET", read=MANAGERS, **CAMPAIGN),
    f"{AC}budget/": api("PUT", write=MANAGERS, **CAMPAIGN),
    f"{AC}floor/": api("PUT", write=MANAGERS, **CAMPAIGN),
    AC: api("GET", "PATCH", "DELETE", read=MEMBERS, write=MANAGERS, **CAMPAIGN),
    f"{AC}links/": api("GET", "POST", read=MANAGERS, write=MANAGERS, **CAMPAIGN),
    f"{AC}links/<int:number>/end/": api("POST", write=MANAGERS, number="1", **CAMPAIGN),
    f"{AC}files/<slug:what>/": api("POST", write=MANAGERS, what="gold", **CAMPAIGN),
    f"{AC}jobs/": api("POST", write=MANAGERS, **CAMPAIGN),
    f"{AC}download/": api("POST", write=MANAGERS, **CAMPAIGN),
    f"{AC}tasks/": api("GET", read=MEMBERS, **CAMPAIGN),
    f"{AC}workers/": api("GET", read=MEMBERS, **CAMPAIGN),
    f"{AC}workers/<uuid:key>/state/": api("POST", write=MANAGERS, **WORKER),
    f"{AC}workers/<uuid:key>/answers/": api("GET", read=MANAGERS, **WORKER),
    f"{AC}workers/<uuid:key>/answers/<uuid:answer>/rejection/": api(
        "POST", "DELETE", write=MANAGERS, answer="done", **WORKER
    ),
    f"{AC}workers/<uuid:key>/flags/<slug:kind>/": api(
        "DELETE", write=MANAGERS, kind="fast", **WORKER
    ),
    f"{AC}requests/": api("GET", read=MANAGERS, **CAMPAIGN),
    f"{AC}requests/<uuid:key>/": api("POST", write=MANAGERS, key="appeal", **CAMPAIGN),
    f"{AC}plan/": api("GET", "POST", read=GOLD, write=MANAGERS, **CAMPAIGN),
    f"{AC}served-method/": api("PUT", write=MANAGERS, **CAMPAIGN),
    f"{AC}runs/<uuid:key>/": api("PUT", write=MANAGERS, key="run", **CAMPAIGN),
    f"{AC}tasks/order/": api("POST", write=MANAGERS, **CAMPAIGN),
    f"{AC}gold/question/": api("POST", write=MANAGERS, **CAMPAIGN),
    f"{AC}gold/": api("GET", read=GOLD, **CAMPAIGN),
    f"{AC}runs/": api("GET", read=MEMBERS, **CAMPAIGN),
    f"{AC}review/": api("GET", "POST", read=GOLD, write=GOLD, **CAMPAIGN),
    f"{AC}review/task/": api("GET", read=GOLD, **CAMPAIGN),
    rf"api/^campaigns/{SLUG}/(?P<verb>open|pause|close|archive|restore)/$": api(
        "POST", write=MANAGERS, verb="pause", **CAMPAIGN
    ),
}
