"""A campaign's form saved by the action, and what the action refuses told beside its fields."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError

from annotation.actions.campaigns import WrongState, edit_campaign
from annotation.actions.locks import Held
from annotation.interfaces import AnswerError
from annotation.models import Campaign
from dashboard.campaigns.campaign_form import CampaignForm
from dashboard.forms import add_refusals


def changed_by(
    form: CampaignForm, campaign: Campaign, user: Any, *, unfinished: bool = False
) -> list[str] | None:
    """The names of what differs now; None where it was refused, and the form says why."""
    try:
        return edit_campaign(campaign, **form.chosen(), user=user, unfinished=unfinished)
    except (WrongState, Held) as error:
        form.add_error(None, str(error))
    except ValidationError as error:
        add_refusals(form, error.message_dict, form.fields_of)
    except AnswerError as error:
        add_refused_options(form, error)
    return None


def add_refused_options(form: CampaignForm, error: AnswerError) -> None:
    for problem in error.problems:
        add_refusals(form, {form.field_of(problem.path): [str(problem)]})
