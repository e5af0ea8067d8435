from django.urls import path

from annotation.api import work

urlpatterns = [
    path("work/join/", work.JoinView.as_view(), name="join"),
    path("work/try/", work.TryView.as_view(), name="try"),
    path("work/next/", work.NextView.as_view(), name="next"),
    path("work/consent/", work.ConsentView.as_view(), name="consent"),
    path("work/appeal/", work.AppealView.as_view(), name="appeal"),
    path("work/history/", work.HistoryView.as_view(), name="history"),
    path("work/phrase/", work.PhraseView.as_view(), name="phrase"),
    path("work/assignments/<uuid:key>/", work.HandedInView.as_view(), name="handed-in"),
    path(
        "work/assignments/<uuid:key>/correction/", work.CorrectionView.as_view(), name="correction"
    ),
    path("work/assignments/<uuid:key>/draft/", work.DraftView.as_view(), name="draft"),
    path("work/assignments/<uuid:key>/submit/", work.SubmitView.as_view(), name="submit"),
    path("work/assignments/<uuid:key>/return/", work.ReturnView.as_view(), name="return"),
    path("work/assignments/<uuid:key>/events/", work.EventsView.as_view(), name="events"),
    path("work/entities/", work.EntitiesView.as_view(), name="entities"),
    path("work/finish/", work.FinishView.as_view(), name="finish"),
]
