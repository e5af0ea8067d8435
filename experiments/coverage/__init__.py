"""The experiments of Ntoulas, Alonso and Kandylas on which items to label, each picker beside a
random choice of the same size."""
