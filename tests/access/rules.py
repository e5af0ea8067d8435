"""Who may do what at which address: one rule for each route of the URL configuration.

test_matrix.py walks the URL configuration and asks every address with every method as everybody.
A route without a rule fails there: add a line to RULES, `page(...)` for one under /manage/, or
whichever of the functions below describes it, and for each parameter of the route the name of
something in `World.names` (world.py) to put there. A method that a rule does not name has to be
refused to all, or to answer as GET does, and may write nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Seen(StrEnum):
    """What becomes of a request, by its status."""

    LET_IN = "let in"  # a page, a redirect, or words about what is wrong with the request itself
    LOG_IN = "sent to the log-in"
    UNKNOWN = "401"
    FORBIDDEN = "403"
    HIDDEN = "404"
    METHOD = "405"


Roles = frozenset[str]
ROLES = (
    "stranger",
    "worker",  # a token of the campaign, and no account
    "other worker",  # a token of another campaign
    "account",  # logged in, a member of nothing
    "other manager",  # of another project
    "submitter",  # of one of the project's teams, and no member
    "viewer",
    "reviewer",
    "manager",
    "staff",  # Django's box, with every permission: it opens nothing
    "superuser",
)
EVERYBODY = frozenset(ROLES)
WITHOUT_ACCOUNT = frozenset({"stranger", "worker", "other worker"})
ACCOUNTS = EVERYBODY - WITHOUT_ACCOUNT
MANAGERS = frozenset({"manager", "superuser"})
GOLD = MANAGERS | {"reviewer"}
MEMBERS = GOLD | {"viewer"}
ADMIN = frozenset({"superuser"})
WORKERS = frozenset({"worker", "other worker"})
EVALUATE = frozenset({"evaluate"})
OWN = frozenset({"worker"})
TEAM = frozenset({"submitter"})


@dataclass(frozen=True)
class Rule:
    allows: Mapping[str, Roles]  # method → who is let in
    refused: Callable[[str], Seen]  # what the others meet
    names: Mapping[str, str] = field(default_factory=dict)  # parameter → in World.names, or itself
    body: Mapping[str, object] | None = None  # where only one that can be read is looked at
    # Of which a person's token needs one; None: `read` to be read, `write` to change anything.
    scopes: frozenset[str] | None = None

    def opens_to(self, scope: str, method: str) -> bool:
        """Whether a token with this scope alone is enough."""
        usual = {"read"} if method in ("GET", "HEAD") else {"write"}
        return scope in (usual if self.scopes is None else self.scopes)

    def allowed(self, method: str) -> Roles | None:
        """None: the rule doesn't name the method."""
        return self.allows.get("GET" if method == "HEAD" else method)


def page(*, GET: Roles, POST: Roles | None = None, **names: str) -> Rule:
    """A manager's page: whoever has no account is asked to log in, others are told of nothing."""
    allows = {"GET": GET} | ({"POST": POST} if POST else {})
    return Rule(allows, lambda who: Seen.LOG_IN if who in WITHOUT_ACCOUNT else Seen.HIDDEN, names)


def public(*methods: str, **names: str) -> Rule:
    return Rule(dict.fromkeys(methods, EVERYBODY), lambda who: Seen.METHOD, names)


def work(
    methods: str, roles: Roles = WORKERS, body: Mapping[str, object] | None = None, **names: str
) -> Rule:
    """A worker's token and nothing else; no other worker's assignment."""
    refused = lambda who: Seen.HIDDEN if who in WORKERS else Seen.UNKNOWN  # noqa: E731
    return Rule(dict.fromkeys(methods.split(), roles), refused, names, body)


def api(*methods: str, read: Roles | None = None, write: Roles | None = None,
        scopes: frozenset[str] | None = None, **names: str) -> Rule:  # fmt: skip
    """A manager's program: the session of a log-in, or a token of that account's."""
    refused = lambda who: Seen.UNKNOWN if who in WITHOUT_ACCOUNT else Seen.HIDDEN  # noqa: E731
    allows = {one: (read if one == "GET" else write) or EVERYBODY for one in methods}
    return Rule(allows, refused, names, scopes=scopes)


def team(*methods: str, scopes: frozenset[str] | None = None, **names: str) -> Rule:
    """A team's token, or a person's own where there are `scopes`; and no session."""
    allows = dict.fromkeys(methods, frozenset())
    return Rule(allows, lambda who: Seen.UNKNOWN, names, scopes=scopes)


PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")


def address(route: str, rule: Rule, names: Mapping[str, object]) -> str:
    def put(found: re.Match[str]) -> str:
        name = rule.names[found[1] or found[2]]
        return str(names.get(name, name))

    return "/" + PARAMETER.sub(put, route).replace("^", "").replace("$", "")


NOTHING = {"mentions": []}
OPENED = {"number": 1, "at": "2026-11-21T10:00:00Z", "kind": "opened"}
PROJECT = {"slug": "project"}
CAMPAIGN = {"slug": "campaign"}
WORKER = CAMPAIGN | {"key": "enrollment"}
PERIOD = PROJECT | {"key": "period"}
P, C, A = "manage/projects/<slug:slug>/", "manage/campaigns/<slug:slug>/", "api/work/assignments/"
E, T = f"{P}evaluation/<uuid:key>/", "manage/teams/<uuid:key>/"
S = "manage/submissions/<uuid:key>/"

RULES: dict[str, Rule] = {
    # For everybody.
    "": public("GET"),
    "robots.txt": public("GET"),
    "join/<str:link>/": public("GET", link="link"),
    "pictures/<str:name>": public("GET", name="picture"),
    "invitations/<str:secret>/": public("GET", "POST", secret="invitation"),
    "login/": public("GET", "POST"),
    "logout/": public("GET", "POST"),
    "api/work/join/": public("POST"),
    "api/work/try/": public("POST"),
    "api/schema/": public("GET"),
    "api/docs/": public("GET"),
    # They lead on, and tell nothing.
    f"{P}schema/": public("GET", **PROJECT),
    f"{P}schema/relations/": public("GET", **PROJECT),
    f"{P}members/": public("GET", **PROJECT),
    f"{P}members/<str:username>/": public("GET", username="anybody", **PROJECT),
    # For whoever has an account.
    "password/": page(GET=ACCOUNTS, POST=ACCOUNTS),
    "manage/new-project/": page(GET=ACCOUNTS, POST=ACCOUNTS),
    "manage/set-up/": page(GET=ACCOUNTS, POST=ACCOUNTS),
    "manage/go/": page(GET=ACCOUNTS),
    "manage/go.json": page(GET=ACCOUNTS),
    "manage/tokens/": page(GET=ACCOUNTS, POST=ACCOUNTS),
    "manage/tokens/<uuid:key>/revoke/": page(GET=ACCOUNTS, POST=ACCOUNTS, key="token"),
    "api/projects/": api("GET", "POST", read=ACCOUNTS, write=ACCOUNTS),
    # A campaign's set-up.
    f"{P}set-up/": page(GET=MANAGERS, POST=MANAGERS, **PROJECT),
    f"{C}set-up/": page(GET=MANAGERS, **CAMPAIGN),
    f"{C}set-up/<slug:step>/": page(GET=MANAGERS, POST=MANAGERS, step="gold", **CAMPAIGN),
    f"{C}keep/<slug:act>/": page(GET=MANAGERS, POST=MANAGERS, act="archive", **CAMPAIGN),
    f"{P}keep/<slug:act>/": page(GET=MANAGERS, POST=MANAGERS, act="archive", **PROJECT),
    # A project.
    P: page(GET=MEMBERS, **PROJECT),
    f"{P}labels/": page(GET=MEMBERS, POST=MANAGERS, **PROJECT),
    f"{P}people/": page(GET=MEMBERS, POST=MANAGERS, **PROJECT),
    f"{P}people/<str:username>/": page(GET=MANAGERS, POST=MANAGERS, username="member", **PROJECT),
    f"{P}invitations/": page(GET=MANAGERS, POST=MANAGERS, **PROJECT),
    f"{P}invitations/<uuid:key>/revoke/": page(
        GET=MANAGERS, POST=MANAGERS, key="project invitation", **PROJECT
    ),
    f"{P}knowledge/import/": page(GET=MANAGERS, POST=MANAGERS, **PROJECT),
    f"{P}labels/relations/": page(GET=MANAGERS, POST=MANAGERS, **PROJECT),
    f"{P}import/": page(GET=MANAGERS, POST=MANAGERS, **PROJECT),
    f"{P}import/<uuid:key>/": page(GET=MANAGERS, POST=MANAGERS, key="manager's upload", **PROJECT),
    f"{P}import/<uuid:key>/rejected.jsonl": page(
        GET=ADMIN,
        key="superuser's upload",
        **PROJECT,  # whoever uploaded it, and nobody else
    ),
    f"{P}imports/<uuid:key>/undo/": page(GET=MANAGERS, POST=MANAGERS, key="import", **PROJECT),
    f"{P}imports/<uuid:key>/rejected.jsonl": page(GET=MANAGERS, key="import", **PROJECT),
    f"{P}campaigns/new/": page(GET=MANAGERS, POST=MANAGERS, **PROJECT),
    f"{P}record/": page(GET=MANAGERS, **PROJECT),
    f"{P}knowledge/": page(GET=MEMBERS, **PROJECT),
    "manage/projects/<slug:slug>/knowledge.<slug:form>": page(
        GET=GOLD, POST=GOLD, form="jsonl", **PROJECT
    ),
    f"{P}documents/": page(GET=MEMBERS, **PROJECT),
    f"{P}documents/<path:document>/": page(GET=MEMBERS, document="document", **PROJECT),
    f"{P}loops/": page(GET=MEMBERS, POST=MANAGERS, **PROJECT),
    f"{P}loops/<uuid:key>/": page(GET=MEMBERS, key="loop", **PROJECT),
    f"{P}loops/<uuid:key>/change/": page(GET=MANAGERS, POST=MANAGERS, key="loop", **PROJECT),
    f"{P}loops/<uuid:key>/state/": page(GET=MANAGERS, POST=MANAGERS, key="loop", **PROJECT),
    f"{P}loops/<uuid:key>/advance/": page(GET=MANAGERS, POST=MANAGERS, key="loop", **PROJECT),
    f"{P}loops/<uuid:key>/rounds/<int:number>/": page(
        GET=MEMBERS, key="loop", number="1", **PROJECT
    ),
    # Teams, and strangers where it is public: tests/dashboard/systems/test_leaderboard.py.
    f"{P}evaluation/<uuid:key>/board/": page(GET=MEMBERS | TEAM, key="period", **PROJECT),
    f"{P}evaluation/<uuid:key>/board.csv": page(GET=MEMBERS | TEAM, key="period", **PROJECT),
    f"{P}evaluation/<uuid:key>/systems/<uuid:submission>/": page(
        GET=MEMBERS | TEAM, key="period", submission="submission", **PROJECT
    ),
    f"{P}webhooks/": page(GET=MANAGERS, POST=MANAGERS, **PROJECT),
    f"{P}webhooks/<uuid:key>/delete/": page(GET=MANAGERS, POST=MANAGERS, key="webhook", **PROJECT),
    f"{P}webhooks/<uuid:key>/<uuid:delivery>/again/": page(
        GET=MANAGERS, POST=MANAGERS, key="webhook", delivery="delivery", **PROJECT
    ),
    f"{P}jobs/": page(GET=GOLD, **PROJECT),
    f"{P}jobs/<uuid:key>/": page(GET=GOLD, key="job", **PROJECT),
    f"{P}jobs/<uuid:key>/stop/": page(GET=MANAGERS, POST=MANAGERS, key="job", **PROJECT),
    f"{P}jobs/<uuid:key>/again/": page(GET=MANAGERS, POST=MANAGERS, key="job", **PROJECT),
    f"{P}jobs/<uuid:key>/file/": page(GET=GOLD, key="job", **PROJECT),
    # Evaluation. Another team's: tests/dashboard/systems/test_submitters.py.
    f"{P}evaluation/": page(GET=MEMBERS, **PROJECT),
    f"{P}evaluation/periods/": page(GET=MANAGERS, POST=MANAGERS, **PROJECT),
    f"{P}evaluation/teams/": page(GET=MANAGERS, POST=MANAGERS, **PROJECT),
    E: page(GET=MEMBERS, **PERIOD),
    f"{E}change/": page(GET=MANAGERS, POST=MANAGERS, **PERIOD),
    f"{E}campaign/": page(GET=MANAGERS, POST=MANAGERS, **PERIOD),
    f"{E}release/": page(GET=MANAGERS, POST=MANAGERS, **PERIOD),
    f"{E}score/": page(GET=MANAGERS, POST=MANAGERS, **PERIOD),
    f"{E}plan/": page(GET=MEMBERS, POST=MANAGERS, **PERIOD),
    f"{E}forecast/": page(GET=MANAGERS, POST=MANAGERS, **PERIOD),
    f"{E}recall/": page(GET=MEMBERS, POST=MANAGERS, **PERIOD),
    f"{E}recall/links/": page(GET=MANAGERS, POST=MANAGERS, **PERIOD),
    T: page(GET=MEMBERS | TEAM, key="team"),
    f"{T}submit/": page(GET=MANAGERS | TEAM, POST=MANAGERS | TEAM, key="team"),
    f"{T}invite/": page(GET=MANAGERS, POST=MANAGERS, key="team"),
    f"{T}tokens/": page(GET=MANAGERS, POST=MANAGERS, key="team"),
    f"{T}revoke/<slug:what>/<uuid:row>/": page(
        GET=MANAGERS, POST=MANAGERS, key="team", what="token", row="token"
    ),
    f"{T}people/<str:username>/remove/": page(
        GET=MANAGERS, POST=MANAGERS, key="team", username="submitter"
    ),
    "manage/periods/<uuid:key>/corpus.jsonl": page(GET=MEMBERS | TEAM, key="period"),
    "manage/periods/<uuid:key>/labels.jsonl": page(GET=GOLD, key="period"),
    S: page(GET=MEMBERS | TEAM, key="submission"),
    f"{S}files/<slug:what>/": page(GET=MEMBERS | TEAM, key="submission", what="file"),
    f"{S}withdraw/": page(GET=MANAGERS | TEAM, POST=MANAGERS | TEAM, key="submission"),
    # A campaign.
    C: page(GET=MEMBERS, **CAMPAIGN),
    f"{C}import/<slug:what>/": page(GET=MANAGERS, POST=MANAGERS, what="gold", **CAMPAIGN),
    f"{C}edit/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}state/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}budget/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}code/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}links/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}links/<int:number>/end/": page(GET=MANAGERS, POST=MANAGERS, number="1", **CAMPAIGN),
    f"{C}jobs/<slug:kind>/": page(GET=MANAGERS, POST=MANAGERS, kind="aggregate", **CAMPAIGN),
    f"{C}download/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}runs/<uuid:key>/": page(GET=MEMBERS, key="run", **CAMPAIGN),
    f"{C}runs/<uuid:key>/pin/": page(GET=MANAGERS, POST=MANAGERS, key="run", **CAMPAIGN),
    f"{C}appeals/": page(GET=MANAGERS, **CAMPAIGN),
    f"{C}appeals/<uuid:key>/": page(GET=MANAGERS, POST=MANAGERS, key="appeal", **CAMPAIGN),
    f"{C}tasks/": page(GET=MEMBERS, **CAMPAIGN),
    f"{C}tasks/add/": page(GET=MANAGERS, POST=MANAGERS, slug="into"),
    f"{C}review/": page(GET=GOLD, **CAMPAIGN),
    f"{C}review/decide/": page(GET=GOLD, POST=GOLD, **CAMPAIGN),
    f"{C}money/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}plan/": page(GET=GOLD, **CAMPAIGN),
    f"{C}plan/forecast/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}results/": page(GET=MEMBERS, **CAMPAIGN),
    f"{C}served-method/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}settings/": page(GET=MEMBERS, **CAMPAIGN),
    f"{C}next/<slug:interface>/": page(
        GET=MANAGERS, POST=MANAGERS, interface="relation", **CAMPAIGN
    ),
    f"{C}workers/": page(GET=MEMBERS, **CAMPAIGN),
    f"{C}workers/states/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}tasks/order/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}workers/<uuid:key>/": page(GET=MEMBERS, **WORKER),
    f"{C}workers/<uuid:key>/state/": page(GET=MANAGERS, POST=MANAGERS, **WORKER),
    f"{C}workers/<uuid:key>/flags/<slug:kind>/": page(
        GET=MANAGERS, POST=MANAGERS, kind="fast", **WORKER
    ),
    f"{C}workers/<uuid:key>/answers/<uuid:assignment>/": page(
        GET=MANAGERS, POST=MANAGERS, assignment="done", **WORKER
    ),
    f"{C}selection/": page(GET=MEMBERS, **CAMPAIGN),
    f"{C}selection/try/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}selection/rules/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}quality/": page(GET=GOLD, **CAMPAIGN),
    f"{C}gold/": page(GET=GOLD, POST=MANAGERS, **CAMPAIGN),
    f"{C}gold/answer/": page(GET=MANAGERS, **CAMPAIGN),
    f"{C}gold/check/": page(GET=MANAGERS, POST=MANAGERS, **CAMPAIGN),
    f"{C}gold/questions/<path:task>/": page(GET=GOLD, POST=MANAGERS, task="task", **CAMPAIGN),
    # A worker.
    "api/work/next/": work("POST"),
    "api/work/consent/": work("POST"),
    "api/work/appeal/": work("POST"),
    "api/work/history/": work("GET"),
    "api/work/phrase/": work("POST"),
    "api/work/entities/": work("GET"),
    "api/work/finish/": work("POST"),
    f"{A}<uuid:key>/": work("GET", OWN, key="done"),
    f"{A}<uuid:key>/correction/": work("PUT", OWN, {"answer": NOTHING}, key="done"),
    f"{A}<uuid:key>/draft/": work("GET PUT", OWN, {"answer": NOTHING}, key="lease"),
    f"{A}<uuid:key>/submit/": work("POST", OWN, {"answer": NOTHING, "seconds": 9}, key="lease"),
    f"{A}<uuid:key>/return/": work("POST", OWN, {"reason": "It is cut."}, key="lease"),
    f"{A}<uuid:key>/events/": work("POST", OWN, {"events": [OPENED]}, key="lease"),
    # A team's program, by a token of its own: tests/dashboard/systems/test_submitters.py.
    "api/answering/<path:step>": team("GET", "POST", "PUT", step="next/"),
    "api/submissions/": team("GET", "POST", scopes=EVALUATE),
    "api/submissions/<uuid:key>/": team("GET", scopes=EVALUATE, key="submission"),
}
