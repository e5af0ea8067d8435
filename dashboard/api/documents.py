"""The API's documents, from files of a pip package: nothing is loaded from another host."""

from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.views import SpectacularSwaggerSplitView


@method_decorator(csp_update({"img-src": ["data:"]}), name="dispatch")  # icons in the style sheet
class ApiDocumentsView(SpectacularSwaggerSplitView):
    url_name = "api:schema"
    template_name = "dashboard/api_documents.html"
    authentication_classes: list = []
    permission_classes: list = []


class ApiTokenScheme(OpenApiAuthenticationExtension):
    target_class = "dashboard.api.authentication.ApiTokenAuthentication"
    name = "apiToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "`Bearer <secret>`, a token of one’s own, made on the page *Tokens*.",
        }
