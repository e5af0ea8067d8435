"""What is learnt from labelled items: naive Bayes, logistic regression, a tagger of names."""
