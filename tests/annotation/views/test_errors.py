import pytest

from annotation.actions.tokens import campaign_link
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
@pytest.mark.parametrize("path", ["/api/", "/api/nothing/", "/api/work/nothing/", "/api/work/"])
def test_a_program_is_told_in_json_that_an_address_leads_nowhere(client, method, path):
    answer = getattr(client, method)(path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json().keys() == {"detail", "errors"}
    assert "nothing at this address" in answer.json()["detail"]


def test_a_person_is_told_on_a_page(client):
    answer = client.get("/apiary/")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("text/html")


def test_a_forgotten_slash_still_leads_on(client):
    assert client.get("/api/docs").headers["Location"] == "/api/docs/"
    link = campaign_link(make_campaign())
    assert client.get(f"/join/{link}").headers["Location"] == f"/join/{link}/"
