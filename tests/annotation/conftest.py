import pytest

from annotation.actions.projects import forget_label_numbers


@pytest.fixture(autouse=True)
def _no_label_numbers():
    """A test may run on-commit callbacks and be rolled back; the next may get its project's id."""
    forget_label_numbers()
    yield
    forget_label_numbers()
