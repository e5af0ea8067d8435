"""Tags of sequences: votes, hidden Markov models, Bayesian combination, fields of the text."""
