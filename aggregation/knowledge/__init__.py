"""From consensus to relation and linking tasks, and to an exported knowledge base."""

CATALOGUE = "aggregation.sentences"  # of what is refused here
