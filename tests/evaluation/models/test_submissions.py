import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import Project
from evaluation.models import Claim, Submission, Team
from tests.evaluation.made import (
    make_evaluated_project,
    make_period,
    make_submission,
    make_submitter,
    make_system,
    make_team,
)
from tests.factories import make_member

pytestmark = pytest.mark.django_db


def test_newest_version_that_stands_is_the_current_one():
    period = make_period()
    system, other = (make_system(make_team(period.project)) for _ in range(2))
    first, second = (make_submission(period, system) for _ in range(2))
    make_submission(period, system, state="refused")
    alone = make_submission(period, other)
    later = make_submission(make_period(period.project), system)
    current = Submission.objects.current()
    assert set(current) == {second, alone, later}
    second.withdrawn_at = timezone.now()
    second.save()
    assert set(current.filter(period=period)) == {first, alone}


def test_team_sees_its_own_and_members_of_the_project_all():
    period = make_period()
    teams = [make_team(period.project) for _ in range(2)]
    mine, theirs = (make_submission(period, make_system(team)) for team in teams)
    submitter = make_submitter(teams[0])
    viewer, manager = (make_member(period.project, role).user for role in ("viewer", "manager"))
    visible, managed = Submission.objects.visible_to, Submission.objects.managed_by
    assert set(visible(submitter)) == set(managed(submitter)) == {mine}
    assert set(visible(viewer)) == set(managed(manager)) == {mine, theirs}
    assert not managed(viewer)
    assert not visible(make_member(make_evaluated_project()).user)
    assert not visible(AnonymousUser())
    assert set(visible(User.objects.create_superuser("root"))) == {mine, theirs}
    assert set(Team.objects.visible_to(submitter)) == {teams[0]}
    assert not Project.objects.visible_to(submitter)


def test_claim_is_one_row_and_outlives_its_document():
    period = make_period()
    document = period.documents.get()
    row = {
        "period": period, "code": "0" * 16, "document": document, "document_name": "d",
        "relation": "per:title", "subject_start": 0, "subject_end": 3, "object_start": 4,
        "object_end": 9, "number": 0.5,
    }  # fmt: skip
    claim = Claim.objects.create(**row)
    with pytest.raises(IntegrityError), transaction.atomic():
        Claim.objects.create(**row)
    assert list(Claim.objects.in_corpus()) == [claim]
    document.delete()
    assert not Claim.objects.in_corpus()
    assert Claim.objects.get().document is None
