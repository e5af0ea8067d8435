"""One of everything that an address can name, and somebody of every role."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from aggregation.models import AggregationRun
from annotation.actions import appeals, assignments, jobs
from annotation.actions.api_tokens import create_api_token
from annotation.actions.campaigns import create_shared_budget
from annotation.actions.documents import keep_upload, report_of
from annotation.actions.invitations import invite
from annotation.actions.tokens import campaign_link, worker_token
from annotation.actions.webhooks import create_webhook
from annotation.actions.workers import set_state
from annotation.interfaces import Material, interface
from annotation.models import ApiToken, Campaign, Demand, Enrollment, GoldQuestion, Job, Project
from evaluation.actions.teams import create_token, invite_to_team
from selection.models import LabellingLoop, LoopRound, WorkerFlag
from tests.evaluation.made import (
    make_period,
    make_submission,
    make_submitter,
    make_system,
    make_team,
)
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_import,
    make_member,
    make_project,
    make_task,
)

NOTHING = {"mentions": []}
DOCUMENT = b'{"id": "d1", "text": "Ada."}\n[]\n'  # the second line is rejected
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8ffff3f0005fe02fe0def46b80000000049454e44ae426082"
)


@dataclass
class World:
    """`names`: what stands in an address → what is put there; `own`: the same of a project of the
    other manager's own, without its rows."""

    project: Project
    campaign: Campaign
    worker: Enrollment
    names: dict[str, Any] = field(default_factory=dict)
    own: dict[str, Any] = field(default_factory=dict)
    accounts: dict[str, User] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    def program(self, role: str, *scopes: str) -> Client:
        """With a token of the account's own, which was used just now: it is not noted again."""
        token, secret = create_api_token(self.accounts[role], "nightly", scopes)
        ApiToken.objects.filter(pk=token.pk).update(used_at=timezone.now())
        headers = {"Authorization": f"Bearer {secret}"}
        return Client(raise_request_exception=False, headers=headers)

    def client(self, role: str) -> Client:
        client = Client(raise_request_exception=False)
        if role in self.accounts:
            client.force_login(self.accounts[role])
        elif role in self.tokens:
            client.defaults["HTTP_AUTHORIZATION"] = f"Worker {self.tokens[role]}"
        return client


def make_world(data_dir: Any) -> World:
    project = make_project(slug="letters")
    campaign = make_campaign(project, slug="names")
    world = World(project, campaign, make_enrollment(campaign))
    _people(world)
    _rows(world, data_dir)
    return world


def _people(world: World) -> None:
    elsewhere = make_campaign(slug="other-names")
    world.own = {"project": elsewhere.project.slug, "campaign": elsewhere.slug}
    world.accounts = {
        "account": User.objects.create_user("account"),
        "other manager": make_member(elsewhere.project).user,
        "viewer": make_member(world.project, "viewer").user,
        "reviewer": make_member(world.project, "reviewer").user,
        "manager": make_member(world.project).user,
        "staff": User.objects.create_user("staff", is_staff=True),
        "superuser": User.objects.create_superuser("root"),
    }
    world.accounts["staff"].user_permissions.set(Permission.objects.all())
    world.tokens = {
        "worker": worker_token(world.worker),
        "other worker": worker_token(make_enrollment(elsewhere)),
    }


def _rows(world: World, data_dir: Any) -> None:
    project, campaign = world.project, world.campaign
    run = make_import(project, added=1)
    report = report_of(run)
    report.parent.mkdir(parents=True)
    report.write_text("{}")
    document = make_document(project, import_run=run)
    for number in range(3):
        make_task(campaign, make_document(project), external_id=f"t{number}")
    known = make_task(campaign, document, kind=Demand.Kind.HIDDEN, external_id="known")
    material = Material(project.schema, text=document.text, tokens=document.tokens)
    GoldQuestion.objects.create(task=known, answer=interface("entity").check(NOTHING, material))
    file = SimpleUploadedFile("a.jsonl", DOCUMENT)
    upload = keep_upload(project, world.accounts["manager"], file.name, file.chunks())
    other = keep_upload(project, world.accounts["superuser"], file.name, file.chunks())
    picture = data_dir / "pictures" / f"{'ab' * 16}.png"
    picture.parent.mkdir()
    picture.write_bytes(PIXEL)
    done = assignments.claim_next(world.worker.key).assignment
    assignments.submit(world.worker.key, done.key, NOTHING)
    lease = assignments.claim_next(world.worker.key).assignment
    asking = make_enrollment(campaign)
    set_state(asking, "paused", "Answers came in seconds.")
    WorkerFlag.objects.create(
        enrollment=world.worker, kind="fast", at=timezone.now(),
        evidence={"share": 0.5, "usual": 9.0, "number": 8},
    )  # fmt: skip
    written = Job.objects.create(
        kind="export_knowledge_base", project=project, state="done", digest="x",
        result={"file": "letters.jsonl", "bytes": 2}, ended_at=timezone.now(),
    )  # fmt: skip
    jobs.folder_of(written).mkdir(parents=True)
    (jobs.folder_of(written) / "letters.jsonl").write_text("{}")
    loop = LabellingLoop.objects.create(
        project=project, name="Loop", start="random", start_size=1, picker="random", batch_size=1,
        campaign=campaign, learner="crf", evaluation="gold", metric="F1",
        budget=create_shared_budget(project, 1_000, "USD"),
    )  # fmt: skip
    LoopRound.objects.create(
        loop=loop, number=1, step="done", picker="random", campaign=campaign, picked=1,
        picked_at=timezone.now(), expected_mills=10, code_version="", metric=0.5, low=0.4,
        high=0.6,
    )  # fmt: skip
    period = make_period(project, [document])
    team = make_team(project)
    world.accounts["submitter"] = make_submitter(team, username="submitter")
    invited, invitation = invite_to_team(team)
    token, _ = create_token(team, "nightly")
    submission = make_submission(period, make_system(team))
    submission.folder.mkdir(parents=True)
    submission.content.write_text("{}")
    hook, _ = create_webhook(project, "https://receiver.example/", ["job.done"])
    world.names = {
        "webhook": hook.key,
        "delivery": hook.deliveries.create(event="job.done", body={}).key,
        "period": period.key,
        "team": team.key,
        "submission": submission.key,
        "submitter": "submitter",
        "invitation": invitation,
        "team invitation": invited.key,
        "project invitation": invite(project, "viewer")[0].key,
        "token": token.key,
        "loop": loop.key,
        "job": written.key,
        "project": project.slug,
        "campaign": campaign.slug,
        "into": make_campaign(
            project, slug="into", interface="relation", state="draft", options={"from": "names"}
        ).slug,
        "link": campaign_link(campaign),
        "picture": picture.name,
        "member": world.accounts["viewer"].username,
        "import": run.key,
        "manager's upload": upload.key,
        "superuser's upload": other.key,
        "appeal": appeals.appeal(asking.key, "I read fast.").key,
        "run": AggregationRun.objects.create(
            campaign=campaign, method="mv-token", state="done", seed=1
        ).key,
        "enrollment": world.worker.key,
        "done": done.key,
        "lease": lease.key,
        "document": document.external_id,
        "task": known.external_id,
    }
