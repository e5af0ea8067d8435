import pytest

from annotation.actions.projects import set_schema
from annotation.models import AuditEntry, Enrollment, ImportedAnswer
from dashboard.projects import queries
from tests.factories import (
    SCHEMA,
    make_campaign,
    make_document,
    make_enrollment,
    make_import,
    make_member,
    make_project,
    make_response,
    make_task,
)

pytestmark = pytest.mark.django_db

PAGE = "/manage/projects/letters/labels/"


@pytest.fixture
def project(client):
    project = make_project(slug="letters")
    set_schema(project, SCHEMA)
    client.force_login(make_member(project).user)
    return project


def filled(client) -> dict[str, str]:
    """What a browser would send of the page as it stands."""
    context = client.get(PAGE).context
    types = context["types"]
    fields = {"digest": context["digest"]}
    for form in [types.management_form, *types]:
        for field in form:
            value = field.value()
            if value not in (None, False, ""):
                fields[field.html_name] = "on" if value is True else str(value)
    return fields


def save(client, fields=None, **changes):
    fields = filled(client) if fields is None else fields
    return client.post(PAGE, fields | {name.replace("__", "-"): v for name, v in changes.items()})


def types(project):
    project.refresh_from_db()
    return [one["name"] for one in project.schema["entity_types"]]


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def test_page_sent_back_as_it_is_changes_nothing(client, project):
    before = project.schema
    assert save(client).url == PAGE
    project.refresh_from_db()
    assert project.schema == before


def test_every_part_of_a_type_can_be_changed(client, project):
    save(
        client, form__0__name="PERSON", form__0__key="x", form__0__colour="9",
        form__0__description="Who", form__0__date="on", form__0__unlinked="on", nested="on",
    )  # fmt: skip
    project.refresh_from_db()
    assert project.schema["entity_types"][0] == {
        "name": "PERSON", "key": "x", "colour": 9, "description": "Who", "value": "date",
        "link": False,
    }  # fmt: skip
    assert project.schema["nested"] is True
    assert AuditEntry.objects.latest("pk").user == project.members.get().user


def test_new_rows_become_types_and_empty_ones_do_not(client, project):
    save(client, form__3__name="DATE", form__4__ORDER="9")
    assert types(project) == ["PER", "LOC", "ORG", "DATE"]
    new = project.schema["entity_types"][3]
    assert new["key"]
    assert new["colour"]


def test_places_order_the_types(client, project):
    save(client, form__0__ORDER="3", form__2__ORDER="1", form__2__name="ORG")
    assert types(project) == ["ORG", "LOC", "PER"]


def test_more_rows_come_without_a_script_and_save_nothing(client, project):
    answer = save(client, form__0__name="CHANGED", form__3__name="DATE", more="")
    assert answer.status_code == 200
    assert len(answer.context["types"].forms) == 3 + 2 + 5
    assert 'value="CHANGED"' in words(answer)
    assert 'value="DATE"' in words(answer)
    assert types(project) == ["PER", "LOC", "ORG"]


def test_relations_follow_a_type_that_is_renamed(client, project):
    save(client, form__0__name="PERSON")
    project.refresh_from_db()
    assert [one["subject"] for one in project.schema["relation_types"]] == [["PERSON"]] * 2


def test_type_that_a_relation_needs_can_not_go(client, project):
    answer = save(client, form__1__DELETE="on")
    assert answer.status_code == 422
    assert "The relation 'per:born_in' can't stand as it is." in words(answer)
    assert types(project) == ["PER", "LOC", "ORG"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"form__0__name": ""}, "Give the type a name, or remove the row."),
        ({"form__0__name": "A B"}, "'A B' can't be a name."),
        ({"form__1__name": "PER"}, "'PER' is the name of the type 'PER' too."),
        ({"form__1__key": "p"}, "'p' is the key of the type 'PER' too."),
        ({"form__1__key": "7"}, "'7' is no letter."),
        ({"form__1__key": "ab"}, "A key is one letter."),
        ({"form__1__colour": "13"}, "Select a valid choice."),
        ({"form__3__description": "of what?"}, "Give the type a name, or remove the row."),
        ({"form-TOTAL_FORMS": "x"}, "missing or has been tampered with"),
    ],
)
def test_what_is_wrong_stands_in_its_row_and_nothing_is_lost(client, project, changes, sentence):
    answer = save(client, form__2__description="Typed just now", **changes)
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert "Typed just now" in words(answer) or "form-TOTAL_FORMS" in changes
    assert types(project) == ["PER", "LOC", "ORG"]


def test_more_than_a_hundred_types_are_refused(client, project):
    fields = filled(client) | {"form-TOTAL_FORMS": "101"}
    fields |= {f"form-{number}-name": f"T{number}" for number in range(3, 101)}
    answer = save(client, fields)
    assert answer.status_code == 422
    assert "100" in words(answer)


def test_schema_that_was_changed_meanwhile_is_not_overwritten(client, project):
    mine = filled(client)
    set_schema(project, {"entity_types": [{"name": "SHIP"}]})
    answer = save(client, mine | {"form-0-name": "PERSON"})
    assert answer.status_code == 422
    assert "Somebody else has changed the schema meanwhile." in words(answer)
    assert 'value="PERSON"' in words(answer)
    assert types(project) == ["SHIP"]
    sent_again = save(client, mine | {"digest": answer.context["digest"]})
    assert sent_again.status_code == 422


@pytest.mark.parametrize("digest", ["", "0" * 32])
def test_page_without_its_digest_saves_nothing(client, project, digest):
    assert save(client, digest=digest, form__0__name="PERSON").status_code == 422
    assert types(project) == ["PER", "LOC", "ORG"]


ANN = {"id": "m1", "start": 0, "end": 3, "type": "ORG", "entity": None}


def answer_with_org(project):
    task = make_task(make_campaign(project), make_document(project))
    response = make_response(task, answer={"mentions": [ANN], "entities": [], "unlabelled": []})
    Enrollment.objects.filter(assignments__response=response).update(submitted=1)


def gold_with_org(project):
    document = make_document(project, import_run=make_import(project, added=1))
    ImportedAnswer.objects.create(
        document=document, interface="entity", source="gold",
        answer={"tags": ["B-ORG", "O", "?"]},
    )  # fmt: skip


@pytest.mark.parametrize("use", [answer_with_org, gold_with_org])
@pytest.mark.parametrize("change", [{"form__2__DELETE": "on"}, {"form__2__name": "FIRM"}])
def test_type_in_use_goes_only_after_a_question(client, project, use, change):
    set_schema(project, {"entity_types": SCHEMA["entity_types"]})
    use(project)
    answer = save(client, **change)
    assert answer.status_code == 422
    assert "answers use a type that is removed or renamed here: <strong><bdi>ORG" in words(answer)
    assert types(project) == ["PER", "LOC", "ORG"]
    assert save(client, confirmed="LOC", **change).status_code == 422
    assert save(client, confirmed="ORG", **change).status_code == 302
    assert "ORG" not in types(project)


def test_types_in_use_change_places_only_after_a_question(client, project):
    set_schema(project, {"entity_types": SCHEMA["entity_types"]})
    answer_with_org(project)
    swap = {"form__1__name": "ORG", "form__2__name": "LOC"}
    answer = save(client, **swap)
    assert answer.status_code == 422
    assert "Another type gets the name <strong><bdi>ORG</bdi></strong> here." in words(answer)
    assert types(project) == ["PER", "LOC", "ORG"]
    assert save(client, confirmed="ORG", **swap).status_code == 302
    assert types(project) == ["PER", "ORG", "LOC"]


def test_name_of_a_type_in_use_goes_to_a_new_one_only_after_a_question(client, project):
    set_schema(project, {"entity_types": SCHEMA["entity_types"]})
    answer_with_org(project)
    assert save(client, form__2__DELETE="on", form__3__name="ORG").status_code == 422


def test_rows_are_mended_before_the_question_is_asked(client, project):
    set_schema(project, {"entity_types": SCHEMA["entity_types"]})
    answer_with_org(project)
    page = words(save(client, form__2__DELETE="on", form__0__name="A B"))
    assert "'A B' can't be a name." in page
    assert "Save it all the same" not in page


def test_type_that_no_answer_uses_goes_at_once(client, project):
    set_schema(project, {"entity_types": SCHEMA["entity_types"]})
    answer_with_org(project)
    assert save(client, form__1__DELETE="on").status_code == 302
    assert types(project) == ["PER", "ORG"]


def many_answers(project):
    make_enrollment(make_campaign(project), submitted=queries.LOOKED_AT + 1)


def many_documents(project):
    make_import(project, added=queries.LOOKED_AT + 1)


@pytest.mark.parametrize("many", [many_answers, many_documents])
def test_with_more_answers_than_a_page_reads_the_question_comes_in_any_case(client, project, many):
    set_schema(project, {"entity_types": SCHEMA["entity_types"]})
    many(project)
    answer = save(client, form__1__DELETE="on")
    assert "answers may use a type" in words(answer)
    assert "There are too many answers to look at each of them." in words(answer)


def test_looking_for_types_in_use_takes_four_queries_however_many_answers(
    project, django_assert_num_queries
):
    for _ in range(5):
        answer_with_org(project)
        gold_with_org(project)
    with django_assert_num_queries(4):
        use = queries.types_in_use(project, ["ORG", "LOC"])
    assert use.counts == {"ORG": 10}
    assert use.is_all


def test_viewer_reads_the_types(client, project):
    client.force_login(make_member(project, "viewer").user)
    page = words(client.get(PAGE))
    assert "A person's name." in page
    assert "<input" not in page.partition("<main")[2]
    assert "per:born_in" in page
