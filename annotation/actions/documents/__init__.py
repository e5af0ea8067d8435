"""Documents in from a file, and out again."""

from annotation.actions.documents.importing import ImportFailed, Tally, import_documents
from annotation.actions.documents.removal import DocumentsInUse, undo_import

__all__ = ["DocumentsInUse", "ImportFailed", "Tally", "import_documents", "undo_import"]
