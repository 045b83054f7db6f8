#!/usr/bin/env python3
"""Writes tests/data/class-kappa-expected.json: quadratically weighted kappas of two graders' classes, by scikit-learn.

    pip install scikit-learn==1.7.2; python3 class_kappa_expected.py [FOLDER]
"""

import json
import sys
from pathlib import Path

import numpy
import sklearn
from sklearn.metrics import cohen_kappa_score

rng = numpy.random.default_rng(18)


def case(first, second):
    kappa = cohen_kappa_score(first, second, labels=[0, 1, 2, 3, 4], weights="quadratic")
    return {"first": first, "second": second, "kappa": float(kappa)}


cases = [case([0, 0, 1, 2, 3, 4, 4, 0, 2, 3], [0, 1, 1, 3, 3, 3, 4, 0, 1, 4])]
for n, noise in [(20, 1), (200, 2), (200, 4)]:
    first = rng.integers(0, 5, n)
    second = numpy.clip(first + rng.integers(-noise, noise + 1, n), 0, 4)
    cases.append(case([int(value) for value in first], [int(value) for value in second]))

out = Path(sys.argv[1] if len(sys.argv) > 1 else "..") / "class-kappa-expected.json"
rows = ",\n".join(json.dumps(row) for row in cases)
out.write_text(f'{{"origin": "scikit-learn {sklearn.__version__}, seed 18", "cases": [\n{rows}\n]}}\n')
