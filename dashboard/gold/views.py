"""The gold questions of a campaign: looked at, corrected, retired and given back."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from annotation.actions import gold as actions
from annotation.actions.jobs import enqueue
from annotation.interfaces import AnswerError
from annotation.models import Assignment, Campaign, GoldQuestion
from dashboard.access import Permissions, managed_campaign, visible_campaign
from dashboard.addresses import number_in
from dashboard.gold.queries import gold_page, gold_question, question_page
from dashboard.jobs.views import to_job
from dashboard.workers.forms import KnownForm, RetireForm


@login_required
def gold(request: HttpRequest, slug: str) -> HttpResponse:
    """POST: documents that came with gold were drawn at random."""
    if request.method == "POST":
        campaign = managed_campaign(request.user, slug)
        number = actions.count_documents_as_random(campaign, user=request.user)
        counts = "answer counts" if number == 1 else "answers count"
        messages.success(
            request, f"{number:,} known {counts} as drawn at random from the next run on."
        )
        return redirect("manage:gold", slug)
    campaign, permissions = permitted(request, slug)
    number = number_in(request)
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "page": gold_page(campaign, number),
    }
    return render(request, "dashboard/gold/gold.html", context)


@login_required
def check_gold(request: HttpRequest, slug: str) -> HttpResponse:
    """POST: have the questions looked at now."""
    campaign = managed_campaign(request.user, slug)
    if request.method != "POST":
        return redirect("manage:gold", slug)
    return to_job(enqueue("check_gold", campaign=campaign, user=request.user))


@login_required
def question(request: HttpRequest, slug: str, task: str) -> HttpResponse:
    """POST `verb`: take (the answer of an `assignment` is the known one), correct (`answer`,
    `explanation`, `tolerance`), retire (`reason`) or restore."""
    if request.method != "POST":
        campaign, permissions = permitted(request, slug)
        return _page(request, campaign, _question(campaign, task), permissions)
    campaign = managed_campaign(request.user, slug)
    question = _question(campaign, task)
    verb = request.POST.get("verb")
    form = VERBS[verb](request, question) if verb in VERBS else None
    if form is None:
        return redirect("manage:gold-question", slug, task)
    name = "retire_form" if isinstance(form, RetireForm) else "form"
    question = _question(campaign, task)  # as it is: an action that refused has left it alone
    return _page(request, campaign, question, Permissions("manager"), status=422, **{name: form})


def _take(request: HttpRequest, question: GoldQuestion) -> KnownForm | None:
    """A note is its worker's own, and no part of what is known."""
    try:
        key = uuid.UUID(request.POST.get("assignment", ""))
    except ValueError as error:
        raise Http404 from error
    rows = Assignment.objects.select_related("response")
    given = get_object_or_404(rows, task=question.pk, key=key, response__isnull=False)
    answer = given.response.answer
    if "note" in answer:
        answer = answer | {"note": ""}
    try:
        _report_change(request, actions.correct_gold(question, answer, user=request.user))
    except AnswerError as error:
        messages.error(request, f"This answer can't be the known one. {error}")
    return None


def _correct(request: HttpRequest, question: GoldQuestion) -> KnownForm | None:
    form = KnownForm(request.POST)
    if not form.is_valid():
        return form
    data = form.cleaned_data
    try:
        done = actions.correct_gold(
            question, data["answer"], explanation=data["explanation"], tolerance=data["tolerance"],
            user=request.user,
        )  # fmt: skip
    except AnswerError as error:
        for problem in error.problems:
            told = f"{problem.path}: {problem}" if problem.path else str(problem)
            form.add_error("answer", told)
        return form
    _report_change(request, done)
    return None


def _retire(request: HttpRequest, question: GoldQuestion) -> RetireForm | None:
    form = RetireForm(request.POST)
    if not form.is_valid():
        return form
    try:
        done = actions.retire_gold(question, form.cleaned_data["reason"], user=request.user)
    except actions.GoldRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(
            request, f"Retired: it is given out no more. {_changed(done)} "
            "None of its answers counts, for or against anybody.",
        )  # fmt: skip
    return None


def _restore(request: HttpRequest, question: GoldQuestion) -> None:
    try:
        done = actions.restore_gold(question, user=request.user)
    except actions.GoldRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Given out again. {_changed(done)}")


VERBS: dict[str | None, Any] = {
    "take": _take, "correct": _correct, "retire": _retire, "restore": _restore,
}  # fmt: skip


def _report_change(request: HttpRequest, done: actions.Rescored) -> None:
    messages.success(request, f"The known answer is changed. {_changed(done)}")


def _changed(done: actions.Rescored) -> str:
    if not done.answers:
        return "Nobody has answered it yet."
    answers = f"{done.answers:,} answer{' was' if done.answers == 1 else 's were'} scored anew"
    scores = f"{done.changed:,} score{'' if done.changed == 1 else 's'} changed"
    workers = f"{done.workers:,} worker{'' if done.workers == 1 else 's'}"
    return f"{answers}: {scores}, of {workers}."


def permitted(request: HttpRequest, slug: str) -> tuple[Campaign, Permissions]:
    """Who may not see gold is not told that there is any."""
    campaign, permissions = visible_campaign(request.user, slug)
    if not permissions.sees_gold:
        raise Http404
    return campaign, permissions


def _question(campaign: Campaign, task: str) -> GoldQuestion:
    question = None if "\0" in task else gold_question(campaign, task)  # PostgreSQL takes no NUL
    if question is None:
        raise Http404
    return question


def _page(
    request: HttpRequest, campaign: Campaign, question: GoldQuestion, permissions: Permissions, *,
    status: int = 200, **more: Any,
) -> HttpResponse:  # fmt: skip
    context = {
        "campaign": campaign,
        "project": campaign.project,
        "permissions": permissions,
        "page": question_page(campaign, question, with_ids=permissions.sees_earnings),
        "form": KnownForm(
            initial={
                "answer": json.dumps(question.answer, ensure_ascii=False, indent=1),
                "explanation": question.explanation,
                "tolerance": question.tolerance,
            }
        ),
        "retire_form": RetireForm(),
    }
    return render(request, "dashboard/gold/gold_question.html", context | more, status=status)
