"""Documents in from a file, and out again."""

from annotation.actions.documents.importing import (
    ImportFailed,
    ImportTally,
    TakesTooLong,
    import_documents,
    report_of,
)
from annotation.actions.documents.removal import DocumentsInUse, undo_import
from annotation.actions.documents.uploads import (
    Upload,
    discard_upload,
    find_upload,
    import_upload,
    keep_upload,
    remove_old_uploads,
)

__all__ = [
    "DocumentsInUse",
    "ImportFailed",
    "ImportTally",
    "TakesTooLong",
    "Upload",
    "discard_upload",
    "find_upload",
    "import_documents",
    "import_upload",
    "keep_upload",
    "remove_old_uploads",
    "report_of",
    "undo_import",
]
