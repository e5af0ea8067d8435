"""The API's documents, from files of a pip package: nothing is loaded from another host."""

from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularSwaggerSplitView


@method_decorator(csp_update({"img-src": ["data:"]}), name="dispatch")  # icons in the style sheet
class ApiDocumentsView(SpectacularSwaggerSplitView):
    url_name = "api:schema"
    template_name = "dashboard/api_documents.html"
    authentication_classes: list = []
    permission_classes: list = []
