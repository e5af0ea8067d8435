"""What pages, programs and commands read of evaluation."""
