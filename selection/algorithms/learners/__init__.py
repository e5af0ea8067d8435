"""What is learnt from labelled items: classes of items, texts and pairs, and where names are."""
