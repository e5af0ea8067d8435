"""What accuracy, cost and end to expect at each number of answers."""
