"""How many threads NumPy may use in processes that this program starts. Without Django: pools of
processes start theirs by it too."""

# One: there are as many processes as shall be at work. NumPy's own threads take twice the time of
# the processor for the same seconds, and it is the web server's. Who wants them sets the variables.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM")}
