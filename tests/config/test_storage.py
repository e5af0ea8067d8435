"""The collected static files: their names, what stands beside them, and how they are served."""

import gzip
import json
import re
import shutil
import uuid
from pathlib import Path

import brotli
import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from annotation.actions.campaigns import set_instructions
from annotation.actions.tokens import campaign_link
from annotation.interfaces import REGISTRY
from annotation.models import Campaign
from config import catalogues
from tests.access.rules import RULES, address
from tests.access.test_matrix import ask
from tests.access.world import World, make_world
from tests.browser.each_interface import KINDS
from tests.browser.practice_page import known_of, practise
from tests.collected import collect
from tests.weight import ACCEPTED, first_visit

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


@pytest.mark.parametrize("is_told", [False, True], ids=["plain", "told"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.django_db
def test_a_first_visit_of_a_worker_s_page_is_light(served, kind, is_told):
    """At most 45 kB in 6 requests in every language, from the link to the first task, with a first
    page, an example to try and instructions too: all that comes before somebody begins to work."""
    campaign = KINDS[kind].make()
    if is_told:
        tell_all(campaign)
    link = campaign_link(campaign)
    body = {"link": link, "device": str(uuid.uuid4()), "next": True}
    languages = ["en", *catalogues.languages()]
    assert len(languages) == 5
    for language in languages:
        sizes = first_visit(served, f"/join/{link}/?language={language}")
        joined = served.post("/api/work/join/", body, "application/json", headers=ACCEPTED)
        assert joined.status_code == 200, joined.content
        assert json.loads(gzip.decompress(joined.content))["next"]["assignment"] is not None
        sizes["the first task"] = len(joined.content)
        assert len(sizes) <= 6
        assert 10_000 < sum(sizes.values()) <= 45_000, (language, sizes)


KNOWN = {
    "entity": [known_of((0, 1, "PER")), known_of((2, 3, "PER"))],
    "relation": [
        {"relation": "per:place_of_birth", "evidence": []},
        {"relation": "none", "evidence": []},
    ],
    "linking": [
        {"clusters": [{"link": None, "mentions": ["m0", "m2"]}], "unsure": ["m1", "m3"]},
        {"clusters": [{"link": None, "mentions": ["a"]}], "unsure": []},
    ],
    "choice": [{"choice": "Blue"}, {"choice": "Green"}],
}


def tell_all(campaign: Campaign) -> None:
    """What may stand on a first page: practice, with its first task as example, and terms."""
    practise(campaign, *KNOWN[campaign.interface])
    set_instructions(
        campaign,
        "Mark every name of a person, a place or an organisation, and nothing else.\n\n"
        "## First names too\n\n> Right: **Ada** met Bob\n> Wrong: Ada **met** Bob\n\n"
        "## No titles\n\nDoctor, Professor and Lady are no part of a name.",
    )
    campaign.refresh_from_db()
    campaign.requester = "The Harbour Archive, University of Lund"
    campaign.payment_terms = "Every Friday, by the platform"
    campaign.pay_mills = 120
    campaign.save()


@pytest.mark.django_db
def test_a_first_visit_of_any_manager_s_page_is_light(served, settings, tmp_path):
    """At most 40 kB in 8 requests, whatever the page; a page of many rows is a bit heavier than
    these (`./run bench dashboard` weighs it)."""
    settings.DATA_DIR = tmp_path
    world = make_world(tmp_path)
    served.force_login(world.accounts["manager"])
    addresses = ["/", "/password/", *pages_of(world)]
    assert len(addresses) > 25
    files = {}  # that pages share
    for where in addresses:
        sizes = first_visit(served, where, files)
        assert len(sizes) <= 8, list(sizes)
        is_worker_s = where.endswith("/gold/answer/")  # where a manager answers as a worker would
        assert sum(sizes.values()) <= (50_000 if is_worker_s else 34_000), sizes
    served.logout()
    for where in ("/", "/login/"):
        sizes = first_visit(served, where, files)
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
