"""Writes the bases and the bootstrap intervals of Table 3 for tests/survey_analysis.rs, from the definitions and in another
way than src/stats: every resample is put together rating by rating, kappa is the share of agreeing pairs, alpha the mean
distance of pairs within items against that of all pairs.

    python agreement_intervals.py ..      (from tests/data/prepare; needs NumPy alone)

Reads tests/data/survey/ratings.csv, writes tests/data/survey/agreement-expected.json.
"""

import csv
import itertools
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

RESAMPLES, SEED, LEVEL = 1000, 1, 0.95
MASK = (1 << 64) - 1


def splitmix(seed):
    """SplitMix64 (Steele, Lea and Flood, 2014)."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def fleiss(units):
    """Generalised Fleiss' kappa: agreeing ordered pairs of an item, and the items' mean shares of each category."""
    units = [unit for unit in units if len(unit) > 1]
    observed = np.mean([np.mean([a == b for a, b in itertools.permutations(unit, 2)]) for unit in units])
    categories = sorted({value for unit in units for value in unit})
    shares = np.mean([[unit.count(c) / len(unit) for c in categories] for unit in units], axis=0)
    expected = float(np.sum(shares**2))
    return (observed - expected) / (1 - expected) if len(categories) > 1 else None


def alpha(units, level):
    """Krippendorff's alpha, Do / De over pairs of ratings (2011, section C), weighted by 1 / (m - 1) within an item."""
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    counts = Counter(values)
    if len(counts) < 2:
        return None
    order = sorted(counts)

    def distance(a, b):
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (a - b) ** 2
        a, b = min(a, b), max(a, b)
        between = sum(counts[g] for g in order if a <= g <= b)
        return (between - (counts[a] + counts[b]) / 2) ** 2

    table = {(a, b): distance(a, b) for a in order for b in order}
    n = len(values)
    observed = sum(sum(table[a, b] for a, b in itertools.permutations(unit, 2)) / (len(unit) - 1) for unit in units) / n
    expected = sum(counts[a] * counts[b] * table[a, b] for a in order for b in order) / (n * (n - 1))
    return 1 - observed / expected


def midranks(values):
    return [sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 for value in values]


def ranked(rated):
    """For each position the ranks of its items, by those who rated them all."""
    found = {}
    for position, items in rated.items():
        if len(items) < 2:
            continue
        names = list(items)
        whole = [rater for rater in items[names[0]] if all(rater in items[name] for name in names)]
        ranks = {rater: midranks([items[name][rater] for name in names]) for rater in whole}
        found[position] = {name: {rater: ranks[rater][k] for rater in whole} for k, name in enumerate(names)}
    return found


def base(rated):
    units = [unit for items in rated.values() for unit in items.values() if len(unit) > 1]
    return {"items": len(units), "raters": len({rater for unit in units for rater in unit}), "ratings": sum(map(len, units))}


def interval(rated, figure):
    positions = sorted(p for p, items in rated.items() if any(len(unit) > 1 for unit in items.values()))
    stream, found = splitmix(SEED), []
    for _ in range(RESAMPLES):
        drawn = [positions[(next(stream) * len(positions)) >> 64] for _ in positions]
        value = figure([list(unit.values()) for p in drawn for unit in rated[p].values()])
        if value is not None:
            found.append(value)
    low, high = np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "..") / "survey"
    table = defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
    with open(out / "ratings.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["method"] != "check" and row["criterion"] != "error_kind":
                table[row["criterion"]][row["position"]][row["item"]][row["rater"]] = float(row["value"])
    rows = []
    for criterion, rated in table.items():
        everything, ranks = [list(unit.values()) for items in rated.values() for unit in items.values()], ranked(rated)
        row = {"criterion": criterion, "base": base(rated), "base_ranks": base(ranks)}
        row["fleiss_kappa"] = float(fleiss(everything))
        row["fleiss_kappa_low"], row["fleiss_kappa_high"] = interval(rated, fleiss)
        row["fleiss_kappa_ranks"] = float(fleiss([list(unit.values()) for items in ranks.values() for unit in items.values()]))
        row["fleiss_kappa_ranks_low"], row["fleiss_kappa_ranks_high"] = interval(ranks, fleiss)
        row["krippendorff_alpha"] = alpha(everything, "ordinal")
        row["krippendorff_alpha_low"], row["krippendorff_alpha_high"] = interval(rated, lambda units: alpha(units, "ordinal"))
        row["alpha_nominal"], row["alpha_interval"] = alpha(everything, "nominal"), alpha(everything, "interval")
        rows.append(row)
    origin = f"tests/data/prepare/agreement_intervals.py, NumPy {np.__version__}, {RESAMPLES} resamples, seed {SEED}"
    (out / "agreement-expected.json").write_text(json.dumps({"origin": origin, "agreement": rows}, indent=1) + "\n")


main()
