from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.querysets.ledger import LedgerQuerySet


class Payment(models.Model):
    """A line of the append-only ledger. Amounts never change; a mistake is a correcting line."""

    class Kind(models.TextChoices):
        BASE = "base"
        BONUS = "bonus"
        CORRECTION = "correction"
        FEE = "fee"

    class State(models.TextChoices):
        EARNED = "earned", "owed to the worker, within the budget"
        UNFUNDED = "unfunded", "earned late, when the budget was used up; a manager decides"
        SENT = "sent"
        PAID = "paid"
        FAILED = "failed"
        REJECTED = "rejected", "the answer was rejected; its money stays reserved"

    worker = models.ForeignKey(
        "annotation.Worker", models.PROTECT, related_name="payments", db_index=False
    )
    campaign = models.ForeignKey("annotation.Campaign", models.PROTECT, related_name="payments")
    assignment = models.ForeignKey(
        "annotation.Assignment", models.PROTECT, null=True, related_name="payments",
        db_index=False,
    )  # fmt: skip
    kind = models.CharField(max_length=10, choices=Kind.choices)
    mills = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    state = models.CharField(max_length=8, choices=State.choices, default=State.EARNED)
    platform_ref = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = LedgerQuerySet.as_manager()

    class Meta:
        # What is not simply earned; nobody reads five million lines to find it.
        indexes = [
            models.Index(
                fields=["campaign", "state"],
                condition=~Q(state="earned"),
                name="payment_beside_earned",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "kind"], name="assignment_paid_once_per_kind"
            ),
            models.CheckConstraint(
                condition=Q(kind="correction") | Q(mills__gte=0), name="payment_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mills / 1000:.3f} {self.currency} ({self.kind})"

    def delete(self, *args, **kwargs):
        raise ValueError("The ledger is append-only. Write a correcting payment.")


class SharedBudget(models.Model):
    """Money that several campaigns spend together: their budgets never add up to more."""

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="shared_budgets")
    mills = models.PositiveBigIntegerField()
    granted_mills = models.PositiveBigIntegerField(default=0)  # the sum of the campaigns' budgets
    currency = models.CharField(max_length=3)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(granted_mills__lte=F("mills")), name="granted_within_shared_budget"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mills / 1000:.3f} {self.currency} of {self.project}"


class AuditEntry(models.Model):
    """What a manager, or a command, changed: who, when, before and after."""

    at = models.DateTimeField(db_default=Now(), editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )  # null: a command
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, null=True, related_name="audit"
    )
    action = models.CharField(max_length=60)
    subject = models.CharField(max_length=200)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.action}: {self.subject}"


class CommandLock(models.Model):
    """Held by a command while it runs; a holder that stopped beating is taken over."""

    name = models.CharField(max_length=120, primary_key=True)
    token = models.UUIDField()
    holder = models.CharField(max_length=120)  # host and process, for the message
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}, held by {self.holder}"
