from django.contrib import admin
from django.urls import include, path
from django.views.decorators.cache import cache_control
from django.views.generic import RedirectView, TemplateView

from annotation.api import urls as worker_api
from annotation.views import pictures, work
from dashboard.accounts import invitations
from dashboard.accounts import views as accounts
from dashboard.api import urls as manager_api
from dashboard.projects import start

# One API under one name, whoever asks.
api = [*worker_api.urlpatterns, *manager_api.urlpatterns]

handler404 = "annotation.views.errors.not_found"
handler500 = "config.outages.server_error"
urlpatterns = [
    path("", start.start, name="start"),
    path(
        "robots.txt",
        cache_control(public=True, max_age=86_400)(
            TemplateView.as_view(template_name="robots.txt", content_type="text/plain")
        ),
    ),
    path("join/<str:link>/", work.join, name="join"),
    path("invitations/<str:secret>/", invitations.invitation, name="invitation"),
    path("pictures/<str:name>", pictures.picture, name="picture"),
    path("login/", accounts.log_in, name="login"),
    path("logout/", accounts.log_out, name="logout"),
    path("password/", accounts.password, name="password"),
    path("manage/", include("dashboard.urls")),
    path("api/", include((api, "api"))),
    path("admin/login/", accounts.tables_log_in),
    path("admin/password_change/", RedirectView.as_view(pattern_name="password")),
    path("admin/", admin.site.urls),
]
