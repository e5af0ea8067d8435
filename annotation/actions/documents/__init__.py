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
    is_large,
    is_stored,
    keep_upload,
    read_upload,
    remove_old_uploads,
    store_upload,
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
    "is_large",
    "is_stored",
    "keep_upload",
    "read_upload",
    "remove_old_uploads",
    "report_of",
    "store_upload",
    "undo_import",
]
