"""Every static file gets its hashed name, however long the chains of imports are."""

import json

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.utils.functional import empty

from config.bundles import SCRIPTS, STYLES


def test_all_files_are_collected_under_hashed_names(settings, tmp_path, monkeypatch):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "config.storage.HashedStaticFiles"}
    }
    monkeypatch.setattr(staticfiles_storage, "_wrapped", empty)
    call_command("collectstatic", interactive=False, verbosity=0)
    names = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    for bundle in (*SCRIPTS, *STYLES):
        hashed = names[f"bundles/{bundle}"]
        assert hashed != f"bundles/{bundle}"
        assert (tmp_path / hashed).is_file()
