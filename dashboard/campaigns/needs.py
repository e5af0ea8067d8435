"""What in a campaign waits for somebody: sentences with the way out, the most urgent first."""

from __future__ import annotations

from datetime import datetime, timedelta

from aggregation.queries.runs import NEW_ANSWERS, RunSummary
from annotation.actions.rollups import RECOUNT_AFTER
from annotation.models import Assignment, Campaign
from dashboard.campaigns.queries import CampaignPage
from dashboard.campaigns.task_list import MOST_COUNTED, disputed_tasks
from dashboard.jobs.night import failed_steps
from dashboard.jobs.queries import failed_jobs
from dashboard.needs import Need
from dashboard.workers.appeal_queries import open_appeals
from dashboard.workers.needs import needs as workers_needs

QUIET = timedelta(hours=24)  # an open campaign without an answer for so long is told
BEHIND = RECOUNT_AFTER + timedelta(minutes=10)  # nobody has counted an open campaign for so long
REPORTS = 200  # of broken tasks, the newest, that are looked at
BROKEN_TASKS = 3  # that are named
LONGEST_REASON = 120


def needs(page: CampaignPage, now: datetime, *, with_gold: bool, acts: bool = False) -> list[Need]:
    """For an opened campaign; what a draft lacks, its preflight says. Three queries, and
    three about workers.

    Without `with_gold` nothing is told from which gold could be worked out; without `acts` no
    request of a worker, no job and no step of the night that failed: each is another query.
    """
    found = [
        *(_appeals(page.campaign) if acts else ()),
        *(failed_jobs(page.campaign.project, now, page.campaign) if acts else ()),
        *(failed_steps(page.campaign) if acts else ()),
        *_money(page, with_gold),
        *_work(page, now),
        *_broken(page.campaign, with_gold),
        *(_disputed(page) if with_gold else ()),
        *workers_needs(page.campaign, now, with_gold),
        *_runs(page, now, with_gold),
    ]
    if page.paused_count:
        verb = "worker is" if page.paused_count == 1 else "workers are"
        found.append(
            Need(
                f"{page.paused_count:,} {verb} paused.",
                button="See workers",
                icon="pause",
                page="manage:workers",
                query="state=paused",
            )
        )
    if not page.campaign.instructions_id:
        found.append(
            Need(
                "There are no instructions.",
                "Workers see the task alone.",
                button="Write instructions",
                icon="book",
                page="manage:edit-campaign" if acts else "manage:settings",
            )
        )
    return found


def _appeals(campaign: Campaign) -> list[Need]:
    """First of all: somebody waits for the answer. In a closed campaign too."""
    waiting = open_appeals(campaign)
    if not waiting:
        return []
    said = "1 worker asks for a review." if waiting == 1 else f"{waiting:,} requests for a review."
    return [
        Need(
            said,
            "The worker waits for the answer." if waiting == 1 else "Workers wait for the answers.",
            button="Read requests",
            icon="scale",
            page="manage:appeals",
        )
    ]


def _money(page: CampaignPage, with_gold: bool) -> list[Need]:
    campaign, money = page.campaign, page.money
    if campaign.state == Campaign.State.CLOSED or money.left is None or not campaign.pay_mills:
        return []
    missing = page.tally.wanted - page.tally.received if page.tally else 0
    if missing and money.left + money.promised < campaign.pay_mills:
        return [
            Need(
                "The budget is used up.",
                "No task is given out.",
                button="Raise budget",
                icon="alert",
                tone="danger",
                page="manage:settings",
                anchor="budget",
            )
        ]
    affordable = money.affordable
    if affordable is None:  # nothing has been answered yet: by the pay, with gold among the tasks
        every = campaign.gold_every if with_gold and campaign.gold_every > 1 else 0
        price = campaign.pay_mills * (every / (every - 1) if every else 1)
        affordable = int((money.left + money.promised) / price)
    if affordable < missing:
        lacking = missing - affordable
        return [
            Need(
                "The budget ends before the answers do.",
                f"About {lacking:,} of the {missing:,} that are missing can't be paid.",
                button="Raise budget",
                icon="alert",
                tone="warn",
                page="manage:settings",
                anchor="budget",
            )
        ]
    return []


def _work(page: CampaignPage, now: datetime) -> list[Need]:
    campaign, tally = page.campaign, page.tally
    if campaign.state != Campaign.State.OPEN:
        return []
    found = []
    if tally is None or now - tally.counted_at > BEHIND:
        found.append(
            Need(
                "These figures are not up to date: nothing counts the answers.",
                "Start the loop that does, or ask who runs this server to.",
                icon="alert",
                tone="warn",
                command="./run manage work",
            )
        )
    if tally is not None and tally.wanted > tally.received:
        last = page.pace.last_answer or campaign.opened_at
        if last is not None and now - last > QUIET:
            found.append(
                Need(
                    "No answer has come in for more than a day.",
                    "Send the link to workers.",
                    button="Copy link",
                    icon="link",
                    page="manage:settings",
                    anchor="link",
                )
            )
    elif tally is not None and tally.wanted:
        found.append(
            Need("All answers are in.", button="Close campaign", icon="check",
                 page="manage:campaign-state")
        )  # fmt: skip
    return found


def _broken(campaign: Campaign, with_gold: bool) -> list[Need]:
    """What workers gave back as broken, the most reported tasks first; a gold task leads to an
    empty document page for who may not see gold, and so is left out for them."""
    if campaign.state == Campaign.State.CLOSED:
        return []
    reports = Assignment.objects.reported().filter(task__campaign=campaign).order_by("-reported_at")
    if not with_gold:
        reports = reports.on_plain()
    rows = reports.values_list("task__external_id", "task__document__external_id", "return_reason")
    tasks: dict[str, tuple[str, list[str]]] = {}
    for task, document, reason in rows[:REPORTS]:
        tasks.setdefault(task, (document or "", []))[1].append(reason)
    ordered = sorted(tasks.items(), key=lambda item: -len(item[1][1]))
    found = [
        Need(
            *_report(task, reasons),
            button="Read document" if document else "See tasks",
            icon="note",
            tone="warn",
            document=document,
            page="" if document else "manage:tasks",
        )
        for task, (document, reasons) in ordered[:BROKEN_TASKS]
    ]
    if more := len(ordered) - len(found):
        those = "1 more task is" if more == 1 else f"{more:,} more tasks are"
        found.append(
            Need(
                f"{those} reported as broken too.",
                button="See tasks",
                icon="note",
                page="manage:tasks",
                query="show=reported",
            )
        )
    return found


def _report(task: str, reasons: list[str]) -> tuple[str, str]:
    """With the newest of the reasons, in its worker's words."""
    said = "1 worker reports" if len(reasons) == 1 else f"{len(reasons):,} workers report"
    reason = reasons[0]
    if len(reason) > LONGEST_REASON:
        reason = f"{reason[: LONGEST_REASON - 1]}…"
    return f"{said} task {task} as broken.", f"“{reason}”"


def _disputed(page: CampaignPage) -> list[Need]:
    """One query; none before there is a run."""
    run, campaign = page.latest, page.campaign
    if run is None or campaign.state == Campaign.State.CLOSED:
        return []
    number = disputed_tasks(campaign, run, with_gold=True)
    if not number:
        return []
    tasks = "1 task is" if number == 1 else f"{number:,}{'+' * (number == MOST_COUNTED)} tasks are"
    return [
        Need(
            f"{tasks} disputed.",
            "All answers are in, still in doubt.",
            button="See disputed tasks",
            icon="merge",
            page="manage:tasks",
            query="show=disputed",
        )
    ]


def _runs(page: CampaignPage, now: datetime, with_gold: bool) -> list[Need]:
    campaign = page.campaign
    received = page.tally.received if page.tally else 0
    if not received:
        return []
    if not page.runs:
        return [
            Need(
                "The answers have not been aggregated yet.",
                button="Run aggregation",
                icon="sum",
                page="manage:results",
            )
        ]
    if page.runs[0].state == "failed":
        why = page.runs[0].error if with_gold else ""  # it may tell of gold
        return [
            Need(
                "The last aggregation failed.",
                why,
                button="See runs",
                icon="alert",
                tone="danger",
                page="manage:results",
            )
        ]
    if page.latest is not None:
        read, live = _answers_read(page.latest)
        new = received - read
        followed = live and campaign.state == Campaign.State.OPEN and now - live < BEHIND
        if new > NEW_ANSWERS * received and not followed:
            said = "1 answer has" if new == 1 else f"{new:,} answers have"
            return [
                Need(
                    f"{said} come since the last aggregation.",
                    button="Run aggregation",
                    icon="sum",
                    page="manage:results",
                )
            ]
    return []


def _answers_read(run: RunSummary) -> tuple[int, datetime | None]:
    """The counted answers behind a run's consensus, and when new ones were last looked for: the
    loop adds them, or makes a new run of many. None for a run that is too old to be followed."""
    live = run.facts.live
    if live is None:
        return run.facts.answers, None
    return live.counted + live.answers, live.until
