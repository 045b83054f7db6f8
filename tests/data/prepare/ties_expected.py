"""Writes what SciPy says of figures with ties, for tests/ties.rs.

    python ties_expected.py ..      (from tests/data/prepare; requirements in stats_requirements.txt)

tests/data/ties-expected.json: each case has figures as means of the same numbers summed in different orders, so that ties
differ in their last digits ("x", "y"), and what SciPy says of the exact fractions behind them: to SciPy, which compares
doubles, the figures themselves have no such ties ("tau_of_noise").
"""

import importlib.metadata as metadata
import json
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
from scipy import stats

SEED = 20261128
ORIGIN = ", ".join(f"{name} {metadata.version(name)}" for name in ["numpy", "scipy"]) + f", seed {SEED}"


def summed(rng, numbers):
    """The mean of a list of tenths, summed in an order of chance; and the fraction that it is."""
    order = rng.permutation(len(numbers))
    total = 0.0
    for place in order:
        total += numbers[place] / 10
    return total / len(numbers), Fraction(sum(int(n) for n in numbers), 10 * len(numbers))


def variable(rng, n, raters):
    found = [summed(rng, rng.integers(1, 8, size=raters)) for _ in range(n)]
    places = {value: place for place, value in enumerate(sorted({exact for _, exact in found}))}
    return [noisy for noisy, _ in found], [places[exact] for _, exact in found], [exact for _, exact in found]


def cases(rng):
    for n, raters in [(12, 3), (40, 4), (100, 5), (250, 3), (250, 7)]:
        x, x_places, x_exact = variable(rng, n, raters)
        y, y_places, y_exact = variable(rng, n, raters)
        exact = [a - b for a, b in zip(x_exact, y_exact)]
        sizes = {size: place + 1 for place, size in enumerate(sorted({abs(d) for d in exact if d}))}
        differences = [sizes[abs(d)] * (1 if d > 0 else -1) for d in exact if d]
        normal = stats.wilcoxon(differences, correction=False, method="asymptotic")
        u = stats.mannwhitneyu(*together(x_exact, y_exact)).statistic
        yield {
            "x": x,
            "y": y,
            "tau": stats.kendalltau(x_places, y_places).statistic,
            "tau_p": stats.kendalltau(x_places, y_places).pvalue,
            "rho": stats.spearmanr(x_places, y_places).statistic,
            "tau_of_noise": stats.kendalltau(x, y).statistic,
            "smaller": normal.statistic,
            "normal": normal.pvalue,
            "delta": float(2 * u / (n * n) - 1),
        }


def together(a, b):
    places = {value: place for place, value in enumerate(sorted({*a, *b}))}
    return [places[value] for value in a], [places[value] for value in b]


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "..") / "ties-expected.json"
    rows = ",\n".join(json.dumps(case, allow_nan=False, default=float) for case in cases(np.random.default_rng(SEED)))
    out.write_text(f'{{\n"origin": {json.dumps(ORIGIN)},\n"cases": [\n{rows}\n]\n}}\n')


main()
