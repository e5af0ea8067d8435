"""What members of projects read and do, over HTTP."""
