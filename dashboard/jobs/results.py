"""Where a job leads when it is done."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from annotation.models import Campaign, Job


@dataclass(frozen=True, slots=True)
class Link:
    address: str
    words: str


OF_CAMPAIGN = {  # kind → page, what follows its address, words
    "aggregate": ("results", "", "See the results"),
    "compare_methods": ("results", "", "Back to the results"),
    "refit_workers": ("results", "#reliabilities-title", "See the workers"),
    "export_annotations": ("results", "", "Back to the results"),
    "build_relation_tasks": ("campaign", "", "See the campaign"),
    "import_consensus": ("results", "", "See the results"),
    "import_claims": ("campaign", "", "See the campaign"),
    "import_choices": ("campaign", "", "See the campaign"),
    "import_suggestions": ("campaign", "", "See the campaign"),
    "import_gold": ("gold", "", "See the gold questions"),
    "build_linking_tasks": ("campaign", "", "See the campaign"),
    "open_campaign": ("campaign", "", "See the campaign"),
    "score_gold": ("gold", "", "See the gold questions"),
    "check_gold": ("gold", "", "See the gold questions"),
    "flag_workers": ("workers", "?flag=any", "See who is flagged"),
    "select_workers": ("selection", "", "See the selection"),
    "preview_selection": ("selection", "?preview={key}#found", "See whom it would keep"),
    "train_model": ("campaign", "", "See the campaign"),
    "suggest_by_model": ("campaign", "", "See the campaign"),
    "adjust_redundancy": ("selection", "#rounds-title", "See the rounds"),
}
OF_PROJECT = {
    "import_upload": ("documents", "", "See the documents"),
    "undo_import": ("project", "", "See the project"),
    "import_knowledge_base": ("knowledge", "", "See the knowledge base"),
    "advance_loops": ("loops", "", "See the labelling loops"),
    "export_knowledge_base": ("knowledge", "", "Back to the knowledge base"),
}

FILES = {  # kind of an import into a campaign → the word in the address of its page
    "import_gold": "gold",
    "import_choices": "choices",
    "import_suggestions": "suggestions",
    "import_claims": "claims",
    "import_consensus": "consensus",
}


def leads_to(job: Job) -> Link | None:
    """No query: `job` comes with its campaign and project."""
    if job.kind == "read_upload" and job.project:
        key = job.parameters["upload"]
        page = reverse("manage:import-preview", args=[job.project.slug, key])
        return Link(page, "Look at what it would bring")
    if job.kind in OF_CAMPAIGN and job.campaign:
        page, after, words = OF_CAMPAIGN[job.kind]
        slug = job.campaign.slug
    elif job.kind in OF_PROJECT and job.project:
        page, after, words = OF_PROJECT[job.kind]
        slug = job.project.slug
    else:
        return None
    return Link(reverse(f"manage:{page}", args=[slug]) + after.format(key=job.key), words)


def sends_another(job: Job) -> str:
    """The address of the page that takes a file in place of the job's; "" where there is none.
    No query, as above."""
    campaign, project = job.campaign, job.project
    if job.kind in FILES and campaign and campaign.state != Campaign.State.CLOSED:
        return reverse("manage:import-to-campaign", args=[campaign.slug, FILES[job.kind]])
    if job.kind == "import_knowledge_base" and project:
        return reverse("manage:import-knowledge", args=[project.slug])
    return ""
