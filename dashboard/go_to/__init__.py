"""Go to…: a campaign, a document, a worker or a section by a few letters of its name."""
