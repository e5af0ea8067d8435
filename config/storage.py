"""Static files under names that change with their content, so that browsers keep them for good."""

import os
from pathlib import Path
from typing import Any

import brotli
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.bundles import FOLDER


class OnceCompressor(Compressor):
    """Puts Brotli and gzip beside a file, unless they stand there: its name holds one content."""

    def __init__(self, tight: str, **options: Any):
        """`tight` is the folder of the files that are worth the time of Brotli's best."""
        self.tight = Path(tight)
        super().__init__(**options)

    def compress(self, path: str) -> list[str]:
        file, written = Path(path), []
        content = file.read_bytes()
        # Brotli's best takes twenty times as long as gzip's, and its 5 is smaller and as fast.
        quality = 11 if file.parent == self.tight else 5
        ways = {".br": lambda: brotli.compress(content, quality=quality),
                ".gz": lambda: self.compress_gzip(content)}  # fmt: skip
        for suffix, compressed in ways.items():
            if os.path.exists(path + suffix):
                continue
            packed = compressed()
            if not self.is_compressed_effectively(suffix, path, len(content), packed):
                break
            # Whole at any moment: one that was broken off would stay for good.
            draft = self.write_data(path, packed, f"{suffix}.draft", file.stat())
            written.append(draft.removesuffix(".draft"))
            os.replace(draft, written[-1])
        return written


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    # Without this, `import "./x.js"` keeps the old name and an update reaches browsers by halves.
    support_js_module_import_aggregation = True
    # Our own scripts alone are modules. To look for imports in those of packages takes a second.
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )
    # Django goes over all files again until no name changes, once for each step of the longest
    # chain of imports, and gives up after 5. A worker's page has longer ones.
    max_post_process_passes = 25
    # A file that a package's style sheet names and does not ship is no reason to fail.
    manifest_strict = False
    # No page asks for the plain names, so that they are neither kept nor compressed.
    keep_only_hashed_files = True

    def create_compressor(self, **options: Any) -> Compressor:
        # Source maps are half of all bytes and asked for by no browser but a developer's.
        plain = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
        return OnceCompressor(self.path(FOLDER), **options | {"extensions": plain})
