"""From consensus to relation and linking tasks, and to an exported knowledge base."""
