"""Static files under names that change with their content, so that browsers keep them for good."""

from typing import Any

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    # Without this, `import "./x.js"` keeps the old name and an update reaches browsers by halves.
    support_js_module_import_aggregation = True
    # Django goes over all files again until no name changes, once for each step of the longest
    # chain of imports, and gives up after 5. A worker's page has longer ones.
    max_post_process_passes = 25
    # A file that a package's style sheet names and does not ship is no reason to fail.
    manifest_strict = False

    def create_compressor(self, **options: Any) -> Compressor:
        # Source maps are half of all bytes and asked for by no browser but a developer's.
        plain = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
        return super().create_compressor(**options | {"extensions": plain})
