"""The entry for gunicorn: `gunicorn config.wsgi`."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

# Pages are imported now and not at the first request, so that with --preload the server's
# processes share them; and what they share the collector leaves alone, for to look at an object is
# to write to it, and so to copy it.
from django.urls import get_resolver  # noqa: E402  (needs the settings)

get_resolver().url_patterns  # noqa: B018
gc.collect()
gc.freeze()
