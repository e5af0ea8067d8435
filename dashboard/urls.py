"""Pages under /manage/, subject by subject; in the namespace `manage`."""

from django.urls import path
from django.views.generic import RedirectView

from dashboard import keeping
from dashboard.accounts import tokens
from dashboard.campaigns import building, settings, setup, task_orders, tasks
from dashboard.campaigns import views as campaigns
from dashboard.documents import imports
from dashboard.documents import views as documents
from dashboard.go_to import views as go_to
from dashboard.gold import answering
from dashboard.gold import views as gold
from dashboard.jobs import files
from dashboard.jobs import views as jobs
from dashboard.knowledge import views as knowledge
from dashboard.loops import views as loops
from dashboard.money import views as money
from dashboard.plan import views as campaign_plans
from dashboard.projects import invitations, members
from dashboard.projects import views as projects
from dashboard.quality import views as quality
from dashboard.record import views as record
from dashboard.results import downloads
from dashboard.results import views as results
from dashboard.review import views as review
from dashboard.schema import views as schema
from dashboard.setup import views as setting_up
from dashboard.systems import board, plans, recall, submissions, teams
from dashboard.systems import files as period_files
from dashboard.systems import views as systems
from dashboard.webhooks import views as webhooks
from dashboard.workers import appeals, selection, worker
from dashboard.workers import views as workers

PROJECT = "projects/<slug:slug>/"
CAMPAIGN = "campaigns/<slug:slug>/"
JOB = f"{PROJECT}jobs/<uuid:key>/"
LOOP = f"{PROJECT}loops/<uuid:key>/"
PERIOD = f"{PROJECT}evaluation/<uuid:key>/"
WORKER = f"{CAMPAIGN}workers/<uuid:key>/"
TEAM = "teams/<uuid:key>/"
SUBMISSION = "submissions/<uuid:key>/"

set_up_pages = [
    path("set-up/", setting_up.begin, name="begin"),
    path(f"{PROJECT}set-up/", setting_up.begin_in_project, name="begin-in-project"),
    path(f"{CAMPAIGN}set-up/", setting_up.set_up, name="set-up"),
    path(f"{CAMPAIGN}set-up/<slug:step>/", setting_up.step, name="set-up-step"),
]

keeping_pages = [
    path(f"{CAMPAIGN}keep/<slug:act>/", keeping.campaign, name="keep-campaign"),
    path(f"{PROJECT}keep/<slug:act>/", keeping.project, name="keep-project"),
]

project_pages = [
    path("new-project/", projects.new_project, name="new-project"),
    path(PROJECT, projects.project, name="project"),
    path(f"{PROJECT}labels/", schema.schema, name="schema"),
    path(f"{PROJECT}people/", members.members, name="members"),
    path(f"{PROJECT}people/<str:username>/", members.change, name="change-member"),
    path(f"{PROJECT}invitations/", invitations.invite_member, name="invite-member"),
    path(f"{PROJECT}invitations/<uuid:key>/revoke/", invitations.revoke, name="revoke-invitation"),
    path(f"{PROJECT}record/", record.changes, name="record"),
    path(f"{PROJECT}knowledge/", knowledge.knowledge, name="knowledge"),
    path(f"{PROJECT}knowledge.<slug:form>", knowledge.knowledge_file, name="knowledge-file"),
    path(f"{PROJECT}knowledge/import/", files.import_knowledge_base, name="import-knowledge"),
    path(f"{PROJECT}labels/relations/", files.import_relation_types, name="import-relation-types"),
    path(f"{PROJECT}campaigns/new/", setup.new_campaign, name="new-campaign"),
]

document_pages = [
    path(f"{PROJECT}import/", imports.choose, name="import"),
    path(f"{PROJECT}import/<uuid:key>/", imports.preview, name="import-preview"),
    path(
        f"{PROJECT}import/<uuid:key>/rejected.jsonl",
        imports.rejected_of_upload,
        name="upload-rejected",
    ),
    path(f"{PROJECT}imports/<uuid:key>/undo/", imports.undo, name="undo-import"),
    path(
        f"{PROJECT}imports/<uuid:key>/rejected.jsonl",
        imports.rejected_of_import,
        name="import-rejected",
    ),
    path(f"{PROJECT}documents/", documents.documents, name="documents"),
    path(f"{PROJECT}documents/<path:document>/", documents.document, name="document"),
]

campaign_pages = [
    path(CAMPAIGN, campaigns.campaign, name="campaign"),
    path(f"{CAMPAIGN}edit/", setup.edit, name="edit-campaign"),
    path(f"{CAMPAIGN}state/", campaigns.campaign_state, name="campaign-state"),
    path(f"{CAMPAIGN}tasks/", tasks.tasks, name="tasks"),
    path(f"{CAMPAIGN}tasks/order/", task_orders.order_tasks, name="order-tasks"),
    path(f"{CAMPAIGN}review/", review.review, name="review"),
    path(f"{CAMPAIGN}review/decide/", review.decide, name="decide"),
    path(f"{CAMPAIGN}results/", results.results, name="results"),
    path(f"{CAMPAIGN}served-method/", results.serve_method, name="serve-method"),
    path(f"{CAMPAIGN}money/", money.money, name="money"),
    path(f"{CAMPAIGN}settings/", settings.settings, name="settings"),
    path(f"{CAMPAIGN}budget/", settings.campaign_budget, name="campaign-budget"),
    path(f"{CAMPAIGN}code/", campaigns.campaign_code, name="campaign-code"),
    path(f"{CAMPAIGN}links/", settings.new_link, name="new-link"),
    path(f"{CAMPAIGN}links/<int:number>/end/", settings.end_link, name="end-link"),
    path(f"{CAMPAIGN}import/<slug:what>/", files.import_to_campaign, name="import-to-campaign"),
    path(f"{CAMPAIGN}tasks/add/", building.campaign_tasks, name="campaign-tasks"),
    path(f"{CAMPAIGN}next/<slug:interface>/", building.next_campaign, name="next-campaign"),
    path(f"{CAMPAIGN}runs/<uuid:key>/", results.run, name="run"),
    path(f"{CAMPAIGN}runs/<uuid:key>/pin/", results.pin_run, name="pin-run"),
    path(f"{CAMPAIGN}download/", downloads.download, name="download"),
]

worker_pages = [
    path(f"{CAMPAIGN}workers/", workers.workers, name="workers"),
    path(f"{CAMPAIGN}workers/states/", workers.worker_states, name="worker-states"),
    path(WORKER, worker.worker, name="worker"),
    path(f"{WORKER}state/", worker.worker_state, name="worker-state"),
    path(f"{WORKER}flags/<slug:kind>/", worker.worker_flag, name="worker-flag"),
    path(f"{WORKER}answers/<uuid:assignment>/", worker.worker_answer, name="worker-answer"),
    path(f"{CAMPAIGN}appeals/", appeals.appeals, name="appeals"),
    path(f"{CAMPAIGN}appeals/<uuid:key>/", appeals.answer_appeal, name="answer-appeal"),
    path(f"{CAMPAIGN}selection/", selection.selection, name="selection"),
    path(f"{CAMPAIGN}selection/try/", selection.try_selection, name="try-selection"),
    path(f"{CAMPAIGN}selection/rules/", selection.selection_rules, name="selection-rules"),
]

quality_pages = [
    path(f"{CAMPAIGN}quality/", quality.quality, name="quality"),
    path(f"{CAMPAIGN}plan/", campaign_plans.campaign_plan, name="campaign-plan"),
    path(f"{CAMPAIGN}plan/forecast/", campaign_plans.forecast_campaign, name="forecast-campaign"),
    path(f"{CAMPAIGN}gold/", gold.gold, name="gold"),
    path(f"{CAMPAIGN}gold/answer/", answering.answer, name="answer-gold"),
    path(f"{CAMPAIGN}gold/check/", gold.check_gold, name="check-gold"),
    path(f"{CAMPAIGN}gold/questions/<path:task>/", gold.question, name="gold-question"),
]

loop_pages = [
    path(f"{PROJECT}loops/", loops.loops, name="loops"),
    path(LOOP, loops.loop, name="loop"),
    path(f"{LOOP}change/", loops.change, name="change-loop"),
    path(f"{LOOP}state/", loops.loop_state, name="loop-state"),
    path(f"{LOOP}advance/", loops.advance, name="advance-loop"),
    path(f"{LOOP}rounds/<int:number>/", loops.picked, name="loop-picked"),
]

board_pages = [
    path(f"{PERIOD}board/", board.leaderboard, name="leaderboard"),
    path(f"{PERIOD}board.csv", board.leaderboard_file, name="leaderboard-file"),
    path(f"{PERIOD}systems/<uuid:submission>/", board.system, name="system-scores"),
]

system_pages = [
    path(f"{PROJECT}evaluation/", systems.systems, name="evaluation"),
    path(f"{PROJECT}evaluation/periods/", systems.new_period, name="new-period"),
    path(f"{PROJECT}evaluation/teams/", systems.new_team, name="new-team"),
    path(PERIOD, systems.period, name="period"),
    path(f"{PERIOD}change/", systems.change, name="change-period"),
    path(f"{PERIOD}campaign/", systems.new_campaign, name="new-claims-campaign"),
    path(f"{PERIOD}release/", systems.release, name="release-labels"),
    path(f"{PERIOD}score/", systems.score, name="score-period"),
    path(f"{PERIOD}plan/", plans.plan, name="plan"),
    path(f"{PERIOD}forecast/", plans.forecast, name="forecast"),
    path(f"{PERIOD}recall/", recall.recall, name="recall"),
    path(f"{PERIOD}recall/links/", recall.links, name="ask-links"),
]

team_pages = [  # for submitters too, who are no members of the project
    path(TEAM, teams.team, name="team"),
    path(f"{TEAM}submit/", teams.submit, name="submit"),
    path(f"{TEAM}invite/", teams.invite, name="invite"),
    path(f"{TEAM}tokens/", teams.token, name="new-token"),
    path(f"{TEAM}revoke/<slug:what>/<uuid:row>/", teams.revoke, name="revoke"),
    path(f"{TEAM}people/<str:username>/remove/", teams.remove, name="remove-from-team"),
    path("periods/<uuid:key>/corpus.jsonl", period_files.corpus, name="period-corpus"),
    path("periods/<uuid:key>/labels.jsonl", period_files.labels, name="period-labels"),
    path(SUBMISSION, submissions.submission, name="submission"),
    path(f"{SUBMISSION}files/<slug:what>/", submissions.download, name="submission-file"),
    path(f"{SUBMISSION}withdraw/", submissions.withdraw, name="withdraw-submission"),
]

job_pages = [
    path(f"{PROJECT}jobs/", jobs.jobs, name="jobs"),
    path(JOB, jobs.job, name="job"),
    path(f"{JOB}stop/", jobs.stop, name="stop-job"),
    path(f"{JOB}again/", jobs.again, name="repeat-job"),
    path(f"{JOB}file/", jobs.job_file, name="job-file"),
    path(f"{PROJECT}webhooks/", webhooks.webhooks, name="webhooks"),
    path(f"{PROJECT}webhooks/<uuid:key>/delete/", webhooks.delete, name="delete-webhook"),
    path(
        f"{PROJECT}webhooks/<uuid:key>/<uuid:delivery>/again/",
        webhooks.again,
        name="send-webhook-again",
    ),
    path(f"{CAMPAIGN}jobs/<slug:kind>/", jobs.start, name="start-job"),
]

# Where pages stood before they had sections.
old_addresses = [
    path(f"{PROJECT}schema/", RedirectView.as_view(pattern_name="manage:schema", permanent=True)),
    path(
        f"{PROJECT}schema/relations/",
        RedirectView.as_view(pattern_name="manage:import-relation-types", permanent=True),
    ),
    path(f"{PROJECT}members/", RedirectView.as_view(pattern_name="manage:members", permanent=True)),
    path(
        f"{PROJECT}members/<str:username>/",
        RedirectView.as_view(pattern_name="manage:change-member", permanent=True),
    ),
]

go_to_pages = [
    path("go/", go_to.go_to, name="go-to"),
    path("go.json", go_to.go_to_data, name="go-to-data"),
]

account_pages = [
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<uuid:key>/revoke/", tokens.revoke, name="revoke-token"),
]

app_name = "manage"
urlpatterns = [
    *set_up_pages,
    *keeping_pages,
    *project_pages,
    *document_pages,
    *campaign_pages,
    *worker_pages,
    *quality_pages,
    *go_to_pages,
    *loop_pages,
    *board_pages,
    *system_pages,
    *team_pages,
    *job_pages,
    *account_pages,
    *old_addresses,
]
