from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView

from dashboard.api import (
    answering,
    campaigns,
    evaluations,
    jobs,
    keeping,
    loops,
    money,
    people,
    projects,
    quality,
    record,
    results,
    states,
    submissions,
    systems,
    teams,
    webhooks,
    workers,
)
from dashboard.api.documents import ApiDocumentsView

PROJECT = "projects/<slug:slug>/"
CAMPAIGN = "campaigns/<slug:slug>/"
HOOK = f"{PROJECT}webhooks/<uuid:key>/"
JOB = f"{PROJECT}jobs/<uuid:key>/"
PERIOD = f"{PROJECT}periods/<uuid:key>/"
LOOP = f"{PROJECT}loops/<uuid:key>/"
TEAM = "teams/<uuid:key>/"
WORKER = f"{CAMPAIGN}workers/<uuid:key>/"
# "-" * 36 is no key: what is looked up by a pattern has to be one.
KEY = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
SLUG = "(?P<slug>[-a-zA-Z0-9_]+)"

of_projects = [
    path("projects/", projects.ProjectsView.as_view(), name="projects"),
    path(PROJECT, projects.ProjectView.as_view(), name="project"),
    path(f"{PROJECT}labels/", projects.LabelsView.as_view(), name="labels"),
    path(f"{PROJECT}documents/", projects.DocumentsView.as_view(), name="documents"),
    path(f"{PROJECT}imports/", projects.ImportsView.as_view(), name="imports"),
    path(f"{PROJECT}imports/<uuid:key>/undo/", keeping.UndoImportView.as_view(), name="undo"),
    path(f"{PROJECT}copy/", keeping.CopyProjectView.as_view(), name="copy-project"),
    re_path(
        rf"^projects/{SLUG}/(?P<verb>archive|restore)/$",
        keeping.ProjectStateView.as_view(),
        name="project-state",
    ),
    path(f"{PROJECT}campaigns/", campaigns.CampaignsView.as_view(), name="campaigns"),
    path(f"{PROJECT}members/", people.MembersView.as_view(), name="members"),
    path(f"{PROJECT}members/<str:username>/", people.MemberView.as_view(), name="member"),
    path(f"{PROJECT}invitations/", people.InvitationsView.as_view(), name="invitations"),
    path(f"{PROJECT}invitations/<uuid:key>/", people.InvitationView.as_view(), name="invitation"),
    path(f"{PROJECT}record/", record.RecordView.as_view(), name="record"),
    path(f"{PROJECT}jobs/", jobs.JobsView.as_view(), name="jobs"),
    path(JOB, jobs.JobView.as_view(), name="job"),
    path(f"{JOB}stop/", jobs.StopJobView.as_view(), name="stop-job"),
    path(f"{JOB}again/", jobs.RepeatJobView.as_view(), name="repeat-job"),
    path(f"{JOB}file/", jobs.JobFileView.as_view(), name="job-file"),
    path(f"{PROJECT}webhooks/", webhooks.WebhooksView.as_view(), name="webhooks"),
    path(HOOK, webhooks.WebhookView.as_view(), name="webhook"),
    path(f"{HOOK}deliveries/", webhooks.DeliveriesView.as_view(), name="deliveries"),
    path(
        f"{HOOK}deliveries/<uuid:delivery>/again/",
        webhooks.SendAgainView.as_view(),
        name="send-again",
    ),
]
of_evaluations = [
    path(f"{PROJECT}periods/", evaluations.PeriodsView.as_view(), name="periods"),
    path(PERIOD, evaluations.PeriodView.as_view(), name="period"),
    path(f"{PERIOD}release/", evaluations.ReleaseView.as_view(), name="release"),
    path(f"{PERIOD}plans/", evaluations.PlansView.as_view(), name="plans"),
    path(f"{PERIOD}recall/", evaluations.RecallView.as_view(), name="recall"),
    path(f"{PERIOD}recall/links/", evaluations.RecallLinksView.as_view(), name="recall-links"),
    path(
        f"{PERIOD}submissions/", evaluations.PeriodSubmissionsView.as_view(),
        name="period-submissions",
    ),
    re_path(
        rf"^projects/{SLUG}/periods/(?P<key>{KEY})/(?P<act>score|forecast)/$",
        evaluations.PeriodJobView.as_view(),
        name="period-job",
    ),
    path(f"{PROJECT}teams/", teams.TeamsView.as_view(), name="teams"),
    path(f"{TEAM}people/", teams.TeamPeopleView.as_view(), name="team-people"),
    path(f"{TEAM}people/<str:username>/", teams.TeamPersonView.as_view(), name="team-person"),
    path(f"{TEAM}invitations/", teams.TeamInvitationsView.as_view(), name="team-invitations"),
    path(f"{TEAM}tokens/", teams.UploadTokensView.as_view(), name="upload-tokens"),
    re_path(
        rf"^teams/(?P<key>{KEY})/(?P<what>invitations|tokens)/(?P<row>{KEY})/$",
        teams.RevokeView.as_view(),
        name="team-revoke",
    ),
]  # fmt: skip
of_loops = [
    path(f"{PROJECT}loops/", loops.LoopsView.as_view(), name="loops"),
    path(LOOP, loops.LoopView.as_view(), name="loop"),
    path(f"{LOOP}advance/", loops.AdvanceLoopView.as_view(), name="advance-loop"),
    path(f"{LOOP}rounds/", loops.LoopRoundsView.as_view(), name="loop-rounds"),
    path(f"{LOOP}rounds/<int:number>/", loops.PickedView.as_view(), name="loop-picked"),
    re_path(
        rf"^projects/{SLUG}/loops/(?P<key>{KEY})/(?P<verb>pause|resume|stop)/$",
        loops.LoopStateView.as_view(),
        name="loop-state",
    ),
]
of_campaigns = [
    path(CAMPAIGN, campaigns.CampaignView.as_view(), name="campaign"),
    path(f"{CAMPAIGN}copy/", keeping.CopyCampaignView.as_view(), name="copy-campaign"),
    path(f"{CAMPAIGN}money/", money.MoneyView.as_view(), name="money"),
    path(f"{CAMPAIGN}budget/", money.BudgetView.as_view(), name="budget"),
    path(f"{CAMPAIGN}floor/", money.FloorView.as_view(), name="floor"),
    path(f"{CAMPAIGN}links/", campaigns.LinksView.as_view(), name="links"),
    path(f"{CAMPAIGN}links/<int:number>/end/", campaigns.EndLinkView.as_view(), name="end-link"),
    path(f"{CAMPAIGN}files/<slug:what>/", campaigns.CampaignFilesView.as_view(), name="files"),
    path(f"{CAMPAIGN}jobs/", campaigns.CampaignJobsView.as_view(), name="campaign-jobs"),
    path(f"{CAMPAIGN}download/", campaigns.DownloadView.as_view(), name="download"),
    path(f"{CAMPAIGN}tasks/", results.TasksView.as_view(), name="tasks"),
    path(f"{CAMPAIGN}workers/", results.WorkersView.as_view(), name="workers"),
    path(
        f"{WORKER}state/", results.WorkerStateView.as_view(),
        name="worker-state",
    ),
    path(f"{WORKER}answers/", workers.WorkerAnswersView.as_view(), name="worker-answers"),
    path(
        f"{WORKER}answers/<uuid:answer>/rejection/", workers.RejectView.as_view(), name="rejection"
    ),
    path(f"{WORKER}flags/<slug:kind>/", workers.FlagView.as_view(), name="flag"),
    path(f"{CAMPAIGN}requests/", workers.RequestsView.as_view(), name="requests"),
    path(f"{CAMPAIGN}requests/<uuid:key>/", workers.RequestView.as_view(), name="request"),
    path(f"{CAMPAIGN}plan/", quality.PlanView.as_view(), name="campaign-plan"),
    path(f"{CAMPAIGN}served-method/", quality.ServedMethodView.as_view(), name="served-method"),
    path(f"{CAMPAIGN}runs/<uuid:key>/", quality.PinView.as_view(), name="run"),
    path(f"{CAMPAIGN}tasks/order/", quality.OrderTasksView.as_view(), name="order-tasks"),
    path(f"{CAMPAIGN}gold/", results.GoldView.as_view(), name="gold"),
    path(f"{CAMPAIGN}gold/question/", quality.GoldQuestionView.as_view(), name="gold-question"),
    path(f"{CAMPAIGN}runs/", results.RunsView.as_view(), name="runs"),
    path(f"{CAMPAIGN}review/", results.ReviewQueueView.as_view(), name="review-queue"),
    path(f"{CAMPAIGN}review/task/", results.ReviewView.as_view(), name="review"),
    re_path(
        rf"^campaigns/{SLUG}/(?P<verb>open|pause|close|archive|restore)/$",
        states.CampaignStateView.as_view(),
        name="campaign-state",
    ),
]  # fmt: skip

urlpatterns = [
    *of_projects,
    *of_campaigns,
    *of_evaluations,
    *of_loops,
    path("evaluations/<uuid:key>/", systems.ScoresView.as_view(), name="scores"),
    path("submissions/", submissions.SubmissionsView.as_view(), name="submissions"),
    path("submissions/<uuid:key>/", submissions.SubmissionView.as_view(), name="submission"),
    path("answering/<path:step>", answering.AnsweringView.as_view(), name="answering"),
    path("schema/", SpectacularAPIView.as_view(permission_classes=[]), name="schema"),
    path("docs/", ApiDocumentsView.as_view(), name="docs"),
]
