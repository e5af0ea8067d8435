"""The collected static files: their names, what stands beside them, and how they are served."""

import gzip
import json
import re
import shutil
from pathlib import Path

import brotli
import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from annotation.interfaces import REGISTRY
from tests.access.rules import RULES, address
from tests.access.test_matrix import ask
from tests.access.world import World, make_world
from tests.collected import collect
from tests.weight import first_visit

BUNDLES = [f"bundles/work-{kind}.{suffix}" for kind in REGISTRY for suffix in ("js", "css")]


@pytest.fixture
def served(collected, settings) -> Client:
    settings.STATIC_ROOT = collected
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "config.storage.HashedStaticFiles"}
    }
    return Client()


def test_all_files_are_collected_under_hashed_names_alone(collected):
    """However long the chains of imports are."""
    names = json.loads((collected / "staticfiles.json").read_text())["paths"]
    assert set(BUNDLES) < set(names)
    for name, hashed in names.items():
        assert hashed != name
        assert (collected / hashed).is_file()
        assert not (collected / name).exists()


def test_modules_import_each_other_by_hashed_names(collected):
    """Or an update would reach browsers by halves."""
    imports = [
        (path.parent / name).resolve()
        for path in collected.glob("js/**/*.js")
        for name in re.findall(r'^(?:import|\}) ?.*"(\.[^"]+)";$', path.read_text(), re.M)
    ]
    assert len(imports) > 200
    assert all(path.is_file() for path in imports)  # and the plain names are not kept


def test_nothing_is_compressed_twice_and_a_draft_is_no_file(collected, tmp_path):
    own = Path(shutil.copytree(collected.parent, tmp_path / "own")) / "static"  # others read theirs

    def inodes() -> dict[Path, int]:
        return {
            path: path.stat().st_ino
            for suffix in (".br", ".gz", ".draft")
            for path in own.rglob(f"*{suffix}")
        }

    before = inodes()
    missing = next(own.glob("bundles/work-entity.*.js.br"))
    packed = missing.read_bytes()
    missing.unlink()
    collect(own.parent)
    after = inodes()
    assert missing.read_bytes() == packed
    assert before.keys() == after.keys()
    assert {path for path in before if before[path] != after[path]} <= {missing}
    assert not [path for path in after if path.suffix == ".draft"]


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.1, gzip", "br"),  # the smallest of what is accepted
        ("gzip", "gzip"),
        ("gzip, br;q=0", "gzip"),
        ("br; Q=0.000 ,gzip;q=0.001", "gzip"),
        ("gzip;q=0,br ; q=0.0,identity", None),
        ("br;q=0, gzip;q=0, *;q=0", None),
        ("*;q=0", None),
        ("", None),
    ],
)
def test_a_file_is_served_as_the_browser_takes_it(served, collected, accepted, encoding):
    for name in BUNDLES:
        url = staticfiles_storage.url(name)
        reply = served.get(url, headers={"accept-encoding": accepted})
        content = b"".join(reply.streaming_content)
        assert reply.get("Content-Encoding") == encoding
        assert reply["Vary"] == "Accept-Encoding"
        assert reply["Cache-Control"] == "max-age=315360000, public, immutable"
        assert int(reply["Content-Length"]) == len(content)
        unpack = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[encoding]
        assert unpack(content) == (collected / url.removeprefix("/static/")).read_bytes()


@pytest.mark.parametrize("kind", REGISTRY)
def test_what_a_first_visit_loads_is_light(served, kind):
    """Of 45 kB, the page and the first task take 4."""
    sizes = [
        int(served.head(staticfiles_storage.url(f"bundles/work-{kind}.{suffix}"),
                        headers={"accept-encoding": "gzip, deflate, br"})["Content-Length"])
        for suffix in ("js", "css")
    ]  # fmt: skip
    assert 10_000 < sum(sizes) <= 41_500


@pytest.mark.django_db
def test_a_first_visit_of_any_manager_s_page_is_light(served, settings, tmp_path):
    """At most 40 kB in 8 requests, whatever the page; a page of many rows is a bit heavier than
    these (`./run bench dashboard` weighs it)."""
    settings.DATA_DIR = tmp_path
    world = make_world(tmp_path)
    served.force_login(world.accounts["manager"])
    addresses = ["/", "/password/", *pages_of(world)]
    assert len(addresses) > 25
    for where in addresses:
        sizes = first_visit(served, where)
        assert len(sizes) <= 8, list(sizes)
        is_worker_s = where.endswith("/gold/answer/")  # where a manager answers as a worker would
        assert sum(sizes.values()) <= (50_000 if is_worker_s else 34_000), sizes
    served.logout()
    for where in ("/", "/login/"):
        sizes = first_visit(served, where)
        assert len(sizes) <= 8, list(sizes)
        assert sum(sizes.values()) <= 34_000, sizes


def pages_of(world: World) -> list[str]:
    """All that a manager may open, and that is a page."""
    client = world.client("manager")
    found = []
    for route, rule in RULES.items():
        if not route.startswith("manage/") or "manager" not in rule.allows.get("GET", ()):
            continue
        where = address(route, rule, world.names)
        reply = ask(client, "GET", where)
        if reply.status_code == 200 and reply["Content-Type"].startswith("text/html"):
            found.append(where)
    return found
