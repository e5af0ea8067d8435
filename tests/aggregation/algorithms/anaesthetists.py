"""The worked example of Dawid and Skene (1979): five anaesthetists class 45 patients' fitness.

Observations are those of the paper's table 1; what it estimates from them stands beside, to the
two decimals in which it is printed.
"""

import numpy as np

from aggregation.algorithms import CrowdLabels

# A patient's classes by observer 1 (three times), 2, 3, 4 and 5.
TABLE_1 = """
1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343
1111111 2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222
1111111 1111111 2322222 1111111 1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343
2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222
"""
OBSERVERS = [0, 0, 0, 1, 2, 3, 4]

PREVALENCE = [0.40, 0.42, 0.11, 0.07]

# By observer, true class and class said.
ERROR_RATES = [
    [[0.89, 0.11, 0.00, 0.00], [0.07, 0.88, 0.05, 0.00],
     [0.00, 0.34, 0.66, 0.00], [0.00, 0.00, 0.56, 0.44]],
    [[0.83, 0.17, 0.00, 0.00], [0.05, 0.63, 0.31, 0.00],
     [0.00, 0.00, 1.00, 0.00], [0.00, 0.00, 0.00, 1.00]],
    [[1.00, 0.00, 0.00, 0.00], [0.11, 0.79, 0.11, 0.00],
     [0.00, 0.40, 0.20, 0.40], [0.00, 0.00, 0.67, 0.33]],
    [[0.94, 0.06, 0.00, 0.00], [0.05, 0.84, 0.10, 0.00],
     [0.00, 0.00, 0.80, 0.20], [0.00, 0.00, 0.33, 0.67]],
    [[1.00, 0.00, 0.00, 0.00], [0.16, 0.73, 0.11, 0.00],
     [0.00, 0.21, 0.79, 0.00], [0.00, 0.00, 0.33, 0.67]],
]  # fmt: skip

# Patients (from 1) whose class the paper leaves open; of all others it is sure.
DOUBTFUL = {7: [0.98, 0.02, 0, 0], 35: [0, 0.95, 0.05, 0], 38: [0, 0.02, 0.98, 0]}


def observations() -> CrowdLabels:
    said = np.array([[int(digit) - 1 for digit in patient] for patient in TABLE_1.split()])
    patients, times = said.shape
    return CrowdLabels(
        unit=np.repeat(np.arange(patients), times),
        worker=np.tile(OBSERVERS, patients),
        label=said.ravel(),
        n_units=patients,
        n_workers=5,
        n_classes=4,
    )
