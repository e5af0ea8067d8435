"""What every reply says to caches and search engines, and which files are no static files."""

import brotli
import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from annotation.actions.campaigns import set_instructions
from annotation.actions.tokens import campaign_link
from config.middleware import StaticFiles
from tests.factories import make_campaign, make_member, make_project

pytestmark = pytest.mark.django_db


def test_pages_for_a_person_are_kept_by_no_cache_and_listed_nowhere(client):
    project = make_project(slug="letters")
    addresses = ["/", f"/join/{campaign_link(make_campaign(project))}/", "/login/", "/nothing/"]
    addresses += ["/api/work/history/", "/api/projects/"]
    client.force_login(make_member(project).user)
    for address in [*addresses, "/manage/projects/letters/", "/admin/", "/api/projects/"]:
        reply = client.get(address)
        assert {"private", "no-store"} <= set(reply.headers["Cache-Control"].split(", ")), address
        assert reply.headers["X-Robots-Tag"] == "noindex, nofollow"


def test_refused_host_and_failed_page_are_not_kept_either(client):
    refused = client.get("/", headers={"host": "elsewhere.example"})
    assert refused.status_code == 400
    assert refused.headers["Cache-Control"] == "private, no-store"


def test_search_engines_are_kept_from_what_they_need_not_fetch(client):
    robots = client.get("/robots.txt")
    assert robots.headers["Content-Type"] == "text/plain"
    assert robots.headers["Cache-Control"] == "public, max-age=86400"
    assert "Disallow: /manage/" in robots.content.decode()
    assert "Disallow: /join/" not in robots.content.decode()  # or its noindex would not be read


def test_pages_go_out_packed_and_files_as_they_are(client):
    project = make_project(slug="letters")
    client.force_login(make_member(project).user)
    asked = {"accept-encoding": "gzip, br"}
    page = "/manage/projects/letters/"
    packed, plain = client.get(page, headers=asked), client.get(page)
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert "Content-Encoding" not in plain
    assert 2 * len(packed.content) < len(plain.content)  # its name in the head is of any length
    for address in ("/api/schema/", "/robots.txt"):
        assert "Content-Encoding" not in client.get(address, headers=asked), address


def test_a_worker_s_page_goes_out_without_what_indents_its_template(client):
    campaign = make_campaign()
    drawn = "    <b>\n      <i>as it is</i>"
    set_instructions(campaign, f"Write:\n\n{drawn}")
    link = f"/join/{campaign_link(campaign)}/"
    packed, plain = client.get(link, headers={"accept-encoding": "br"}), client.get(link)
    page = brotli.decompress(packed.content)
    assert page.split() == plain.content.split()
    assert len(page) < 0.95 * len(plain.content)
    assert b"&lt;b&gt;\n  &lt;i&gt;as it is" in page


def test_list_of_static_files_is_not_served(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    for name in ("page.css", "staticfiles.json", "staticfiles.json.gz", ".sum"):
        (tmp_path / name).write_text("content")
    serve = StaticFiles(lambda request: HttpResponse(status=404))

    def ask(name):
        reply = serve(RequestFactory().get(f"/static/{name}"))
        reply.close()
        return reply

    assert ask("page.css").status_code == 200
    assert "no-store" not in ask("page.css").headers["Cache-Control"]
    for name in ("staticfiles.json", "staticfiles.json.gz", ".sum"):
        assert ask(name).status_code == 404


def test_the_workers_api_has_no_session_and_pages_have_one(client):
    of_workers = client.post("/api/work/next/", {}, content_type="application/json")
    assert of_workers.status_code == 401
    of_managers = client.get("/login/")
    for name in ("session", "_messages"):
        assert not hasattr(of_workers.wsgi_request, name)
        assert hasattr(of_managers.wsgi_request, name)
