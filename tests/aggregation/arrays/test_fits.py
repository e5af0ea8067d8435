import io

import numpy as np
import pytest

from aggregation.algorithms import CrowdLabels, DawidSkene
from aggregation.arrays import fits
from aggregation.arrays.fits import Fit, Unreadable, packed, unpacked

LABELS = CrowdLabels([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 0], 2, 2, 2)
WORKERS = np.array([17, 4_000_000_000])


def fit():
    return Fit(DawidSkene(diagonal=2).fit(LABELS), WORKERS)


def test_it_comes_back_as_it_was():
    before = fit()
    after = unpacked("dawid-skene", {"diagonal": 2.0}, packed(before))
    assert after.workers.tolist() == WORKERS.tolist()
    assert after.fitted.diagonal == 2
    assert after.fitted.infer(LABELS).tobytes() == before.fitted.infer(LABELS).tobytes()


def test_what_is_too_much_is_kept_in_single_precision_or_not_at_all(monkeypatch):
    size = sum(array.nbytes for array in fit().fitted.state().values()) + WORKERS.nbytes
    monkeypatch.setattr(fits, "LARGEST", size - 1)
    data = packed(fit())
    with np.load(io.BytesIO(data)) as file:
        assert file["fit_confusion"].dtype == np.float32
        assert file["workers"].tolist() == WORKERS.tolist()
    found = unpacked("dawid-skene", {}, data).fitted.infer(LABELS)
    np.testing.assert_allclose(found, fit().fitted.infer(LABELS), atol=1e-5)
    monkeypatch.setattr(fits, "LARGEST", size // 2 - 1)
    assert packed(fit()) is None


@pytest.mark.parametrize(
    ("method", "parameters"),
    [("no-such-method", {}), ("ibcc", {"depth": 3}), ("one-coin", {}), ("majority", {})],
)
def test_another_method_or_version_can_not_read_it(method, parameters):
    with pytest.raises(Unreadable, match=f"What {method} has learnt can't be read"):
        unpacked(method, parameters, packed(fit()))


def test_objects_are_not_unpickled():
    file = io.BytesIO()
    np.savez(file, workers=WORKERS, fit_confusion=np.array([{}], dtype=object))
    with pytest.raises(Unreadable, match="allow_pickle"):
        unpacked("dawid-skene", {}, file.getvalue())
