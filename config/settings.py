"""All settings. What varies between machines comes from the environment and is checked here.

The variables are listed in docs/operations.md.
"""

import os
import re
import secrets
import zoneinfo
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.conf.locale import LANG_INFO
from django.core.exceptions import ImproperlyConfigured

from config import catalogues, env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("DATA_DIR", str(BASE_DIR / "var"))).expanduser().absolute()

DEBUG = env.flag("DEBUG")
HTTPS = env.flag("HTTPS")  # the production switch: secure cookies, HSTS, redirect to https


def own_secret_key() -> str:
    """The key kept in DATA_DIR, made at the first start: no secret stands in the repository."""
    path = DATA_DIR / "secret_key"
    try:
        DATA_DIR.mkdir(parents=True, exist_ok=True)
        draft = DATA_DIR / f"secret_key.{os.getpid()}"
        if not path.exists():
            # Written whole, then linked: of two first starts at once, one wins and both read it.
            draft.touch(mode=0o600)
            draft.write_text(secrets.token_urlsafe(64))
            try:
                os.link(draft, path)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The secret key can't be kept in {DATA_DIR} ({error}). "
            "Set SECRET_KEY, or DATA_DIR to a folder that can be written."
        ) from error


def frame_hosts() -> list[str]:
    """Who may show a worker's page inside a page of their own, as sources of a policy."""
    hosts = env.words("FRAME_HOSTS")
    for host in hosts:
        if not re.fullmatch(r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?", host):
            raise ImproperlyConfigured(
                f"FRAME_HOSTS names '{host}'. Write each host as https://www.example.com, or "
                "https://*.example.com for all of its names."
            )
    return hosts


SECRET_KEY = env.text("SECRET_KEY") or own_secret_key()
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "config.apps.TablesConfig",  # django.contrib.admin, for superusers alone
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "annotation",
    "aggregation",
    "selection",
    "evaluation",
    "dashboard",
    "demonstration",
    "experiments",
    "config.apps.CommandsConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.without_refused_encodings",
    "config.middleware.StaticFiles",
    "config.middleware.CompressedPages",
    "config.middleware.private_pages",
    "csp.middleware.CSPMiddleware",
    "config.middleware.Sessions",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.middleware.Accounts",
    "config.middleware.Messages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]


def own_address() -> str:
    """Where links for workers point: SITE_URL, or where ./run served last."""
    try:
        served = (DATA_DIR / "address").read_text().strip()
    except OSError:
        served = "http://127.0.0.1:8000"
    return env.text("SITE_URL", served).rstrip("/")


SITE_URL = own_address()

# --- Database: SQLite beside the data, PostgreSQL by DATABASE_URL ---------------------------

DATABASES = {
    "default": env.parsed(
        "DATABASE_URL",
        f"sqlite:///{DATA_DIR / 'touchstone.sqlite3'}",
        lambda url: dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True),
        "It looks like postgres://user:password@host:5432/name or sqlite:////path/to/file.",
    )
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["ENGINE"] = "config.sqlite"  # with a queue for writers
    DATABASES["default"].setdefault("OPTIONS", {}).update(
        # The writer's lock is taken at BEGIN: a lease that reads and then writes can't deadlock.
        transaction_mode="IMMEDIATE",
        timeout=20,
        init_command=(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
            "PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY;"
        ),
    )
elif DATABASES["default"]["ENGINE"].endswith("postgresql"):
    # A server that is gone without a word, or takes connections and says nothing, is an outage
    # (503) before the web server loses patience with its process, after 30 s. What the URL says
    # (?connect_timeout=10) has its way. Seconds; the last in milliseconds.
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5,
        "keepalives_count": 2, "tcp_user_timeout": 15_000,
    } | DATABASES["default"].get("OPTIONS", {})  # fmt: skip
else:
    raise ImproperlyConfigured("DATABASE_URL names neither PostgreSQL nor SQLite. Use one of them.")

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- The loop, its jobs and the night -----------------------------------------------------------

JOB_KINDS = [  # modules, each with a list KINDS
    "annotation.management.job_kinds",
    "aggregation.management.job_kinds",
    "selection.management.job_kinds",
    "evaluation.management.job_kinds",
    "config.job_kinds",
]
JOB_FILE_DAYS = env.number("JOB_FILE_DAYS", 7, at_least=1, at_most=3650)  # files to be downloaded
JOB_DAYS = env.number("JOB_DAYS", 90, at_least=1, at_most=3650)  # what came of jobs
# Whether webhooks may be sent to addresses inside the network, and without TLS.
WEBHOOKS_PRIVATE = env.flag("WEBHOOKS_PRIVATE")
JOBS_AT_ONCE = env.number("JOBS_AT_ONCE", 1, at_least=1, at_most=64)  # of one `manage.py work`
# The jobs that `manage.py work` itself asks for where answers have come in.
WORK_JOBS = ["refresh_consensus", "adjust_redundancy", "advance_loops", "evaluate_submissions"]
# When `manage.py work` does the night, by TIME_ZONE; None where cron does.
NIGHT_HOUR = env.hour("NIGHT_HOUR", 3)
# Commands as they could be given alone, in their order; one with {campaign} is given for each
# campaign that `aggregation.queries.due.nightly` names.
NIGHT_STEPS = [
    "expire_assignments",
    "score_gold",
    "aggregate --campaign={campaign}",
    "check_gold",
    "flag_workers",
    "select_workers",
    "adjust_redundancy --all",
    "advance_loops",
    "evaluate_submissions",
    "prune_runs",
    "clear_models",
    "clear_log_ins",
    "clear_jobs",
    "check_integrity",
]

# --- Accounts -----------------------------------------------------------------------------------

# Who manages the projects that commands make, where these name nobody: the account that ./run
# makes, if it is there.
DEFAULT_MANAGER = env.text("DEFAULT_MANAGER", "demonstration")

# --- Log-in -----------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator",
                 "CommonPasswordValidator", "NumericPasswordValidator")
]  # fmt: skip
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "start"
AXES_FAILURE_LIMIT = env.number("LOGIN_ATTEMPTS", 10, at_least=3, at_most=1000)
LOGIN_ADDRESS_ATTEMPTS = env.number("LOGIN_ADDRESS_ATTEMPTS", 50, at_least=3, at_most=100_000)
LOGIN_LOG_DAYS = env.number("LOGIN_LOG_DAYS", 90, at_least=1, at_most=3650)
AXES_COOLOFF_TIME = 1  # hour
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "annotation.api.throttles.client_address"
AXES_USERNAME_CALLABLE = "dashboard.accounts.lockout.counted_name"
AXES_HANDLER = "dashboard.accounts.lockout.LockoutHandler"
AXES_LOCKOUT_CALLABLE = "dashboard.accounts.lockout.locked_out"
# The page says when the lock opens; trying again meanwhile must not put that off.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False  # its tables are shown as all others are, by annotation.admin

# --- Mail: of invitations, where a server is named ----------------------------------------------

EMAIL_HOST = env.text("EMAIL_HOST")  # "": no mail is sent
EMAIL_PORT = env.number("EMAIL_PORT", 587, at_least=1, at_most=65_535)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_SSL = EMAIL_PORT == 465
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True) and not EMAIL_USE_SSL
EMAIL_TIMEOUT = 5  # seconds; a page waits
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "touchstone@localhost")

# --- Transport and headers --------------------------------------------------------------------

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Both bind names that may not be this application's, and can't be taken back for a year or more.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS")
SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD")
if SECURE_HSTS_PRELOAD and not SECURE_HSTS_INCLUDE_SUBDOMAINS:
    raise ImproperlyConfigured(
        "HSTS_PRELOAD is 1 without HSTS_SUBDOMAINS=1. Browsers' lists take a domain only with all "
        "of its subdomains: set both, or neither."
    )
if env.flag("BEHIND_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_HTTPONLY = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
FRAME_HOSTS = frame_hosts()  # of the worker's page alone; annotation.views.work opens it to them
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# --- Static files, language, time -------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "config.bundles.BundleFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.HashedStaticFiles"},
}

LANGUAGE_CODE = "en"  # of managers' pages, and of the sentences in the sources
# Workers' pages are in those, too, for which there is a catalogue; a language is a file.
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGES = [
    (code, LANG_INFO.get(code, {}).get("name_local", code))
    for code in (LANGUAGE_CODE, *catalogues.languages())
]
TIME_ZONE = env.text("TIME_ZONE", "UTC")  # how times are shown; they are kept in UTC
if TIME_ZONE not in zoneinfo.available_timezones():
    raise ImproperlyConfigured(f"TIME_ZONE is '{TIME_ZONE}'. Use a name such as Europe/Berlin.")
USE_I18N = True
USE_TZ = True

# --- The programs' interface --------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "dashboard.api.authentication.ApiTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "dashboard.api.authentication.HasScope",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_RATES": {
        # Of an address, and IPv6 by /64 (annotation.api.throttles.client_address):
        "join": env.rate("JOIN_RATE", "600/min"),
        "enroll": env.rate("ENROLL_RATE", "60/hour"),  # new workers of an address, by public links
        "phrase": env.rate("PHRASE_RATE", "60/min"),  # they could be guessed at
        "login": env.rate("LOGIN_RATE", "20/min"),  # passwords that are checked
        # Of a worker:
        "next": env.rate("NEXT_RATE", "240/min"),
        "rights": env.rate("RIGHTS_RATE", "60/min"),  # history, reviews, phrase, consent
        "draft": env.rate("DRAFT_RATE", "240/min"),
        "submit": env.rate("SUBMIT_RATE", "240/min"),  # somebody quick makes one choice a second
        "return": env.rate("RETURN_RATE", "240/min"),
        "finish": env.rate("FINISH_RATE", "240/min"),
        "events": env.rate("EVENTS_RATE", "240/min"),
        "search": env.rate("SEARCH_RATE", "600/min"),
    },
    "EXCEPTION_HANDLER": "annotation.api.errors.handle",
    "NUM_PROXIES": 1 if env.flag("BEHIND_PROXY") else 0,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Touchstone",
    "DESCRIPTION": (
        "What workers and managers do, for programs. A worker joins with a campaign's link and "
        "then sends `Authorization: Worker <token>`; a manager’s "
        "program sends `Authorization: Bearer <token>`, with a token of the page *Tokens*."
    ),
    "VERSION": "0.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
}
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        # Rates are counted in it, a few entries for each worker: with Django's 300, workers in a
        # crowd would push each other's counts out.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
WORKER_TOKEN_DAYS = env.number("WORKER_TOKEN_DAYS", 30, at_least=1, at_most=3650)
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024 * env.number("MAX_BODY_MB", 5, at_least=1, at_most=100)
# What a browser may send: it has 30 s for it where nothing in front of gunicorn keeps bodies. What
# is large is read and imported by jobs. import_documents has no limit.
MAX_UPLOAD_BYTES = 1024 * 1024 * env.number("MAX_UPLOAD_MB", 20, at_least=1, at_most=2000)
FILE_UPLOAD_HANDLERS = [
    "dashboard.documents.uploads.LimitedUploads",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
MAX_IMPORT_LINE_BYTES = 1024 * 1024 * env.number("MAX_IMPORT_LINE_MB", 8, at_least=1, at_most=512)

# --- Logs ---------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {
        "hide links": {"()": "config.logs.HideLinks"},
        "one line a minute": {"()": "config.logs.OneLineAMinute"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["one line a minute", "hide links"],
        }
    },
    # A body that was refused is the sender's affair and told to them; the log keeps what is ours.
    "loggers": {"django.request": {"level": "ERROR"}},
    "root": {
        "handlers": ["console"],
        "level": env.one_of("LOG_LEVEL", ["DEBUG", "INFO", "WARNING", "ERROR"], "WARNING"),
    },
}
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # HSTS_SUBDOMAINS and
    "security.W021",  # HSTS_PRELOAD are the site's choice
]
