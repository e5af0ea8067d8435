"""What to label next: coverage, facility location, and pickers that ask a learner."""
