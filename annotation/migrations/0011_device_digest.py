"""What a browser proves itself by leaves the database, where exports and pages read it.

The worker of a public link was called `device:` and the browser's own secret, so that whoever read
the id could join as that worker. Its keyed digest takes its place; the id is drawn anew, and so is
where the record of changes named it.

Backwards the columns go and the rows stay: no digest leads back to a secret, so a browser that
comes then is a new worker. Forwards again, it stays that one.
"""

import re
import uuid

from django.conf import settings
from django.db import migrations, models
from django.utils.crypto import salted_hmac

AT_ONCE = 1_000
DEVICE = re.compile(r"device:([0-9a-f]{32})\Z")
SALT = "touchstone.device"


def digest_devices(apps, schema_editor):
    Worker = apps.get_model("annotation", "Worker")
    AuditEntry = apps.get_model("annotation", "AuditEntry")
    rows = Worker.objects.filter(external_id__startswith="device:").order_by("pk")
    last = 0
    while batch := list(rows.filter(pk__gt=last)[:AT_ONCE]):
        last = batch[-1].pk
        renamed = {}
        changed = []
        for worker in batch:
            found = DEVICE.match(worker.external_id)
            if found is None:  # a manager's own name for somebody
                continue
            secret = f"{worker.platform}:{found[1]}"
            worker.device_digest = salted_hmac(
                SALT, secret, secret=settings.SECRET_KEY, algorithm="sha256"
            ).hexdigest()
            new = f"anonymous:{uuid.uuid4().hex}"
            renamed[worker.external_id], worker.external_id = new, new
            changed.append(worker)
        Worker.objects.bulk_update(changed, ["device_digest", "external_id"])
        entries = list(AuditEntry.objects.filter(subject__in=renamed).only("subject"))
        for entry in entries:
            entry.subject = renamed[entry.subject]
        AuditEntry.objects.bulk_update(entries, ["subject"], batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0010_demonstration_is_no_staff")]

    operations = [
        migrations.AddField(
            model_name="worker",
            name="device_digest",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddConstraint(
            model_name="worker",
            constraint=models.UniqueConstraint(
                condition=models.Q(("device_digest", ""), _negated=True),
                fields=("device_digest",),
                name="device_finds_one_worker",
            ),
        ),
        migrations.RunPython(digest_devices, migrations.RunPython.noop),
    ]
