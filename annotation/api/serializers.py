"""The shapes of the workers' API, and of its errors; the OpenAPI document is made of them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.actions.appeals import LONGEST_TEXT
from annotation.api.events import TAKEN, EventsThatFitField
from annotation.api.fields import SecondsField, StorableJSONField
from annotation.interfaces.values import LONGEST_LINK
from annotation.queries.search import LONGEST_QUERY
from annotation.sentences import Problem, workers
from annotation.text.storable import unstorable

MOST_KEYS = 50  # entries looked up in one request


class ErrorSerializer(serializers.Serializer):
    class FieldErrorSerializer(serializers.Serializer):
        field = serializers.CharField()
        message = serializers.CharField()
        code = serializers.CharField(required=False, help_text="Of a mistake in an answer.")

    detail = serializers.CharField()
    errors = FieldErrorSerializer(many=True)
    state = serializers.CharField(required=False)


class JoinSerializer(serializers.Serializer):
    link = serializers.CharField(max_length=2000)
    device = serializers.UUIDField(
        required=False, help_text="The browser's own random secret: it finds its worker again."
    )
    phrase = serializers.CharField(
        max_length=200, required=False, allow_blank=True,
        help_text="Five words, by which a worker goes on on another device (see phrase/).",
    )  # fmt: skip
    next = serializers.BooleanField(
        default=False, help_text="Give the first task with the same reply."
    )


class TrySerializer(serializers.Serializer):
    link = serializers.CharField(max_length=2000)


class TriedSerializer(serializers.Serializer):
    page = serializers.JSONField(
        allow_null=True, help_text="A practice task as its page shows it; null: there is none."
    )
    answer = serializers.JSONField(allow_null=True, help_text="What is right in it.")


class ConsentTextSerializer(serializers.Serializer):
    version = serializers.IntegerField()
    text = serializers.CharField(help_text="Markdown.")


class CampaignForWorkerSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    interface = serializers.CharField()
    state = serializers.CharField()
    instructions = serializers.CharField()
    pay_mills = serializers.IntegerField()
    currency = serializers.CharField()
    lease_minutes = serializers.IntegerField()
    skip_limit = serializers.IntegerField()
    content_warning = serializers.CharField(allow_blank=True)
    consent = ConsentTextSerializer(
        allow_null=True, help_text="What you are asked to agree to; null: nothing."
    )


class ClaimSerializer(serializers.Serializer):
    task = serializers.CharField(
        max_length=200, required=False, help_text="In an assigned campaign: this task."
    )


class DraftSerializer(serializers.Serializer):
    answer = StorableJSONField()


class KeptDraftSerializer(serializers.Serializer):
    answer = serializers.JSONField(allow_null=True)


class CorrectedSerializer(serializers.Serializer):
    corrected_at = serializers.DateTimeField()


class SavedSerializer(serializers.Serializer):
    expires_at = serializers.DateTimeField()


class ReturnSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=500, allow_blank=False)
    broken = serializers.BooleanField(
        default=False,
        help_text="The task can't be done as it is. Does not count as a skip, unless you have "
        "reported as many as you may skip (at least three).",
    )


class StageSerializer(serializers.Serializer):
    kind = serializers.ChoiceField(["training", "exam"])
    seen = serializers.IntegerField()
    of = serializers.IntegerField()
    vars()["try"] = serializers.IntegerField()  # a word of Python's own
    tries = serializers.IntegerField()


class ProgressSerializer(serializers.Serializer):
    stage = StageSerializer(
        allow_null=True, help_text="Of practice and test; null: the work counts."
    )
    state = serializers.CharField()
    submitted = serializers.IntegerField()
    skips_left = serializers.IntegerField()
    earned_mills = serializers.IntegerField()
    currency = serializers.CharField()
    seconds = serializers.FloatField()
    practice = serializers.FloatField(
        allow_null=True, help_text="The share of the practice of this try that was right."
    )


class AssignmentSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    task = serializers.CharField(help_text="The task's own name.")
    interface = serializers.CharField()
    leased_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    instructions = serializers.IntegerField(
        help_text="Their version now; 0 where there are none. Another one than before: read them."
    )
    draft = serializers.JSONField(allow_null=True)
    page = serializers.JSONField(help_text="What the interface's page shows.")


class MilestoneSerializer(serializers.Serializer):
    kind = serializers.ChoiceField(["exam", "again", "qualified"])
    message = serializers.CharField()
    available = serializers.IntegerField(required=False, help_text="As joining tells; of `again`.")
    available_more = serializers.BooleanField(required=False)


class AppealSerializer(serializers.Serializer):
    about = serializers.ChoiceField(["pause", "rejection"])
    reason = serializers.CharField(help_text="What was told then.")
    text = serializers.CharField()
    created_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.CharField(allow_blank=True)
    granted = serializers.BooleanField(allow_null=True)


class NextSerializer(serializers.Serializer):
    consent = serializers.IntegerField(
        allow_null=True, help_text="The version of the text that you have to agree to first."
    )
    milestone = MilestoneSerializer(allow_null=True, help_text="What this very step brought you.")
    appeal = AppealSerializer(allow_null=True, help_text="Your last one about a pause.")
    can_appeal = serializers.BooleanField()
    assignment = AssignmentSerializer(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    message = serializers.CharField(allow_blank=True)
    retry_at = serializers.DateTimeField(allow_null=True)
    progress = ProgressSerializer()
    completion_code = serializers.CharField(
        allow_null=True, help_text="Where there is no task any more, and something was submitted."
    )
    ending = serializers.CharField(
        allow_null=True, help_text="What the code stands for: completed, stopped or screened_out."
    )


class JoinedSerializer(serializers.Serializer):
    token = serializers.CharField()
    campaign = CampaignForWorkerSerializer()
    available = serializers.IntegerField(
        help_text="Tasks that you could still get, with the one that you hold; counted up to 200."
    )
    available_more = serializers.BooleanField(help_text="There are more, or may be.")
    rejected_at = serializers.DateTimeField(
        required=False, help_text="Of the newest rejection of an answer of yours that stands."
    )
    next = NextSerializer(required=False, help_text="Where it was asked for.")


class SubmitSerializer(serializers.Serializer):
    answer = serializers.JSONField(
        help_text="The interface's answer; entity: token numbers, ends exclusive."
    )
    seconds = SecondsField(
        required=False, default=0, min_value=0,
        help_text="Active time; idle gaps left out. More than a day is taken as a day.",
    )  # fmt: skip
    events = EventsThatFitField(
        required=False, allow_null=True, default=list,
        help_text="The last steps on the page. One that can't be kept is left out.",
    )  # fmt: skip


class FeedbackSerializer(serializers.Serializer):
    score = serializers.FloatField()
    passed = serializers.BooleanField()
    explanation = serializers.CharField(allow_blank=True, help_text="HTML that is safe to show.")
    right = serializers.JSONField(help_text="The known answer, in the page's form.")
    given = serializers.JSONField()
    findings = serializers.ListField(
        child=serializers.JSONField(), help_text="Each with `kind` and `words`."
    )


class SubmittedSerializer(serializers.Serializer):
    feedback = FeedbackSerializer(allow_null=True, help_text="To practice alone.")
    duplicate = serializers.BooleanField()
    counted = serializers.BooleanField()
    paid = serializers.BooleanField()
    pay_mills = serializers.IntegerField(
        help_text="What the answer brings; less than the task where parts of it are undecided."
    )
    training_score = serializers.FloatField(allow_null=True)
    events_taken = serializers.IntegerField(help_text=TAKEN)
    next = NextSerializer()


class AgreeSerializer(serializers.Serializer):
    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class AskReviewSerializer(serializers.Serializer):
    text = serializers.CharField(max_length=LONGEST_TEXT)
    assignment = serializers.UUIDField(
        required=False, help_text="A rejected answer; left out, it is about your pause."
    )

    def validate_text(self, text: str) -> str:
        if problem := unstorable(text):
            raise serializers.ValidationError(workers.sentence(problem))
        return text


class PhraseSerializer(serializers.Serializer):
    phrase = serializers.CharField()


class HistoryQuerySerializer(serializers.Serializer):
    before = serializers.UUIDField(required=False, help_text="Older than this one.")


class PastRejectionSerializer(serializers.Serializer):
    reason = serializers.CharField()
    at = serializers.DateTimeField()
    overturned_at = serializers.DateTimeField(allow_null=True)


class PartDecidedSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    of = serializers.IntegerField()
    in_full = serializers.BooleanField(help_text="Whether it was paid in full all the same.")


class PastTaskSerializer(serializers.Serializer):
    key = serializers.UUIDField()
    task = serializers.CharField()
    state = serializers.CharField()
    kind = serializers.ChoiceField(["training", "exam", "work"])
    submitted_at = serializers.DateTimeField(allow_null=True)
    seconds = serializers.FloatField()
    pay_mills = serializers.IntegerField()
    paid = serializers.CharField(help_text="What became of the pay; none: there is none.")
    decided = PartDecidedSerializer(
        allow_null=True, help_text="Of an answer that was handed in with parts undecided."
    )
    score = serializers.FloatField(allow_null=True, help_text="Of practice alone.")
    rejection = PastRejectionSerializer(allow_null=True)
    corrected_at = serializers.DateTimeField(allow_null=True)
    can_correct = serializers.BooleanField(
        help_text="It can be corrected, once: the last one, until the next is handed in."
    )
    correct_until = serializers.DateTimeField(
        allow_null=True, help_text="Of another one than the last: how long it can be corrected."
    )
    appeal = AppealSerializer(allow_null=True)
    can_appeal = serializers.BooleanField()


class PastSumsSerializer(serializers.Serializer):
    answers = serializers.IntegerField()
    mills = serializers.DictField(
        child=serializers.IntegerField(), help_text="By what became of the pay, where there is any."
    )
    practice = serializers.FloatField(
        allow_null=True, help_text="The share of the practice of this try that was right."
    )


class HistorySerializer(serializers.Serializer):
    rows = PastTaskSerializer(many=True)
    more = serializers.BooleanField()
    appeals = AppealSerializer(many=True, help_text="About pauses.")
    sums = PastSumsSerializer(allow_null=True, help_text="Of all rows; with the first page alone.")


class HandedInSerializer(serializers.Serializer):
    page = serializers.JSONField()
    answer = serializers.JSONField(help_text="As it counts: corrected, where it was.")
    corrected_at = serializers.DateTimeField(allow_null=True)
    feedback = FeedbackSerializer(allow_null=True)


class FinishedSerializer(serializers.Serializer):
    progress = ProgressSerializer()
    rejected = serializers.IntegerField(help_text="Answers whose rejection stands.")
    completion_code = serializers.CharField(allow_null=True)
    ending = serializers.CharField(allow_null=True)


class EntityQuerySerializer(serializers.Serializer):
    """Either a text or keys."""

    q = serializers.CharField(
        required=False, max_length=LONGEST_QUERY, help_text="What was typed so far of a name."
    )
    key = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_LINK), required=False, allow_empty=False,
        max_length=MOST_KEYS, help_text="Keys of entries, in the place of a text.",
    )  # fmt: skip

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        if len(fields) != 1:
            told = workers.sentence(Problem("request.text_or_key"))
            raise serializers.ValidationError({"q": [told]})
        for name, value in fields.items():
            if problem := unstorable(value):
                raise serializers.ValidationError({name: [workers.sentence(problem)]})
        return fields


class FoundEntitySerializer(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    type = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_blank=True)
    alias = serializers.CharField(
        allow_null=True, help_text="The other name by which it was found; null: by its own."
    )
    sentence = serializers.CharField(
        allow_blank=True, help_text="Where it was first seen, of an entry without a description."
    )
    document = serializers.CharField(allow_blank=True, help_text="Title of that text.")


class FoundEntitiesSerializer(serializers.Serializer):
    results = FoundEntitySerializer(many=True)
    more = serializers.BooleanField(help_text="More entries fit than are listed.")
