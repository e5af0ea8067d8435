"""Campaigns that spend of one budget, and those whose documents are chosen."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F

from annotation.actions import assignments
from annotation.actions.campaigns import (
    NotReady,
    WrongState,
    close_campaign,
    create_campaign,
    create_shared_budget,
    create_tasks_on,
    edit_campaign,
    editable,
    grant_rest,
    join_shared_budget,
    open_campaign,
    resize_shared_budget,
    set_budget,
    spent_together,
)
from annotation.actions.integrity import check_campaign
from annotation.models import Campaign, Demand, ImportedAnswer, SharedBudget
from tests.factories import make_campaign, make_document, make_enrollment, make_project

pytestmark = pytest.mark.django_db


def draft(project, **fields):
    number = project.campaigns.count()
    return create_campaign(
        project, slug=f"part-{number}", name="Part", interface="choice",
        options={"choices": ["A", "B"]}, pay_mills=20, redundancy=1, chosen_documents=True,
        **fields,
    )  # fmt: skip


def answers(campaign, number):
    """One worker answers as many tasks as there is money for, at most `number`; how many."""
    worker = make_enrollment(campaign)
    lease, done = assignments.claim_next(worker.key).assignment, 0
    while lease is not None and done < number:
        body = {"choice": "A", "unsure": False, "value": None, "note": ""}
        lease = assignments.submit(worker.key, lease.key, body).next.assignment
        done += 1
    if lease is not None:
        assignments.return_task(worker.key, lease.key, "enough")
    return done


def test_together_they_never_spend_more_than_there_is():
    project = make_project()
    budget = create_shared_budget(project, 130, "USD")
    parts = [draft(project), draft(project)]
    for part in parts:
        documents = [make_document(project) for _ in range(5)]
        create_tasks_on(part, [(row.pk, row.external_id, {}) for row in documents])
        join_shared_budget(part, budget)
        join_shared_budget(part, budget)  # a second time it changes nothing
    assert grant_rest(parts[0]) == 130
    open_campaign(parts[0])
    assert answers(parts[0], 2) == 2
    close_campaign(parts[0])
    held = Campaign.objects.get(pk=parts[0].pk).committed_mills
    assert grant_rest(parts[1]) == 130 - held
    assert grant_rest(parts[1]) == 130 - held
    open_campaign(parts[1])
    answers(parts[1], 5)
    row = SharedBudget.objects.get()
    assert row.granted_mills == 130 == sum(Campaign.objects.values_list("budget_mills", flat=True))
    assert spent_together(row) <= 130
    assert [check_campaign(part) for part in parts] == [[], []]


def test_the_table_holds_the_sum():
    budget = create_shared_budget(make_project(), 100, "USD")
    with pytest.raises(IntegrityError), transaction.atomic():
        SharedBudget.objects.filter(pk=budget.pk).update(granted_mills=F("mills") + 1)


def test_a_part_is_not_changed_by_itself():
    project = make_project()
    part = draft(project)
    join_shared_budget(part, create_shared_budget(project, 100, "USD"))
    assert not {"budget_mills", "currency"} & editable(part)
    with pytest.raises(WrongState):
        edit_campaign(part, budget_mills=5_000)
    with pytest.raises(WrongState, match="Change that of the labelling loop"):
        set_budget(part, 5_000)
    other = create_shared_budget(project, 100, "USD")
    with pytest.raises(WrongState, match="another shared budget"):
        join_shared_budget(part, other)
    with pytest.raises(WrongState, match="only a draft"):
        join_shared_budget(make_campaign(project), other)
    with pytest.raises(WrongState, match="pays in EUR"):
        join_shared_budget(draft(project, currency="EUR"), other)


def test_its_size_is_changed_down_to_what_is_spent():
    project = make_project()
    budget, part = create_shared_budget(project, 100, "USD"), draft(project)
    document = make_document(project)
    create_tasks_on(part, [(document.pk, document.external_id, {})])
    join_shared_budget(part, budget)
    grant_rest(part)
    open_campaign(part)
    answers(part, 1)
    resize_shared_budget(budget, 500, part)
    assert (budget.mills, budget.granted_mills) == (500, 500)
    resize_shared_budget(budget, 20, part)
    assert Campaign.objects.get(pk=part.pk).budget_mills == 20
    with pytest.raises(WrongState, match=r"0\.02 USD are spent"):
        resize_shared_budget(budget, 19, part)


def test_a_campaign_on_chosen_documents_opens_on_those_alone():
    project = make_project()
    documents = [make_document(project) for _ in range(4)]
    part = draft(project)
    with pytest.raises(NotReady, match="its documents are chosen"):
        open_campaign(part)
    create_tasks_on(part, [(documents[1].pk, documents[1].external_id, {})])
    open_campaign(part)
    assert list(part.tasks.values_list("document", flat=True)) == [documents[1].pk]
    # Another batch comes to who works already.
    create_tasks_on(part, [(row.pk, row.external_id, {}) for row in documents[:3]])
    assert answers(part, 9) == 3


def test_gold_comes_from_documents_that_are_not_chosen():
    project = make_project()
    part = make_campaign(
        project, state="draft", chosen_documents=True, redundancy=1,
        options={"hidden_gold": 2}, gold_every=3,
    )  # fmt: skip
    chosen, *known = [make_document(project) for _ in range(5)]
    for row in known:
        ImportedAnswer.objects.create(
            document=row, interface="entity", source="gold", answer={"mentions": []}
        )
    create_tasks_on(part, [(chosen.pk, chosen.external_id, {})])
    open_campaign(part)
    kinds = Demand.objects.filter(campaign=part).values_list("kind", flat=True)
    assert sorted(kinds) == [Demand.Kind.PLAIN, Demand.Kind.HIDDEN, Demand.Kind.HIDDEN]
    assert set(
        Demand.objects.gold().filter(campaign=part).values_list("task__document", flat=True)
    ) < {row.pk for row in known}
