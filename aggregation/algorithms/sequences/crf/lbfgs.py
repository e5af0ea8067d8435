"""Limited-memory BFGS for smooth, strictly convex functions of many variables.

Nocedal, *Updating quasi-Newton matrices with limited storage*, Mathematics of Computation 35
(1980), 773-782: the two-loop recursion. SciPy's L-BFGS-B spends on its bounds, which we have not,
as much time again as a conditional random field of a million weights spends on its gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MEMORY = 6  # pairs of steps and changes of the gradient
SUFFICIENT = 1e-4  # share of the decrease that the slope promises (Armijo)
MOST_TRIALS = 20  # of a line search
LOOK_BACK = 10  # iterations over which too little was gained


@dataclass(frozen=True, slots=True)
class Minimum:
    """`values` are those of the function: at the start, then after each iteration."""

    x: Floats
    values: tuple[float, ...]
    converged: bool

    @property
    def iterations(self) -> int:
        return len(self.values) - 1


def minimise(
    function: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    *,
    max_iter: int,
    tol: float,
    gain_tol: float = 0.0,
    units: Floats | None = None,
) -> Minimum:
    """The least value of `function`, which gives value and gradient, from `start` on.

    It has converged where the gradient's norm is at most `tol` times that of x (1 at least), where
    the last `LOOK_BACK` iterations together gained less than `gain_tol` of the value, or where no
    step along the last direction finds anything lower: there rounding is all that is left. The
    array that `function` returns is kept; it must be a new one each time.

    `units`, greater than 0, are what each variable (and what is said of norms above) is measured
    in. The first steps go far where a unit is large; the best ones make all curvatures alike.
    """
    if units is not None:

        def measured(y: Floats) -> tuple[float, Floats]:
            value, gradient = function(y * units)
            gradient *= units
            return value, gradient

        lowest = minimise(measured, start / units, max_iter=max_iter, tol=tol, gain_tol=gain_tol)
        return replace(lowest, x=lowest.x * units)
    x = start
    value, gradient = function(x)
    values = [value]
    memory = _Memory(x.size)
    while not _is_flat(gradient, x, tol):
        if len(values) > max_iter:
            return Minimum(x, tuple(values), False)
        direction = memory.direction(gradient)
        slope = float(gradient @ direction)
        if not slope < 0:  # what is remembered is mostly rounding
            memory = _Memory(x.size)
            direction = memory.direction(gradient)
            slope = float(gradient @ direction)
        # The first step has no curvature to go by.
        step = min(1.0, 1.0 / float(np.linalg.norm(gradient))) if memory.is_empty else 1.0
        found = _search(function, x, value, direction, slope, step)
        if found is None:
            break
        step, x, value, new_gradient = found
        memory.add(step, direction, slope, gradient, new_gradient)
        gradient = new_gradient
        values.append(value)
        if len(values) > LOOK_BACK and values[-LOOK_BACK - 1] - value < gain_tol * abs(value):
            break
    return Minimum(x, tuple(values), True)


def _is_flat(gradient: Floats, x: Floats, tol: float) -> bool:
    return bool(np.linalg.norm(gradient) <= tol * max(1.0, float(np.linalg.norm(x))))


def _search(
    function: Callable[[Floats], tuple[float, Floats]],
    x: Floats,
    value: float,
    direction: Floats,
    slope: float,
    step: float,
) -> tuple[float, Floats, float, Floats] | None:
    """The first step along `direction` that leads low enough, the point, value and gradient there;
    None where there is none.

    Where a step is too long, the parabola through what is known says which one to try next. A step
    is never made longer: in a convex function each one has a positive curvature to learn from.
    """
    for _ in range(MOST_TRIALS):
        point = x + step * direction
        here, gradient = function(point)
        if here < value and here <= value + SUFFICIENT * step * slope:
            return step, point, here, gradient
        lowest = -slope * step**2 / (2.0 * (here - value - slope * step))
        step = min(max(lowest, 0.1 * step), 0.5 * step) if np.isfinite(here) else 0.1 * step
    return None


class _Memory:
    """The last steps s and changes y of the gradient: what is known of the curvature.

    A direction is a sum of these and of the gradient, so the two loops need only its coefficients
    and the inner products of all of them (Chen, Wang and Zhou, *Large-scale L-BFGS using
    MapReduce*, NIPS 2014). The products of a new s and y follow from those of the direction and of
    the two gradients. So an iteration passes twice over the memory, which is what takes its time.
    """

    def __init__(self, size: int):
        self._rows = np.zeros((2 * MEMORY, size))  # s in the first half, y in the second
        self._products = np.zeros((2 * MEMORY, 2 * MEMORY))
        self._with_gradient = np.zeros(2 * MEMORY)
        self._order: list[int] = []  # places, the oldest first
        # The last direction is `_own` times the gradient and `_part` times the rows.
        self._own, self._part = -1.0, np.zeros(2 * MEMORY)

    @property
    def is_empty(self) -> bool:
        return not self._order

    def add(self, step: float, direction: Floats, slope: float, old: Floats, new: Floats) -> None:
        """`step` along the last direction, where the gradient's product with it was `slope`, has
        led from the gradient `old` to `new`."""
        s = step * (self._products @ self._part + self._own * self._with_gradient)
        if len(self._order) == MEMORY:
            del self._order[0]
        place = next(i for i in range(MEMORY) if i not in self._order)
        of_s, of_y = place, MEMORY + place
        np.multiply(direction, step, out=self._rows[of_s])
        np.subtract(new, old, out=self._rows[of_y])
        with_new = self._rows @ new
        y = with_new - self._with_gradient  # of the old rows
        s[of_s] = self._rows[of_s] @ self._rows[of_s]
        s[of_y] = y[of_s] = with_new[of_s] - step * slope
        y[of_y] = self._rows[of_y] @ self._rows[of_y]
        for row, products in ((of_s, s), (of_y, y)):
            self._products[row], self._products[:, row] = products, products
        self._with_gradient = with_new
        if s[of_y] > 0:  # else there is nothing in it but rounding
            self._order.append(place)

    def direction(self, gradient: Floats) -> Floats:
        """Minus the inverse curvature times `gradient`, of which `add` was told."""
        products, of_gradient = self._products, self._with_gradient
        own, part, shares = -1.0, np.zeros(2 * MEMORY), {}
        for i in reversed(self._order):
            y = MEMORY + i
            shares[i] = (own * of_gradient[i] + products[i] @ part) / products[i, y]
            part[y] -= shares[i]
        if self._order:
            s, y = self._order[-1], MEMORY + self._order[-1]
            scale = products[s, y] / products[y, y]
            own, part = own * scale, part * scale
        for i in self._order:
            y = MEMORY + i
            part[i] += shares[i] - (own * of_gradient[y] + products[y] @ part) / products[i, y]
        self._own, self._part = own, part
        direction = part @ self._rows
        direction += own * gradient
        return np.asarray(direction)
