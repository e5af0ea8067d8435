"""Gold questions: how hard each is, who failed it, whether it may be wrong."""
