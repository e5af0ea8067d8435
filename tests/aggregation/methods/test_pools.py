"""What is done in processes, on a disk and in a cluster is what is done here."""

import copy
import gc
import operator
import os
import sys
import weakref
from functools import partial
from unittest import mock

import numpy as np
import pytest

from aggregation.algorithms import (
    GLAD,
    IBCC,
    MACE,
    BSCseq,
    CrowdLabels,
    CrowdSequences,
    DawidSkene,
    HierarchicalDawidSkene,
    HMMCrowd,
    LocalPool,
    OneCoin,
    ShardedLabels,
)
from aggregation.algorithms.shards import joined, loaders_of, total
from aggregation.methods.pools import DaskPool, DiskPool, ProcessPool, pool_for
from aggregation.methods.pools.processes import RaisedThere
from annotation.management.threads import ONE_THREAD
from tests.aggregation.algorithms.simulated import simulate

N_SHARDS = 5
WHOLE = simulate(seed=1, n_units=300, n_workers=12, redundancy=3, prevalence=[0.5, 0.3, 0.2])
GOLD = np.where(np.arange(300) % 20 == 0, WHOLE.truth, -1)


def shard(i):
    return WHOLE.labels.split(N_SHARDS)[i]


def load(i):
    """A loader: its shard's labels and gold."""
    labels = WHOLE.labels.split(N_SHARDS)
    first = sum(x.n_units for x in labels[:i])
    return labels[i], GOLD[first : first + labels[i].n_units]


def sharded():
    return ShardedLabels([partial(load, i) for i in range(N_SHARDS)], n_workers=12, n_classes=3)


class Counter:
    """A part that remembers."""

    unchanged_by = frozenset({"look", "fail", "place", "die"})

    def __init__(self, start, big=None):
        if start is None:
            raise FileNotFoundError("no start")
        self.value = start

    def add(self, number):
        self.value += number
        return self.value

    def look(self):
        return self.value

    def fail(self):
        if self.value == 2:
            raise ZeroDivisionError("two is too many")
        return self.value

    def place(self):
        return (
            os.getpid(),
            {name: os.environ.get(name) for name in ONE_THREAD},
            "django" in sys.modules,
        )

    def die(self):
        os._exit(7)


class Odd(Exception):
    """Can be pickled, but not unpickled."""

    def __init__(self, one, two):
        super().__init__(one)


class Thrower:
    def throw(self):
        raise Odd(1, 2)

    def much(self):
        return np.zeros(1_000_000)

    def give_function(self):
        return lambda: None


# Every kind of pool, opened once for this file: the start of processes is what takes time.


@pytest.fixture(scope="module")
def processes():
    with ProcessPool(2) as pool:
        yield pool


@pytest.fixture(scope="module")
def cluster():
    """A scheduler, and two workers in processes of their own."""
    distributed = pytest.importorskip(
        "distributed", reason="Dask is not installed: ./run test installs it"
    )
    # Of 8787, which is the default, another test process would not get it too.
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
    ) as local:
        yield local


@pytest.fixture(
    scope="module", params=["here", "disk", "processes", "processes with a disk", "dask"]
)
def pool(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    match request.param:
        case "here":
            yield LocalPool()
        case "disk":
            yield DiskPool(folder, size=3)
        case "processes":
            yield request.getfixturevalue("processes")
        case "processes with a disk":
            with ProcessPool(2, folder=folder) as processes:
                yield processes
        case "dask":
            with DaskPool(request.getfixturevalue("cluster").scheduler_address) as dask:
                yield dask
    gc.collect()
    assert list(folder.iterdir()) == []


# --- Parts --------------------------------------------------------------------------------------


def test_parts_remember_and_answer_in_order(pool):
    parts = pool.open(Counter, [(i,) for i in range(5)])
    assert list(parts.each("add", 10)) == [10, 11, 12, 13, 14]
    assert list(parts.each("look")) == [10, 11, 12, 13, 14]
    assert total(parts.each("add", 1)) == 65


def test_several_parts_live_beside_each_other(pool):
    one, two = pool.open(Counter, [(1,), (2,)]), pool.open(partial(Counter, big=3), [(5,)])
    assert list(one.each("add", 1)) == [2, 3]
    assert list(two.each("add", 1)) == [6]
    del two
    assert list(one.each("look")) == [2, 3]


def test_what_a_part_raises_is_raised_here_and_the_others_go_on(pool):
    parts = pool.open(Counter, [(i,) for i in range(4)])
    with pytest.raises(ZeroDivisionError, match="two is too many"):
        list(parts.each("fail"))
    assert list(parts.each("look")) == [0, 1, 2, 3]


def test_what_a_shard_raises_is_raised_here(pool):
    with pytest.raises(FileNotFoundError, match="no start"):
        list(pool.open(Counter, [(1,), (None,), (2,), (3,)]).each("look"))
    assert list(pool.open(Counter, [(1,)]).each("look")) == [1]


# --- Fits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [DawidSkene, OneCoin, IBCC])
def test_fit_is_that_of_the_whole(pool, method):
    whole = method(tol=0, max_iter=6).fit(WHOLE.labels, gold=GOLD)
    fitted = method(tol=0, max_iter=6).fit(WHOLE.labels, gold=GOLD, pool=pool)
    loaded = method(tol=0, max_iter=6).fit(sharded(), pool=pool)

    for found in (fitted, loaded):
        assert found.confusion_ == pytest.approx(whole.confusion_, abs=1e-9)
        assert found.reliability_.low == pytest.approx(whole.reliability_.low, abs=1e-9)
        assert found.diagnostics_.objective == pytest.approx(whole.diagnostics_.objective)
        posterior = np.concatenate(list(found.posteriors()))
        assert posterior == pytest.approx(whole.posterior_, abs=1e-9)
    assert fitted.posterior_ == pytest.approx(whole.posterior_, abs=1e-9)
    assert not hasattr(loaded, "posterior_")


def sentences():
    """Twenty of four tokens, by five workers of whom each skips some."""
    rng = np.random.default_rng(0)
    token, worker = np.nonzero(rng.random((80, 5)) < 0.7)
    words = rng.integers(10, size=80)
    label = np.where(
        rng.random(len(token)) < 0.8, words[token] % 3, rng.integers(3, size=len(token))
    )
    return CrowdSequences(
        token, worker, label, starts=np.arange(0, 81, 4), n_workers=5, tags=("B-X", "I-X", "O"),
        words=words, vocabulary=[str(i) for i in range(10)],
    )  # fmt: skip


@pytest.mark.parametrize(
    "method",
    [
        MACE(restarts=2, max_iter=3),
        GLAD(max_iter=3),
        HMMCrowd(),
        BSCseq(max_iter=3),
        HierarchicalDawidSkene(max_iter=5),
    ],
    ids=lambda method: type(method).__name__,
)
def test_other_methods_are_those_of_the_whole_too(pool, method):
    data = sentences() if isinstance(method, HMMCrowd | BSCseq) else WHOLE.labels
    whole = copy.copy(method).fit(data).posterior_
    assert copy.copy(method).fit(data, pool=pool).posterior_ == pytest.approx(whole, abs=1e-9)


# --- Processes ----------------------------------------------------------------------------------


def test_parts_are_spread_over_processes_of_one_thread_without_django(processes):
    found = list(processes.open(Counter, [(i,) for i in range(4)]).each("place"))
    pids = [pid for pid, _, _ in found]
    assert pids[0] == pids[2] != pids[1] == pids[3]
    assert os.getpid() not in pids
    assert all(set(threads.values()) == {"1"} for _, threads, _ in found)
    assert not any(has_django for _, _, has_django in found)


def test_traceback_of_the_process_is_the_cause(processes):
    parts = processes.open(Counter, [(2,)])
    with pytest.raises(ZeroDivisionError) as caught:
        list(parts.each("fail"))
    assert isinstance(caught.value.__cause__, RaisedThere)
    assert "in fail" in str(caught.value.__cause__)


def test_what_cannot_be_pickled_is_told(processes):
    parts = processes.open(Thrower, [()])
    with pytest.raises(RuntimeError, match="Odd: 1"):
        list(parts.each("throw"))
    with pytest.raises(Exception, match="pickle"):
        list(parts.each("give_function"))
    with pytest.raises(Exception, match="pickle"):
        processes.open(Counter, [(1,), (lambda: 1,)])
    assert list(processes.open(Counter, [(1,)]).each("look")) == [1]


def test_results_that_nobody_took_are_passed_over(processes):
    parts = processes.open(Thrower, [()] * 4)
    left = parts.each("much")
    next(left)
    assert sum(map(len, parts.each("much"))) == 4_000_000
    with pytest.raises(RuntimeError, match="must be taken before the next call"):
        next(left)


def test_process_that_ends_is_told_with_its_exit_code():
    with ProcessPool(1) as pool:
        parts = pool.open(Counter, [(1,)])
        with pytest.raises(RuntimeError, match="ended with exit code 7"):
            list(parts.each("die"))
        with pytest.raises(RuntimeError, match="ended with exit code 7"):
            list(parts.each("look"))


def test_closed_pool_leaves_no_process_and_answers_no_more():
    pool = ProcessPool(2)
    parts = pool.open(Thrower, [()] * 4)
    found = list(pool.open(Counter, [(1,), (2,)]).each("place"))
    begun = parts.each("much")  # and while they are writing
    next(begun)
    pool.close()
    for pid, _, _ in found:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    for ask in (lambda: next(begun), lambda: list(parts.each("much")),
                lambda: pool.open(Counter, [(1,)])):  # fmt: skip
        with pytest.raises(ValueError, match="This pool was closed"):
            ask()


# --- Disk ---------------------------------------------------------------------------------------


def test_files_of_parts_go_with_them(tmp_path):
    parts = DiskPool(tmp_path).open(Counter, [(1,), (2,)])
    assert len(list(tmp_path.glob("*/*.pickle"))) == 2
    del parts
    assert list(tmp_path.iterdir()) == []


def test_parts_that_do_not_change_are_not_written_again(tmp_path):
    parts = DiskPool(tmp_path).open(Counter, [(1,)])
    [path] = tmp_path.glob("*/*.pickle")
    before = path.stat().st_ino
    list(parts.each("look"))
    assert path.stat().st_ino == before
    list(parts.each("add", 1))
    assert path.stat().st_ino != before


def test_one_part_is_in_memory_at_a_time(tmp_path):
    parts = DiskPool(tmp_path).open(Living, [()] * 3)
    assert list(parts.each("count")) == [1, 1, 1]


class Living:
    alive = 0

    def __init__(self):
        Living.alive += 1

    def __setstate__(self, state):
        Living.alive += 1

    def __getstate__(self):
        return {"a": 1}

    def __del__(self):
        Living.alive -= 1

    def count(self):
        return Living.alive


# --- Dask ---------------------------------------------------------------------------------------


def test_client_that_was_given_stays_open(cluster):
    import distributed

    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=300)  # another test may just have ended one
        with DaskPool(client) as pool:
            assert pool.size == 2
        assert client.submit(operator.add, 1, 2).result() == 3


# --- Which one ----------------------------------------------------------------------------------


@pytest.fixture
def no_address(monkeypatch):
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)


@pytest.mark.usefixtures("no_address")
def test_one_job_needs_no_pool():
    with pool_for(1) as pool:
        assert pool is None


@pytest.mark.usefixtures("no_address")
def test_more_jobs_are_processes_and_the_environment_stays(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with pool_for(2) as pool:
        assert isinstance(pool, ProcessPool)
        assert pool.size == 2
        assert os.environ["OMP_NUM_THREADS"] == "7"
        assert "MKL_NUM_THREADS" not in os.environ


@pytest.mark.usefixtures("no_address")
def test_many_labels_in_one_process_go_to_a_disk():
    with pool_for(1, 25_000_000) as pool:
        assert isinstance(pool, DiskPool)
        assert pool.size == 13
    with pool_for(1, 2_500_000) as pool:
        assert pool is None


def test_one_shard_at_a_time_is_cut(tmp_path):
    """All of them at once would be as much as the labels are, and more."""
    alive = weakref.WeakSet()

    class Noted(CrowdLabels):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            alive.add(self)

    most = []

    def part(load):
        most.append(len(alive))
        return load()[0].n_units

    with mock.patch("aggregation.algorithms.data.CrowdLabels", Noted):
        DiskPool(tmp_path, size=5).open(
            part, ((load,) for load in loaders_of(WHOLE.labels, None, 5))
        )
    assert len(most) == 5
    assert max(most) <= 2  # the one before goes when the next one has come


def test_what_shards_give_is_put_together():
    rows = np.arange(12).reshape(6, 2)
    np.testing.assert_array_equal(joined(iter([rows[:1], rows[1:1], rows[1:]]), 6), rows)
    assert joined([rows], 6) is rows
    with pytest.raises(ValueError, match="gave 4 rows, but there are 6"):
        joined([rows[:4]], 6)


def test_address_in_the_environment_is_a_cluster(cluster, monkeypatch):
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", cluster.scheduler_address)
    with pool_for() as pool:
        assert isinstance(pool, DaskPool)


def test_address_without_dask_is_told(monkeypatch):
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RuntimeError, match=r"requirements-cluster\.txt"), pool_for():
        pass


def test_scheduler_that_does_not_answer_is_told(cluster, monkeypatch):
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "tcp://127.0.0.1:1")
    monkeypatch.setattr("aggregation.methods.pools.cluster.SECONDS_TO_ANSWER", 0.5)
    with pytest.raises(RuntimeError, match="No Dask scheduler answers at tcp:"), pool_for():
        pass


@pytest.mark.parametrize("make", [lambda: ProcessPool(0), lambda: DiskPool(size=0),
                                  lambda: pool_for(0).__enter__()])  # fmt: skip
def test_less_than_one_is_refused(make):
    with pytest.raises(ValueError, match=r"at least 1|from 1 to"):
        make()


# --- The last, for it kills -----------------------------------------------------------------------


def test_part_of_a_lost_worker_is_made_again(cluster):
    with DaskPool(cluster.scheduler_address) as pool:
        parts = pool.open(Counter, [(i,) for i in range(4)])
        assert list(parts.each("add", 10)) == [10, 11, 12, 13]
        assert list(parts.each("add", 10)) == [20, 21, 22, 23]
        first = next(iter(cluster.workers.values()))
        os.kill(first.pid, 9)  # its nanny starts another one
        assert list(parts.each("add", 1)) == [21, 22, 23, 24]
