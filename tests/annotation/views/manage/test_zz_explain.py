import time, pytest
from django.db import connection
from annotation.models import *
from annotation.queries_manage import types_in_use
from annotation import queries_manage as q
from tests.factories import *
from django.utils import timezone
pytestmark = pytest.mark.django_db

def many(project, tasks, workers, answer):
    campaign = make_campaign(project)
    run = make_import(project, added=tasks)
    docs = Document.objects.bulk_create([Document(project=project, external_id=f"{project.pk}-{i}", text="a", tokens=[[0,1]], sentences=[[0,1]], import_run=run, digest="") for i in range(tasks)], batch_size=5000)
    ImportedAnswer.objects.bulk_create([ImportedAnswer(document=d, interface="entity", source="gold", answer={"tags":["O"]}) for d in docs], batch_size=5000)
    ts = Task.objects.bulk_create([Task(campaign=campaign, document=d, external_id=d.external_id) for d in docs], batch_size=5000)
    now = timezone.now()
    for w in range(workers):
        e = make_enrollment(campaign, submitted=tasks)
        a = Assignment.objects.bulk_create([Assignment(task=t, worker=e.worker, enrollment=e, state="submitted", leased_at=now, expires_at=now) for t in ts], batch_size=5000)
        Response.objects.bulk_create([Response(assignment=x, answer=answer, judgments=b"", received_at=now) for x in a], batch_size=5000)

def test_plan():
    small, big = make_project(), make_project()
    import random; ANSWER = {"mentions": [], "entities": [], "unlabelled": [[i*7919%100003, i*104729%99991] for i in range(90)]}
    many(big, 40_000, 5, ANSWER)
    many(small, 1600, 3, ANSWER)
    many(make_project(), 5_000, 3, ANSWER)
    crowd = make_project()
    many(crowd, 1200, 1, ANSWER)
    c2 = make_campaign(crowd)
    es = [make_enrollment(c2, submitted=3) for _ in range(500)]
    ts = Task.objects.bulk_create([Task(campaign=c2, external_id=str(i)) for i in range(3)])
    now = timezone.now()
    a = Assignment.objects.bulk_create([Assignment(task=t, worker=e.worker, enrollment=e, state="submitted", leased_at=now, expires_at=now) for t in ts for e in es])
    Response.objects.bulk_create([Response(assignment=x, answer=ANSWER, judgments=b"", received_at=now) for x in a])
    empty = make_project()
    with connection.cursor() as c: c.execute("ANALYZE" if connection.vendor=="postgresql" else "SELECT 1")
    from django.test.utils import CaptureQueriesContext
    for p in (small, big, crowd, empty):
        for _ in range(2):
            t=time.perf_counter()
            with CaptureQueriesContext(connection) as cq: use = types_in_use(p, ["PER"])
            print(connection.vendor, p.pk, use, round((time.perf_counter()-t)*1000), "ms", len(cq))
    with CaptureQueriesContext(connection) as cq: [types_in_use(p, ["PER"]) for p in (small, crowd, empty)]
    for one in cq.captured_queries:
        with connection.cursor() as c:
            c.execute(("EXPLAIN ANALYZE " if connection.vendor=="postgresql" else "EXPLAIN QUERY PLAN ")+one["sql"])
            print("\n".join(str(r[-1]) for r in c.fetchall())); print()
