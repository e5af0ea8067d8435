"""What is asked of tasks: how sure each is, what it still wants, whether its gold may be wrong."""
