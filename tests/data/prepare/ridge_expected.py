"""Writes what scikit-learn's Ridge says, for the tests of src/concepts/difference/ridge.rs.

    python ridge_expected.py ..      (from tests/data/prepare; requirements in svm_requirements.txt)

tests/data/ridge/expected.json: small problems with several targets each, and the weights and intercepts of
Ridge(alpha=..., solver="cholesky"), which does not shrink the intercept.
"""

import json
import sys
from pathlib import Path

import numpy as np
import sklearn
from sklearn.linear_model import Ridge

SEED = 20261124
ORIGIN = f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, seed {SEED}"


def problems(rng):
    """Name -> rows, targets, alpha. Rounded to what single precision and three decimals hold."""
    rows = rng.normal(size=(60, 8))
    targets = rows @ rng.normal(size=(8, 3)) + 0.5 * rng.normal(size=(60, 3)) + [1.0, -2.0, 0.0]
    yield "ordinary", rows, targets, 1.5
    yield "hardly shrunk", rows, targets, 1e-2
    yield "more columns than rows", rng.normal(size=(20, 30)), rng.normal(size=(20, 2)), 3.0
    shifted = rng.normal(size=(80, 6)) * [1, 10, 0.1, 1, 1, 1] + [0, 5, 0, -3, 0, 0]
    shifted[:, 4] = 2.0
    yield "columns of other sizes, one constant", shifted, rng.normal(size=(80, 2)), 0.7
    many = np.where(rng.uniform(size=(300, 20)) < 0.7, 0.0, rng.normal(size=(300, 20)))
    yield "mostly zeros", many, (many[:, :2] > 0.5).astype(float), 10.0


def main(data):
    cases = []
    for name, rows, targets, alpha in problems(np.random.default_rng(SEED)):
        rows, targets = np.round(rows, 3), np.round(targets, 3)
        fitted = Ridge(alpha=alpha, solver="cholesky").fit(rows, targets)
        cases.append(
            {
                "name": name,
                "origin": ORIGIN,
                "alpha": alpha,
                "rows": rows.tolist(),
                "targets": targets.tolist(),
                "weights": np.round(fitted.coef_, 7).tolist(),
                "biases": np.round(fitted.intercept_, 7).tolist(),
            }
        )
    folder = Path(data) / "ridge"
    folder.mkdir(exist_ok=True)
    (folder / "expected.json").write_text(json.dumps(cases) + "\n")


main(sys.argv[1])
