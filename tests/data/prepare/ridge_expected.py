"""Writes what scikit-learn's Ridge says, for the tests of src/concepts/difference/ridge.rs and fit.rs.

    python ridge_expected.py ..      (from tests/data/prepare; requirements in svm_requirements.txt)

tests/data/ridge/expected.json: small problems with several targets each, and the weights and intercepts of
Ridge(alpha=..., solver="cholesky"), which does not shrink the intercept.

tests/data/ridge/ranks.json: the rank heads of probes of changes (docs/probes.md), written here anew by their definition: what
they read and learn of made-up moves, their weights for each alpha, and the alpha and lambda whose order names most on moves
that were not learnt from.
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


CONCEPTS, NAMED = 21, 5
SHRINKS, LAMBDAS = [0.03, 0.1, 0.3, 1.0], [0.0, 0.25, 0.5, 1.0, 1.5, 2.0]


def most_changed(sizes):
    """The concepts that changed most, at most five, none that did not change; equal ones in their order."""
    return [i for i in np.argsort(-sizes, kind="stable") if sizes[i] > 0][:NAMED]


def rank_targets(changes, spreads):
    sizes = np.abs(changes) / spreads
    among = np.zeros_like(sizes)
    for row, own in zip(among, sizes):
        row[most_changed(own)] = 1.0
    return among + np.sqrt(np.minimum(sizes, 2.0))


def named(ranks, sizes):
    """Sum of: of the five found, first among the five, first; moves that change nothing left out."""
    found = []
    for rank, size in zip(ranks, sizes):
        wanted = most_changed(size)
        if wanted:
            order = np.argsort(-rank, kind="stable")
            five = list(order[:NAMED])
            found.append([np.mean([i in five for i in wanted]), wanted[0] in five, order[0] == wanted[0]])
    return np.mean(found, axis=0).sum()


def ranks(rng):
    """The rank heads of made-up moves: rows of differences, roots that change heads gave, and true changes."""
    moves, learnt, width = 150, 100, 10
    columns = [0, 1, 2, 5, 6, 7]
    units, spreads = np.round(rng.uniform(0.2, 1.5, CONCEPTS), 3), np.round(rng.uniform(0.2, 2.0, CONCEPTS), 3)
    changes = np.where(rng.uniform(size=(moves, CONCEPTS)) < 0.6, 0.0, np.round(rng.normal(size=(moves, CONCEPTS)), 2))
    true_roots = np.sign(changes) * np.sqrt(np.abs(changes) / units)
    roots = np.round(true_roots + 1.0 * rng.normal(size=changes.shape), 3)
    rows = np.round(rng.normal(size=(moves, width)) + changes[:, :width], 3)
    own = np.hstack([np.abs(rows[:, columns]), np.abs(roots)])
    targets, sizes = rank_targets(changes, spreads), np.abs(changes) / spreads
    fits = [Ridge(alpha=shrink * learnt, solver="cholesky").fit(own[:learnt], targets[:learnt]) for shrink in SHRINKS]
    size_of_root = np.abs(roots) * np.sqrt(units / spreads)
    best = max(
        ((number, factor) for number in range(len(SHRINKS)) for factor in LAMBDAS),
        key=lambda choice: named(
            fits[choice[0]].predict(own[learnt:]) + choice[1] * size_of_root[learnt:], sizes[learnt:]
        ),
    )
    return {
        "origin": ORIGIN,
        "learnt": learnt,
        "columns": columns,
        "units": units.tolist(),
        "spreads": spreads.tolist(),
        "rows": rows.tolist(),
        "roots": roots.tolist(),
        "changes": changes.tolist(),
        "targets": np.round(targets, 6).tolist(),
        "weights": [np.round(fit.coef_, 7).tolist() for fit in fits],
        "biases": [np.round(fit.intercept_, 7).tolist() for fit in fits],
        "shrink": SHRINKS[best[0]],
        "lambda": best[1],
    }


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
    (folder / "ranks.json").write_text(json.dumps(ranks(np.random.default_rng(SEED + 1))) + "\n")


main(sys.argv[1])
