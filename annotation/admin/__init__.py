"""The tables of the base app under /admin/: what is searched, and the dashboard's page of a row."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.filters import EmptyFieldListFilter
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.html import format_html

from annotation.admin.raw_tables import RawTable, register_tables


def _when(*names: str) -> tuple[Any, ...]:
    """Filters for whether something has happened."""
    return tuple((name, EmptyFieldListFilter) for name in names)


class Projects(RawTable):
    searched = ("slug", "name")
    page_of = staticmethod(lambda row: ("project", (row.slug,)))


class Members(RawTable):
    searched = ("project__slug", "user__username")
    page_of = staticmethod(lambda row: ("members", (row.project.slug,)))


class Labels(RawTable):
    searched = ("vocabulary", "name")
    page_of = staticmethod(lambda row: ("schema", (row.project.slug,)))


class Campaigns(RawTable):
    searched = ("slug", "name", "project__slug")
    page_of = staticmethod(lambda row: ("campaign", (row.slug,)))


class PartsOfACampaign(RawTable):
    searched: ClassVar[tuple[str, ...]] = ("campaign__slug",)
    page_of = staticmethod(lambda row: ("campaign", (row.campaign.slug,)))


class Links(PartsOfACampaign):
    searched = ("campaign__slug", "note", "worker__external_id")


class Tasks(RawTable):
    grows = True
    searched = ("external_id",)
    page_needs = ("document", "campaign__project")

    @staticmethod
    def page_of(row: Any) -> tuple[str, tuple[Any, ...]]:
        return "document", (row.campaign.project.slug, row.document.external_id)


class GoldQuestions(RawTable):
    grows = True
    searched = ("task__external_id",)
    more_filters = _when("retired_at", "changed_at")
    page_needs = ("task__campaign",)

    @staticmethod
    def page_of(row: Any) -> tuple[str, tuple[Any, ...]]:
        return "gold-question", (row.task.campaign.slug, row.task.external_id)


class Demands(RawTable):
    grows = True
    searched = ("task__external_id",)
    page_of = staticmethod(lambda row: ("campaign", (row.campaign.slug,)))


class ImportRuns(RawTable):
    searched = ("file_name", "project__slug")
    page_of = staticmethod(lambda row: ("project", (row.project.slug,)))


class Documents(RawTable):
    grows = True
    searched = ("external_id",)
    page_of = staticmethod(lambda row: ("document", (row.project.slug, row.external_id)))


class ImportedAnswers(RawTable):
    grows = True
    searched = ("document__external_id",)
    page_needs = ("document__project",)

    @staticmethod
    def page_of(row: Any) -> tuple[str, tuple[Any, ...]]:
        return "document", (row.document.project.slug, row.document.external_id)


class Entities(RawTable):
    grows = True
    searched = ("key",)
    page_of = staticmethod(lambda row: ("knowledge", (row.project.slug,)))


class Workers(RawTable):
    grows = True
    searched = ("external_id",)
    more_filters = _when("blocked_at")


class Enrollments(RawTable):
    grows = True
    searched = ("worker__external_id",)
    page_of = staticmethod(lambda row: ("worker", (row.campaign.slug, row.key)))


class Assignments(RawTable):
    grows = True
    more_filters = _when("reported_at")
    page_needs = ("enrollment__campaign",)

    @staticmethod
    def page_of(row: Any) -> tuple[str, tuple[Any, ...]]:
        return "worker", (row.enrollment.campaign.slug, row.enrollment.key)


class Corrections(RawTable):
    grows = True
    page_needs = ("response__assignment__enrollment__campaign",)

    @staticmethod
    def page_of(row: Any) -> tuple[str, tuple[Any, ...]]:
        enrollment = row.response.assignment.enrollment
        return "worker", (enrollment.campaign.slug, enrollment.key)


class PartsOfAnAssignment(RawTable):
    grows = True
    page_needs = ("assignment__enrollment__campaign",)

    @staticmethod
    def page_of(row: Any) -> tuple[str, tuple[Any, ...]]:
        enrollment = row.assignment.enrollment
        return "worker", (enrollment.campaign.slug, enrollment.key)


class Rejections(PartsOfAnAssignment):
    more_filters = _when("overturned_at")


class PartsOfAnEnrollment(RawTable):
    grows = True
    page_needs = ("enrollment__campaign",)

    @staticmethod
    def page_of(row: Any) -> tuple[str, tuple[Any, ...]]:
        return "worker", (row.enrollment.campaign.slug, row.enrollment.key)


class Appeals(PartsOfAnEnrollment):
    grows = False
    searched = ("text", "enrollment__worker__external_id")
    more_filters = _when("answered_at")


class Payments(RawTable):
    grows = True
    searched = ("platform_ref",)
    page_of = staticmethod(lambda row: ("campaign", (row.campaign.slug,)))


class Jobs(RawTable):
    searched = ("kind", "error", "project__slug", "campaign__slug")
    page_of = staticmethod(lambda row: ("job", (row.project.slug, row.key)))


class NightSteps(RawTable):
    searched = ("step", "error")
    more_filters = _when("error")
    page_of = staticmethod(lambda row: ("campaign", (row.campaign.slug,)))


class AuditEntries(RawTable):
    searched = ("action", "subject", "user__username")
    page_of = staticmethod(lambda row: ("project", (row.project.slug,)))


register_tables(
    "annotation",
    {
        "Allotment": PartsOfAnEnrollment,
        "Appeal": Appeals,
        "Assignment": Assignments,
        "AuditEntry": AuditEntries,
        "Campaign": Campaigns,
        "CampaignLink": Links,
        "Consent": PartsOfAnEnrollment,
        "ConsentVersion": PartsOfACampaign,
        "Correction": Corrections,
        "Demand": Demands,
        "Document": Documents,
        "Enrollment": Enrollments,
        "Entity": Entities,
        "Event": PartsOfAnAssignment,
        "GoldQuestion": GoldQuestions,
        "CampaignForecast": PartsOfACampaign,
        "GoldScore": PartsOfAnAssignment,
        "ImportRun": ImportRuns,
        "ImportedAnswer": ImportedAnswers,
        "InstructionsVersion": PartsOfACampaign,
        "Job": Jobs,
        "Label": Labels,
        "Member": Members,
        "NightStep": NightSteps,
        "Payment": Payments,
        "Project": Projects,
        "Rejection": Rejections,
        "Response": PartsOfAnAssignment,
        "Rollup": PartsOfACampaign,
        "Tally": PartsOfACampaign,
        "Task": Tasks,
        "Worker": Workers,
    },
)


class LogIns(RawTable):
    searched = ("username", "ip_address")


register_tables("axes", dict.fromkeys(("AccessAttempt", "AccessFailureLog", "AccessLog"), LogIns))

admin.site.unregister(User)


@admin.register(User)
class Accounts(UserAdmin):
    """Django's own page of an account, without what is stored of the password."""

    fieldsets: ClassVar[Any] = (
        (None, {"fields": ("username", "new_password")}),
        *(UserAdmin.fieldsets or ())[1:],
    )
    readonly_fields = ("new_password",)

    @admin.display(description="Password")
    def new_password(self, user: User) -> str:
        address = reverse("admin:auth_user_password_change", args=[user.pk])
        return format_html('<a href="{}">Set another password</a>', address)
