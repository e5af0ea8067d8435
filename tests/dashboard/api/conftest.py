from __future__ import annotations

import pytest

from tests.dashboard.api.program import Program
from tests.factories import make_campaign, make_member, make_project


@pytest.fixture(autouse=True)
def data_dir(settings, tmp_path):
    settings.DATA_DIR = tmp_path


@pytest.fixture
def project():
    return make_project(slug="letters")


@pytest.fixture
def campaign(project):
    return make_campaign(project, slug="names")


@pytest.fixture
def asks(project):
    return Program(make_member(project).user)
