"""Labelling loops: those of a project, one of them, and what people do with it."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.actions.campaigns import NotReady, WrongState
from annotation.actions.jobs import enqueue
from annotation.models import Project
from dashboard.access import Permissions, managed_project, visible_project
from dashboard.addresses import number_in
from dashboard.jobs.views import to_job
from dashboard.loops.forms import ChangeForm, NewLoopForm
from dashboard.loops.queries import loop_page, loops_of, picks_of
from selection.actions.loops.life import (
    CannotLoop,
    change_loop,
    create_loop,
    pause_loop,
    resume_loop,
    stop_loop,
)
from selection.models import LabellingLoop

ROWS = 100  # of what a round has picked, a page
MOVES = {
    "pause": (pause_loop, "The loop is paused. What is leased may still be submitted."),
    "resume": (resume_loop, "The loop goes on where it was."),
    "stop": (stop_loop, "The loop is stopped. All labels and models stay."),
}


@login_required
def loops(request: HttpRequest, slug: str) -> HttpResponse:
    """POST sets one up."""
    if request.method == "POST":
        project, permissions = managed_project(request.user, slug), Permissions("manager")
    else:
        project, permissions = visible_project(request.user, slug)
    form = NewLoopForm(project, request.POST if request.method == "POST" else None)
    if form.is_valid() and (made := _made(project, form, request.user)):
        messages.success(request, f"“{made.name}” runs: its first documents are picked now.")
        enqueue("advance_loops", {"loop": str(made.key)}, project=project, user=request.user)
        return redirect("manage:loop", slug, made.key)
    context = {
        "project": project, "permissions": permissions, "form": form, "lines": loops_of(project),
    }  # fmt: skip
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/loops/loops.html", context, status=status)


def _made(project: Project, form: NewLoopForm, user: Any) -> LabellingLoop | None:
    chosen = dict(form.cleaned_data)
    try:
        return create_loop(project, name=chosen["campaign"].name, user=user, **chosen)
    except CannotLoop as error:
        refuse_loop(form, error)
    return None


@login_required
@require_safe
def loop(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    project, permissions = visible_project(request.user, slug)
    return _page(request, find_loop(project, key), permissions)


@login_required
def change(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    project = managed_project(request.user, slug)
    found = find_loop(project, key)
    if request.method != "POST":  # a refused form leaves its address; whoever loads that again
        return redirect("manage:loop", slug, key)
    form = ChangeForm(found, request.POST)
    if form.is_valid():
        try:
            changed = change_loop(found, user=request.user, **form.changes())
        except CannotLoop as error:
            refuse_loop(form, error)
        else:
            told = "From the next round on." if changed else "Nothing has changed."
            messages.success(request, told)
            return redirect("manage:loop", slug, key)
    return _page(request, found, Permissions("manager"), status=422, form=form)


@login_required
def loop_state(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST `verb`: pause, resume or stop."""
    project = managed_project(request.user, slug)
    found = find_loop(project, key)
    if request.method == "POST" and request.POST.get("verb") in MOVES:
        move, told = MOVES[request.POST["verb"]]
        try:
            move(found, user=request.user)
        except (CannotLoop, WrongState, NotReady) as error:
            messages.error(request, str(error))
        else:
            messages.success(request, told)
    return redirect("manage:loop", slug, key)


@login_required
def advance(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """POST asks for the job that moves it on."""
    project = managed_project(request.user, slug)
    found = find_loop(project, key)
    if request.method != "POST":
        return redirect("manage:loop", slug, key)
    return to_job(
        enqueue("advance_loops", {"loop": str(found.key)}, project=project, user=request.user)
    )


@login_required
@require_safe
def picked(request: HttpRequest, slug: str, key: uuid.UUID, number: int) -> HttpResponse:
    """All that a round has picked, a page at a time."""
    project, permissions = visible_project(request.user, slug)
    found = find_loop(project, key)
    row = get_object_or_404(found.rounds.defer("decisions"), number=number)
    first = number_in(request, "from")
    picks = picks_of(row, ROWS, first - 1)
    last = first + len(picks) - 1
    context = {
        "project": project, "permissions": permissions, "loop": found, "round": row,
        "picks": picks, "first": first, "last": last,
        "earlier": max(1, first - ROWS) if first > 1 else 0,
        "later": last + 1 if last < row.picked else 0,
    }  # fmt: skip
    return render(request, "dashboard/loops/picked.html", context)


def refuse_loop(form: Form, error: CannotLoop) -> None:
    path = error.path
    field = {"budget": "budget_mills"}.get(path, path)
    form.add_error(field if field in form.fields else None, str(error))


def find_loop(project: Project, key: uuid.UUID) -> LabellingLoop:
    related = LabellingLoop.objects.select_related("project", "campaign", "budget")
    return get_object_or_404(related, project=project, key=key)


def _page(
    request: HttpRequest, found: LabellingLoop, permissions: Permissions, *, status: int = 200,
    **more: Any,
) -> HttpResponse:  # fmt: skip
    context: dict[str, Any] = {
        "project": found.project,
        "permissions": permissions,
        "loop": found,
        "page": loop_page(found, timezone.now()),
    }
    if permissions.can_manage and not found.is_over:
        context["form"] = ChangeForm(found)
    return render(request, "dashboard/loops/loop.html", context | more, status=status)
