"""What a person has decided of tasks: it stands above whatever a run infers."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Adjudication(models.Model):
    """A manager's or a reviewer's binding answer to a task.

    Of an answer with parts (the names of a document) it may decide some alone: `answer` leaves the
    rest out as `unlabelled`, and `parts` are the ranges of tokens, in the order in which they were
    decided. `version` counts the changes: whoever saw another one is refused.
    """

    task = models.OneToOneField(
        "annotation.Task", models.CASCADE, primary_key=True, related_name="adjudication"
    )
    answer = models.JSONField()  # the interface's canonical answer, in code points
    parts = models.JSONField(default=list)  # [[first token, after the last], ...]; []: the whole
    version = models.PositiveIntegerField(default=1)
    is_complete = models.BooleanField(default=True)  # nothing is left to decide
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(db_default=Now())
    # The gold question that was made of it, of a copy of the task.
    gold = models.ForeignKey(
        "annotation.GoldQuestion", models.SET_NULL, null=True, blank=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"decision of {self.task_id}"

    @property
    def name(self) -> str:
        """Of who decided last, for pages and files."""
        if self.decided_by is None:
            return "a former member"
        return self.decided_by.get_full_name() or self.decided_by.get_username()
