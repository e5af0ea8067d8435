import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from aggregation.methods.version import code_version

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _forget():
    code_version.cache_clear()
    yield
    code_version.cache_clear()


@pytest.fixture
def tree(tmp_path, settings):
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    settings.BASE_DIR = tmp_path
    return tmp_path


def git(tree, *arguments):
    done = subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@b.c", *arguments],
        cwd=tree, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_it_is_the_release_of_this_project():
    release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert code_version().split("+")[0] == release
    assert len(code_version()) <= 40


def test_outside_a_checkout_it_is_the_release_alone(tree):
    assert code_version() == "1.2.3"


def test_in_a_checkout_it_names_the_commit_and_whether_files_were_changed(tree):
    git(tree, "init", "-q")
    git(tree, "add", ".")
    git(tree, "commit", "-qm", "first")
    commit = git(tree, "rev-parse", "--short=12", "HEAD")
    assert code_version() == f"1.2.3+{commit}"

    code_version.cache_clear()
    git(tree, "tag", "v9")
    versions = set()
    for comment in ("", "", "# a line of code\n"):
        code_version.cache_clear()
        (tree / "pyproject.toml").write_text(f'[project]\nversion = "1.2.4"\n{comment}')
        assert re.fullmatch(rf"1\.2\.4\+{commit}-dirty\.[0-9a-f]{{8}}", code_version())
        versions.add(code_version())
    assert len(versions) == 2  # another change is another version


@pytest.mark.parametrize("error", [OSError(), subprocess.TimeoutExpired("git", 10)])
def test_without_git_it_is_the_release_alone(tree, monkeypatch, error):
    (tree / ".git").mkdir()

    def broken(*arguments, **options):
        raise error

    monkeypatch.setattr(subprocess, "run", broken)
    assert code_version() == "1.2.3"
