"""A project's knowledge base, in from a file."""

from annotation.actions.knowledge.importing import (
    KnowledgeImportFailed,
    KnowledgeTally,
    import_knowledge_base,
)

__all__ = ["KnowledgeImportFailed", "KnowledgeTally", "import_knowledge_base"]
