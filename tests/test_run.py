"""./run, with stand-ins for Python on the PATH: nothing is installed and no server starts."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.signals import hear_signals

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ("basename", "cat", "cksum", "dirname", "find", "grep", "mkdir", "sed", "sleep", "sort",
         "tail", "tr")  # fmt: skip
REQUIREMENTS = ("requirements.txt", "requirements-dev.txt")

# Takes the place of .venv/bin/python: notes what it is asked, and stays where a server would. What
# BROKEN names fails, and what WAITING names stays until the file `go` is there.
SERVER = """#!/bin/sh
echo "$@" >>"$ASKED"
case "$*" in -[cI]*) exec "{python}" "$@" ;; esac
asked=" $* "
case $asked in *" ${{BROKEN:-nothing}} "*)
  echo "Traceback (most recent call last):" >&2
  echo "  File a, line 1" >&2
  echo "Error: a reason" >&2
  exit 1 ;;
esac
case $asked in *" ${{WAITING:-nothing}} "* | *" manage.py work "* | *" gunicorn "*)
  echo $$ "$@" >>"$PIDS" ;;
esac
case $asked in *" ${{WAITING:-nothing}} "*)
  while [ ! -e "$ASKED.go" ]; do sleep .02; done ;;
esac
case $asked in
  *" manage.py work "*)
    if [ -n "${{DEAF:-}}" ]; then # to the first TERM
      trap DEAF= TERM
      echo waiting >"$ASKED.deaf"
      while [ -n "$DEAF" ]; do sleep .02; done
      trap - TERM
    fi
    exec sleep 60 ;;
  *" gunicorn "*) exec "{python}" -m http.server "$PORT" --bind 127.0.0.1 ;;
  *" load_demonstration "*) echo "A link" ;;
esac
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder, with a blank in its name, that holds the script and what it reads."""
    house = tmp_path / "a house"
    (house / "static").mkdir(parents=True)
    (house / "config").mkdir()
    (house / "config" / "storage.py").write_text("")
    (house / "static" / "base.css").write_text("")
    shutil.copy(ROOT / "run", house)
    for name in REQUIREMENTS:
        (house / name).write_text(f"# {name}\n")
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool) or tool)
    return house


def executable(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def install(house: Path) -> None:
    """As if both requirement files had been installed, into a stand-in for a venv."""
    executable(house / ".venv" / "bin" / "python", SERVER.format(python=sys.executable))
    for name in REQUIREMENTS:
        with (house / name).open() as file, (house / ".venv" / f"{name}.sum").open("w") as stamp:
            subprocess.run(["cksum"], stdin=file, stdout=stamp, check=True)


def variables(house: Path, **more: str) -> dict[str, str]:
    return {
        "PATH": str(house.parent / "bin"),
        "HOME": str(house.parent),
        "ASKED": str(house.parent / "asked"),
        "PIDS": str(house.parent / "pids"),
    } | more


def run(house: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [shutil.which("dash") or "/bin/sh", str(house / "run"), *arguments],
        cwd=house.parent,
        env=variables(house, **more),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def asked(house: Path) -> list[str]:
    return (house.parent / "asked").read_text().splitlines()


def test_it_is_plain_posix_and_can_be_executed():
    assert subprocess.run(["sh", "-n", ROOT / "run"], check=False).returncode == 0
    assert os.access(ROOT / "run", os.X_OK)


def test_help_lists_every_command(house):
    done = run(house, "help")
    assert done.returncode == 0
    for command in ("manage", "test", "lint", "bench", "lock"):
        assert f"./run {command}" in done.stdout
    assert "DATA_DIR" in done.stdout.splitlines()[-1]


def test_unknown_command_is_told(house):
    done = run(house, "serv")
    assert done.returncode == 1
    assert done.stderr == "There is no command 'serv'. ./run help lists them.\n"


def test_old_python_is_told_in_one_sentence(house):
    executable(
        house.parent / "bin" / "python3",
        '#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" && exit\nexit 1\n',
    )
    done = run(house, "manage", "check")
    assert done.returncode == 1
    assert done.stderr == (
        "Touchstone needs Python 3.11 or newer, and here is Python 3.9.2: "
        "install a newer one and start again.\n"
    )


def test_no_python_is_told_in_one_sentence(house):
    done = run(house, "manage", "check")
    assert done.returncode == 1
    assert "and here is no python3: install" in done.stderr
    assert done.stderr.count("\n") == 1


def test_missing_venv_package_is_told_with_its_name(house):
    executable(
        house.parent / "bin" / "python3",
        '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1 ;; esac\n',
    )
    done = run(house, "manage", "check")
    assert done.returncode == 1
    assert "python3 can't make a virtual environment" in done.stderr
    assert "apt install python3-venv" in done.stderr
    assert done.stderr.count("\n") == 1


def test_newer_python_is_found_beside_an_old_one(house):
    executable(house.parent / "bin" / "python3", "#!/bin/sh\nexit 1\n")
    executable(
        house.parent / "bin" / "python3.12",
        '#!/bin/sh\ncase "$1 $2" in "-m venv") echo "$@" >"$ASKED"; exit 3 ;; esac\n',
    )
    done = run(house, "manage", "check")
    assert done.returncode != 0
    assert asked(house) == [f"-m venv --clear {house}/.venv"]


def test_installed_house_goes_straight_to_work_with_the_callers_folder_kept(house):
    install(house)
    done = run(house, "manage", "import_documents", "my file.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert asked(house)[-1] == f"{house}/manage.py import_documents my file.jsonl"


def test_changed_requirements_are_installed_by_hash_and_as_wheels_only(house):
    install(house)
    (house / "requirements.txt").write_text("# another\n")
    assert run(house, "manage", "check").returncode == 0
    assert any(
        "pip install" in line and "--require-hashes --only-binary :all:" in line
        for line in asked(house)
    )
    again = run(house, "manage", "check")
    assert "Installing" not in again.stdout


def test_arguments_of_test_go_to_pytest(house):
    install(house)
    assert run(house, "test", "tests/config", "-k", "a word").returncode == 0
    assert asked(house)[-1] == "-m pytest -n auto --dist worksteal tests/config -k a word"


def test_unknown_benchmark_is_told_with_those_that_are(house):
    install(house)
    (house / "benchmarks").mkdir()
    (house / "benchmarks" / "bench_cycle.py").write_text('if __name__ == "__main__":')
    (house / "benchmarks" / "drain.py").write_text('if __name__ == "__main__":')
    (house / "benchmarks" / "shared.py").write_text("")
    done = run(house, "bench", "cycel")
    assert done.returncode == 1
    assert done.stderr == "There is no benchmark 'cycel'. There are: cycle drain\n"


@pytest.mark.parametrize("name", ["cycle", "bench_cycle"])
def test_benchmark_is_found_by_its_short_name_too(house, name):
    install(house)
    (house / "benchmarks").mkdir()
    (house / "benchmarks" / "bench_cycle.py").write_text('if __name__ == "__main__":')
    assert run(house, "bench", name, "--tasks", "10").returncode == 0
    assert asked(house)[-1] == "benchmarks/bench_cycle.py --tasks 10"


def test_taken_port_is_told_in_one_sentence_and_nothing_starts(house):
    install(house)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run(house, PORT=str(port))
    assert done.returncode == 1
    assert done.stderr == (
        f"Port {port} is taken, or is no port. Choose another one: PORT=8001 ./run\n"
    )
    assert not (house.parent / "pids").exists()


@pytest.fixture
def _nohup() -> Iterator[None]:
    """Whoever starts the tests may have had it ignored, and programs inherit that."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture
def serve(house, _nohup) -> Iterator[Callable[..., subprocess.Popen]]:
    """Starts ./run and comes back when so many of its processes are up."""
    install(house)
    interfaces = house / "annotation" / "interfaces"
    interfaces.mkdir(parents=True)
    (house / "locale").mkdir()
    config = house / "config"
    for path in (interfaces / "__init__.py", config / "bundles.py", config / "catalogues.py"):
        path.write_text("")
    (house / "var" / "static").mkdir(parents=True)
    served: list[subprocess.Popen] = []

    def serve(processes: int = 2, **more: str) -> subprocess.Popen:
        port = free_port()
        before = len(started(house))
        with (house.parent / "said").open("w") as said:
            served.append(
                subprocess.Popen(
                    [shutil.which("dash") or "/bin/sh", str(house / "run")],
                    env=variables(house, PORT=str(port), **more),
                    stdout=said,
                    stderr=said,
                    start_new_session=True,
                    preexec_fn=hear_signals,
                )
            )
        until(lambda: len(started(house)) == before + processes)
        return served[-1]

    yield serve
    for pid in started(house):
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
    for process in served:
        process.kill()
        process.wait(timeout=300)


def said(house: Path) -> str:
    return (house.parent / "said").read_text()


def started(house: Path) -> dict[int, str]:
    """Process number → what it was asked to do, of all that ./run ever put in the background."""
    pids = house.parent / "pids"
    lines = pids.read_text().splitlines() if pids.exists() else []
    return {int(pid): asked for pid, _, asked in (line.partition(" ") for line in lines)}


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def until(condition) -> None:
    deadline = time.monotonic() + 200
    while not condition():
        assert time.monotonic() < deadline, "waited for 200 s"
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("send", "number", "code", "more"),
    [
        pytest.param(os.killpg, signal.SIGINT, 130, {}, id="Ctrl-C"),
        # A shell's child loses what it is told before its program has begun.
        pytest.param(os.killpg, signal.SIGINT, 130, {"DEAF": "1"}, id="Ctrl-C, not heard at once"),
        pytest.param(os.kill, signal.SIGTERM, 143, {}, id="TERM"),
        pytest.param(os.kill, signal.SIGHUP, 143, {}, id="HUP"),
    ],
)
def test_signal_stops_everything_that_was_started(house, serve, send, number, code, more):
    served = serve(**more)
    until(lambda: not more or (house.parent / "asked.deaf").exists())
    send(served.pid, number)
    assert served.wait(timeout=300) == code
    until(lambda: not any(alive(pid) for pid in started(house)))


def test_static_files_are_collected_again_only_after_a_change(house, serve):
    def collections_after_a_start() -> int:
        served = serve()
        served.terminate()
        served.wait(timeout=300)
        return sum("collectstatic" in line for line in asked(house))

    assert collections_after_a_start() == 1
    assert collections_after_a_start() == 1
    (house / "static" / "base.css").write_text("/* changed */")
    assert collections_after_a_start() == 2


def test_it_says_that_it_serves_when_it_answers_and_not_before(house, serve):
    serve(1, WAITING="gunicorn")
    assert said(house) == ""
    (house.parent / "asked.go").touch()
    until(lambda: "A link" in said(house))
    first, *links = said(house).splitlines()
    assert first.startswith("Touchstone serves at http://127.0.0.1:")
    assert links == ["A link"]
    logs = {path.name for path in (house / "var" / "log").iterdir()}
    assert logs >= {"migrate.log", "collectstatic.log", "server.log", "demonstration.log"}


def test_it_serves_while_the_demonstration_is_loaded_and_ctrl_c_ends_that_too(house, serve):
    served = serve(WAITING="load_demonstration")
    assert "Touchstone serves" in said(house)
    assert not any("manage.py work" in asked for asked in started(house).values())
    os.killpg(served.pid, signal.SIGINT)
    assert served.wait(timeout=300) == 130
    until(lambda: not any(alive(pid) for pid in started(house)))


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ("migrate", "Preparing the database failed."),
        ("collectstatic", "Collecting the files of the pages failed."),
        ("gunicorn", "The server did not start."),
    ],
)
def test_what_fails_is_told_with_its_reason_and_the_log(house, serve, broken, sentence):
    served = serve(0, BROKEN=broken)
    assert served.wait(timeout=300) == 1
    log = "server" if broken == "gunicorn" else broken
    assert said(house) == (
        f"Error: a reason\n{sentence} All that was said stands in {house}/var/log/{log}.log.\n"
    )
    assert not any(alive(pid) for pid in started(house))


def test_it_serves_without_the_demonstration_where_that_fails(house, serve):
    served = serve(BROKEN="load_demonstration")
    assert (
        "Error: a reason\nThe demonstration could not be loaded; all else works. All that was said "
        f"stands in {house}/var/log/demonstration.log.\n"
    ) in said(house)
    assert served.poll() is None


def test_without_the_demonstration_it_says_how_to_make_an_account(house, serve):
    serve(DEMONSTRATION="0")
    assert "./run manage createsuperuser makes the first account" in said(house)
    assert not any("load_demonstration" in line for line in asked(house))


def test_end_of_the_server_is_told_and_ends_all_else(house, serve):
    served = serve()
    for pid, asked_for in started(house).items():
        if "gunicorn" in asked_for:
            os.kill(pid, signal.SIGKILL)
    assert served.wait(timeout=300) == 1
    assert "The server has ended." in said(house)
    until(lambda: not any(alive(pid) for pid in started(house)))
