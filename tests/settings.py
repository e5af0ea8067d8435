"""The settings of the tests: the product's, in a folder of their own.

Only DATABASE_URL is taken from the environment; what else the caller has set (HTTPS, DATA_DIR,
...) would change what the tests see. pytest-django imports this before any conftest.
"""

import atexit
import os
import shutil
import sys
import tempfile

for name in (
    "ALLOWED_HOSTS", "BEHIND_PROXY", "CSRF_TRUSTED_ORIGINS", "DEBUG", "DEFAULT_MANAGER",
    "DRAFT_RATE", "ENROLL_RATE", "EVENTS_RATE", "FINISH_RATE", "FRAME_HOSTS", "HSTS_PRELOAD",
    "HSTS_SUBDOMAINS", "HTTPS", "JOBS_AT_ONCE", "JOB_DAYS", "JOB_FILE_DAYS", "JOIN_RATE",
    "LOGIN_ADDRESS_ATTEMPTS", "LOGIN_ATTEMPTS", "LOGIN_LOG_DAYS", "LOGIN_RATE", "LOG_LEVEL",
    "MAX_BODY_MB", "MAX_IMPORT_LINE_MB", "MAX_UPLOAD_MB", "NEXT_RATE", "NIGHT_HOUR",
    "RETURN_RATE", "SEARCH_RATE",
    "SECRET_KEY_FALLBACKS", "SUBMIT_RATE", "TIME_ZONE", "WORKER_TOKEN_DAYS",
):  # fmt: skip
    os.environ.pop(name, None)
# As in `./run test`: or each process, and each command that a test starts, compiles all anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ["SECRET_KEY"] = "only-for-tests-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2
os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="touchstone-tests-")
atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)
# As many tests run at once as there are processors: NumPy's own threads would only wait for each
# other, in a loop that takes twice the time. NumPy reads this where it is imported first.
os.environ |= {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}

from config.settings import *  # noqa: E402, F403

STATIC_ROOT.mkdir()  # noqa: F405 - whitenoise warns where it's missing
# Pages are tested without collectstatic, so links to files keep their plain names.
STORAGES["staticfiles"] = {  # noqa: F405
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # made to be fast, not safe
if DATABASES["default"]["ENGINE"] == "config.sqlite":  # noqa: F405
    # A file, not memory: there the threads of the live server would share one connection, and
    # with it each other's transactions.
    DATABASES["default"]["TEST"] = {"NAME": f"{DATA_DIR}/test.sqlite3"}  # noqa: F405
