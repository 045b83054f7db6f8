#!/usr/bin/env python3
"""Writes tests/data/effects-expected.json: effect sizes, slopes, performance ratings and bootstrap intervals by NumPy and SciPy.

    pip install -r stats_requirements.txt; python3 effects_expected.py [FOLDER]
"""

import json
import sys
from pathlib import Path

import numpy
import scipy
from scipy import optimize, stats

rng = numpy.random.default_rng(20261123)


def numbers(values):
    return [float(value) for value in values]


def effects():
    cases = []
    for n, m in [(5, 7), (30, 20), (100, 100)]:
        a = numbers(rng.normal(1, 2, n).round(2))
        b = numbers(rng.normal(0.5, 2, m).round(1))
        pooled = numpy.sqrt(((n - 1) * numpy.var(a, ddof=1) + (m - 1) * numpy.var(b, ddof=1)) / (n + m - 2))
        # Cliff's delta is 2 U / (n m) - 1.
        u = stats.mannwhitneyu(a, b, method="asymptotic").statistic
        cases.append({"a": a, "b": b, "d": float((numpy.mean(a) - numpy.mean(b)) / pooled), "delta": float(2 * u / (n * m) - 1)})
    return cases


def paired():
    cases = []
    for n in [4, 25, 200]:
        differences = numbers(rng.normal(0.3, 1, n).round(2))
        cases.append({"differences": differences, "dz": float(numpy.mean(differences) / numpy.std(differences, ddof=1))})
    return cases


def slopes():
    cases = []
    for n in [3, 10, 80]:
        x = numbers(rng.integers(8, 20, n))
        x[0], x[1] = 8.0, 19.0
        y = numbers((numpy.array(x) * -1.5 + rng.normal(40, 8, n)).round(2))
        line = stats.linregress(x, y)
        width = stats.t.ppf(0.975, n - 2) * line.stderr
        cases.append({"x": x, "y": y, "slope": float(line.slope), "intercept": float(line.intercept), "p": float(line.pvalue),
                      "low": float(line.slope - width), "high": float(line.slope + width)})
    return cases


def performances():
    cases = []
    for n in [2, 12, 300]:
        ratings = numbers(rng.integers(600, 2600, n))
        scores = numbers(rng.random(n) < 1 / (1 + 10 ** ((numpy.array(ratings) - 1500) / 400)))
        scores[0], scores[1] = 1.0, 0.0
        expected = lambda at: float(numpy.sum(1 / (1 + 10 ** ((numpy.array(ratings) - at) / 400))) - sum(scores))
        cases.append({"ratings": ratings, "scores": scores, "rating": float(optimize.brentq(expected, -9000, 9000, xtol=1e-10))})
    return cases


def bootstraps():
    """Other draws than ours: the ends agree within the spread of the draws."""
    cases = []
    for n in [30, 200]:
        values = numbers(rng.gamma(1, 40, n).round(0))
        found = stats.bootstrap((values,), numpy.mean, method="percentile", n_resamples=100_000, random_state=1)
        cases.append({"values": values, "low": float(found.confidence_interval.low), "high": float(found.confidence_interval.high),
                      "error": float(found.standard_error)})
    return cases


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "..") / "effects-expected.json"
    data = {"origin": f"numpy {numpy.__version__}, scipy {scipy.__version__}, seed 20261123", "effects": effects(), "paired": paired(),
            "slopes": slopes(), "performances": performances(), "bootstraps": bootstraps()}
    out.write_text(json.dumps(data, indent=0).replace(",\n", ", ").replace("[\n", "[").replace("\n]", "]") + "\n")


if __name__ == "__main__":
    main()
