import secrets

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.interfaces import REGISTRY
from annotation.querysets.projects import CampaignQuerySet
from annotation.querysets.tasks import DemandQuerySet, GoldQuestionQuerySet, TaskQuerySet

MOST_ANSWERS = 1_000  # of one task
MOST_MILLS = 1_000_000_000  # for one answer


def new_secret() -> str:
    return secrets.token_hex(16)


def registered_interfaces() -> list[tuple[str, str]]:
    """Asked whenever a campaign is checked, so that another interface needs no migration."""
    return [(kind, kind) for kind in REGISTRY]


class Campaign(models.Model):
    """One round of annotation with one interface."""

    class State(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        PAUSED = "paused"
        CLOSED = "closed"

    class AssignmentMode(models.TextChoices):
        OPEN = "open", "the engine picks"
        ASSIGNED = "assigned", "a list says who does what"

    class Spread(models.TextChoices):
        COMPLETE = "complete", "finish tasks one after the other"
        BROAD = "broad", "give every task a first answer early"

    class OpenTo(models.TextChoices):
        QUALIFIED = "qualified", "everyone who qualifies"
        SELECTED = "selected", "the selected workers only"

    class Doubts(models.TextChoices):
        COUNTED = "counted", "counts like the rest"
        LEFT_OUT = "left_out", "is left out"

    class Platform(models.TextChoices):
        LINK = "link"

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="campaigns")
    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    interface = models.CharField(max_length=30, choices=registered_interfaces)
    state = models.CharField(max_length=6, choices=State.choices, default=State.DRAFT)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    # It has left the lists; whoever has its address still sees it.
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)

    instructions = models.ForeignKey(
        "annotation.InstructionsVersion", models.PROTECT, null=True, blank=True, related_name="+"
    )
    consent = models.ForeignKey(  # null: nothing is asked
        "annotation.ConsentVersion", models.PROTECT, null=True, blank=True, related_name="+"
    )
    # Tasks are made of the documents that somebody, or a loop, has chosen; else of all.
    chosen_documents = models.BooleanField(default=False, editable=False)
    content_warning = models.CharField(max_length=500, blank=True)
    # What a worker reads before they agree to anything: what is to be done and what for, who asks,
    # and when and how it is paid.
    summary = models.CharField(max_length=500, blank=True)
    requester = models.CharField(max_length=200, blank=True)
    payment_terms = models.CharField(max_length=200, blank=True)
    # Codes of a platform, the same for every worker; without one a worker gets a code of their own
    # (actions.completion).
    code_completed = models.CharField(max_length=60, blank=True)
    code_stopped = models.CharField(max_length=60, blank=True)
    code_screened_out = models.CharField(max_length=60, blank=True)
    # Of the worker's pages, such as "de"; without one, the worker's browser says.
    language = models.CharField(max_length=12, blank=True)
    examples = models.JSONField(default=list, blank=True)
    options = models.JSONField(default=dict, blank=True)  # per interface

    assignment = models.CharField(
        max_length=8, choices=AssignmentMode.choices, default=AssignmentMode.OPEN
    )
    spread = models.CharField(max_length=8, choices=Spread.choices, default=Spread.COMPLETE)
    redundancy = models.PositiveSmallIntegerField(
        default=3, validators=[MinValueValidator(1), MaxValueValidator(MOST_ANSWERS)]
    )
    max_redundancy = models.PositiveSmallIntegerField(
        default=10, validators=[MinValueValidator(1), MaxValueValidator(MOST_ANSWERS)]
    )
    # The share of all labels that are to be right at the end (of spans: F1). Answers are added, up
    # to max_redundancy, until a task's calibrated confidence is so high.
    target_quality = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1)]
    )
    # The confidence wanted, which promises nothing: the same rule, where no quality is named.
    target_confidence = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1)]
    )
    lease_minutes = models.PositiveIntegerField(
        default=30, validators=[MinValueValidator(1), MaxValueValidator(60 * 24 * 30)]
    )
    skip_limit = models.PositiveSmallIntegerField(default=10)
    # An answer can be corrected until the worker's next one, and in any case for so long.
    correction_seconds = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(3_600)]
    )
    excludes = models.ManyToManyField("self", symmetrical=False, blank=True, related_name="+")
    open_to = models.CharField(max_length=9, choices=OpenTo.choices, default=OpenTo.QUALIFIED)
    platform = models.CharField(max_length=8, choices=Platform.choices, default=Platform.LINK)

    gold_every = models.PositiveSmallIntegerField(default=0)  # one hidden gold in n; 0: none
    training_size = models.PositiveSmallIntegerField(default=0)  # training tasks for each worker
    # Exam questions, without feedback, that decide who qualifies; 0: practice decides.
    exam_size = models.PositiveSmallIntegerField(default=0)
    # It was opened when the exam was still drawn from the hidden gold, and goes on so.
    exam_is_hidden = models.BooleanField(default=False, editable=False)
    tries = models.PositiveSmallIntegerField(  # of practice and exam
        default=2, validators=[MinValueValidator(1), MaxValueValidator(10)]
    )
    pass_score = models.FloatField(
        default=0.7, validators=[MinValueValidator(0), MaxValueValidator(1)]
    )

    currency = models.CharField(max_length=3, default="USD")
    # Thousandths of a unit, for one answer.
    pay_mills = models.PositiveIntegerField(default=0, validators=[MaxValueValidator(MOST_MILLS)])
    # What an hour of active time is to pay at least; it is held beside what it does. Null: none.
    floor_mills = models.PositiveIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(MOST_MILLS)]
    )
    budget_mills = models.PositiveBigIntegerField(null=True, blank=True)  # null: no limit
    # Others spend of the same money: `budget_mills` is this one's part, and not its own to change.
    shared_budget = models.ForeignKey(
        "annotation.SharedBudget", models.SET_NULL, null=True, blank=True, editable=False,
        related_name="campaigns",
    )  # fmt: skip
    # What a consensus makes of what workers marked as unsure (aggregation.arrays.doubts).
    doubts = models.CharField(max_length=8, choices=Doubts.choices, default=Doubts.COUNTED)
    # The method whose latest run serves labels; "": whatever ran last, of any method.
    served_method = models.CharField(max_length=40, blank=True, editable=False)
    # The engine's own: what is spent, leased or promised to a worker; and a counter that, when
    # raised, sends every worker back to the head of the rank order.
    committed_mills = models.PositiveBigIntegerField(default=0)
    epoch = models.PositiveIntegerField(default=0)
    # The key of what no worker may work out: with which tasks gold travels.
    secret = models.CharField(max_length=32, default=new_secret, editable=False)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(budget_mills=None) | Q(committed_mills__lte=F("budget_mills")),
                name="campaign_committed_within_budget",
            ),
            models.CheckConstraint(
                condition=Q(redundancy__gte=1) & Q(max_redundancy__gte=F("redundancy")),
                name="campaign_redundancy_within_maximum",
            ),
            models.CheckConstraint(
                condition=Q(pass_score__gte=0, pass_score__lte=1),
                name="campaign_pass_score_is_a_share",
            ),
            models.CheckConstraint(
                condition=Q(lease_minutes__gte=1), name="campaign_lease_lasts_a_minute"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_assigned(self) -> bool:
        return self.assignment == self.AssignmentMode.ASSIGNED

    @property
    def wanted(self) -> float | None:
        """How sure a task has to be before it is given out no more; None where every task gets as
        many answers."""
        return self.target_confidence if self.target_quality is None else self.target_quality

    @property
    def is_adaptive(self) -> bool:
        """Whether answers are added until a task is certain enough."""
        return self.wanted is not None and not self.is_assigned

    @property
    def leaves_out_doubts(self) -> bool:
        return self.doubts == self.Doubts.LEFT_OUT

    @property
    def exam_kind(self) -> int:
        """Of which gold the exam is."""
        return Demand.Kind.HIDDEN if self.exam_is_hidden else Demand.Kind.EXAM


class InstructionsVersion(models.Model):
    """One text of a campaign's instructions; an answer records which was seen."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="instructions_versions")
    number = models.PositiveIntegerField()
    text = models.TextField()  # Markdown
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "number"], name="instructions_numbered_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}, version {self.number}"


class ConsentVersion(models.Model):
    """One text that a campaign's workers agree to before their first task."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="consent_versions")
    number = models.PositiveIntegerField()
    text = models.TextField()  # Markdown
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="consent_numbered_once"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}, consent {self.number}"


class Task(models.Model):
    """What a worker is shown once. Whether it is complete, its Demand says."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="tasks", db_index=False)
    document = models.ForeignKey(
        "annotation.Document", models.PROTECT, null=True, blank=True, related_name="tasks"
    )
    external_id = models.CharField(max_length=200)
    payload = models.JSONField(default=dict)  # what the page needs beside the document

    objects = TaskQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "external_id"], name="task_named_once_in_campaign"
            ),
        ]

    def __str__(self) -> str:
        return self.external_id


class GoldQuestion(models.Model):
    """A task whose answer is known. Whether it trains, controls or examines, its Demand's kind
    says; of a plain task it is a *check*: workers label it as any other, and their consensus is
    compared with it."""

    class Drawn(models.TextChoices):
        """How the task came to have a known answer. Only a random sample tells how good the labels
        of all tasks are."""

        RANDOM = "random"  # from all tasks
        PICKED = "picked"  # by hand, or nobody has said how
        DOCUMENT = "document"  # it came with its document, where others came without
        DIFFERING = "differing"  # at random from those where the method and a plain vote differ

    task = models.OneToOneField(
        Task, models.CASCADE, primary_key=True, related_name="gold_question"
    )
    answer = models.JSONField()
    explanation = models.TextField(blank=True)
    drawn = models.CharField(max_length=9, choices=Drawn.choices, default=Drawn.PICKED)
    tolerance = models.PositiveSmallIntegerField(default=0)  # tokens by which an edge may be off
    retired_at = models.DateTimeField(null=True, blank=True)
    retired_because = models.TextField(blank=True)
    changed_at = models.DateTimeField(null=True, blank=True)  # corrected, or given back

    objects = GoldQuestionQuerySet.as_manager()

    def __str__(self) -> str:
        return f"gold for {self.task}"

    @classmethod
    def drawn_with_documents(cls, campaign: Campaign) -> str:
        """How the gold was drawn that came with documents. One query."""
        every = campaign.tasks.all_have_gold_for(campaign.interface)
        return (cls.Drawn.RANDOM if every else cls.Drawn.DOCUMENT).value


PRIORITIES = 65_536
SHUFFLE_BITS = 47


class Demand(models.Model):
    """How many answers a task still wants: the only row that claims contend for.

    `open + leased + received = wanted` holds in every state, so no race can collect one answer
    too many. Written by `actions.assignments` alone. Gold rows (kind > 0) are never counted.
    """

    class Kind(models.IntegerChoices):
        PLAIN = 0
        TRAINING = 1
        HIDDEN = 2
        EXAM = 3  # never used as hidden control: whoever sat the exam knows it

    # Rows are made from the task table alone, and by one function. A database constraint on these
    # two would check each of a million rows again: a fifth of the time that publishing takes.
    task = models.OneToOneField(
        Task, models.CASCADE, primary_key=True, related_name="demand", db_constraint=False
    )
    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="demands", db_index=False, db_constraint=False
    )
    kind = models.PositiveSmallIntegerField(choices=Kind.choices, default=Kind.PLAIN)
    priority = models.PositiveIntegerField(default=0)
    # (65535 - priority) * 2**47 + a random number of 47 bits: urgent first, then at random.
    rank = models.BigIntegerField()
    wanted = models.PositiveSmallIntegerField()
    open = models.PositiveSmallIntegerField()
    leased = models.PositiveSmallIntegerField(default=0)
    received = models.PositiveSmallIntegerField(default=0)
    # A boolean of its own: an index on `open > 0` would make every change of `open` move the row.
    ready = models.BooleanField()

    objects = DemandQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(open__gte=0, leased__gte=0, received__gte=0)
                & Q(wanted=F("open") + F("leased") + F("received")),
                name="demand_counts_balance",
            ),
            models.CheckConstraint(
                condition=Q(open__gt=0, ready=True) | Q(open=0, ready=False),
                name="demand_ready_while_open",
            ),
            models.CheckConstraint(
                condition=Q(priority__lt=PRIORITIES), name="demand_priority_within_16_bits"
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "kind", "rank"],
                condition=Q(ready=True),
                name="demand_ready",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task_id}: {self.open} open, {self.leased} leased, {self.received} received"
