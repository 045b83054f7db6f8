"""Writes what scikit-learn's LinearSVC and SciPy say, for the tests of src/concepts/svm.rs and quality.rs.

    python svm_expected.py ..      (from tests/data/prepare; requirements in svm_requirements.txt)

tests/data/svm/*.json: small problems with the weights, the bias and the objective of LinearSVC (liblinear; squared hinge,
L2) at a tolerance of 1e-10. tests/data/probe-quality.json: figures of made-up scores and labels.
"""

import json
import sys
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy.stats import spearmanr
from sklearn.metrics import accuracy_score, precision_score, recall_score, roc_auc_score
from sklearn.svm import LinearSVC

SEED = 20261121
ORIGIN = f"scikit-learn {sklearn.__version__}, scipy {scipy.__version__}, numpy {np.__version__}, seed {SEED}"


def problems(rng):
    """Name -> rows, classes. Rounded to what single precision and three decimals hold."""
    direction = rng.normal(size=12)
    rows = rng.normal(size=(60, 12))
    value = rows @ direction
    yield "separable", rows + 0.4 * np.sign(value)[:, None] * direction / np.linalg.norm(direction), value > 0
    yield "overlapping", rows, value + 3 * rng.normal(size=60) > 0
    unbalanced = rng.normal(size=(80, 9))
    yield "unbalanced", unbalanced, unbalanced @ rng.normal(size=9) + rng.normal(size=80) > 3.5
    constant = rng.normal(size=(50, 10)) * np.logspace(-0.5, 0.5, 10)
    constant[:, 3], constant[:, 7] = 2.5, 0.0
    yield "constant-columns", constant, constant @ rng.normal(size=10) + 2 * rng.normal(size=50) > 1
    wide = rng.normal(size=(30, 70))
    yield "more-columns-than-rows", wide, rng.random(30) > 0.5


def solve(rows, classes, c):
    """What LIBLINEAR's trust-region Newton method finds, checked to be where the gradient is zero."""
    svm = LinearSVC(penalty="l2", loss="squared_hinge", dual=False, C=c, tol=1e-10, max_iter=100_000)
    svm.fit(rows, classes)
    sign = np.where(classes, 1.0, -1.0)
    w, b = svm.coef_[0], svm.intercept_[0]
    slack = np.maximum(0, 1 - sign * (rows @ w + b))
    gradient = np.append(w, b) - 2 * c * (np.c_[rows, np.ones(len(rows))].T @ (sign * slack))
    assert np.abs(gradient).max() < 1e-6 * max(1, c), np.abs(gradient).max()
    objective = 0.5 * (w @ w + b * b) + c * (slack**2).sum()
    return {"c": c, "weights": w.tolist(), "bias": float(b), "objective": float(objective)}


def quality(rng):
    """Figures of scores against labels; the classes are the labels above 0."""
    n = 200
    label = rng.normal(size=n).round(2)
    cases = {
        "no ties": (label + rng.normal(size=n), label),
        "ties in both": ((label + rng.normal(size=n)).round(0), label.round(0)),
        "mostly zero": (rng.normal(size=n), np.where(rng.random(n) < 0.94, 0.0, label.round(1) + 0.05)),
        "no relation": (rng.normal(size=n), label),
        "reversed": (-label, label),
        "nothing above the median": (rng.normal(size=5), np.array([-1.0, 1.0, 1.0, 1.0, 1.0])),
    }
    for name, (scores, labels) in cases.items():
        scores, labels = scores.astype(np.float32).astype(float), labels.astype(np.float32).astype(float)
        classes, above = labels > 0, labels > np.median(labels)
        yield {
            "name": name,
            "scores": scores.tolist(),
            "labels": labels.tolist(),
            "accuracy": accuracy_score(classes, scores > 0),
            "precision": precision_score(classes, scores > 0, zero_division=0),
            "recall": recall_score(classes, scores > 0, zero_division=0),
            "auc": roc_auc_score(classes, scores),
            "auc_at_median": roc_auc_score(above, scores) if above.any() and not above.all() else None,
            "spearman": float(spearmanr(scores, labels).statistic),
        }


def main():
    out = Path(sys.argv[1])
    rng = np.random.default_rng(SEED)
    for name, rows, classes in problems(rng):
        rows = rows.round(3)
        solutions = [solve(rows, classes, c) for c in (0.001, 0.1, 10.0)]
        record = {"origin": ORIGIN, "rows": rows.tolist(), "positive": classes.tolist(), "solutions": solutions}
        (out / "svm" / f"{name}.json").write_text(json.dumps(record) + "\n")
    figures = {"origin": ORIGIN, "cases": list(quality(rng))}
    (out / "probe-quality.json").write_text(json.dumps(figures) + "\n")


main()
