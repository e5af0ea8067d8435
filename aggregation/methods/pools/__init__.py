"""Places for the parts of large data: processes, a Dask cluster, a disk.

Each is a `Pool` of `aggregation.algorithms.shards`, to be given to `fit`:

    with pool_for(jobs) as pool:
        fitted = DawidSkene().fit(labels, pool=pool)

The result is the same as without one, but for rounding.
"""

from __future__ import annotations

import math
import os
from collections.abc import Generator
from contextlib import contextmanager

from aggregation.algorithms.shards import Pool
from aggregation.methods.pools.cluster import DaskPool
from aggregation.methods.pools.disk import DiskPool
from aggregation.methods.pools.processes import ProcessPool

__all__ = ["DaskPool", "DiskPool", "ProcessPool", "check_jobs", "pool_for"]

# By their number alone, so that a run comes out the same on every machine. In memory a label takes
# a fit some 100 bytes, and what is in shards on a disk 12, while the posterior takes its own.
LABELS_AT_ONCE = 5_000_000
LABELS_OF_A_SHARD = 2_000_000
MOST_PER_PROCESSOR = 4  # processes; more would only wait for each other


@contextmanager
def pool_for(jobs: int = 1, n_labels: int = 0) -> Generator[Pool | None]:
    """The cluster that DASK_SCHEDULER_ADDRESS names; else `jobs` processes; for one process a disk
    where `n_labels` are many, and None where they are not.

    Raises ValueError for fewer than one job or far more than there are processors, RuntimeError
    where Dask isn't installed or no scheduler answers.
    """
    check_jobs(jobs)
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    if address:
        with DaskPool(address) as cluster:
            yield cluster
    elif jobs > 1:
        with ProcessPool(jobs) as processes:
            yield processes
    elif n_labels > LABELS_AT_ONCE:
        yield DiskPool(size=math.ceil(n_labels / LABELS_OF_A_SHARD))
    else:
        yield None


def check_jobs(jobs: int) -> None:
    """Raises ValueError: thousands of processes would take all of the memory."""
    most = MOST_PER_PROCESSOR * (os.cpu_count() or 1)
    if not 1 <= jobs <= most:
        raise ValueError(
            f"--jobs must be from 1 to {most} on this machine, of {os.cpu_count()} processors, but "
            f"is {jobs}."
        )
