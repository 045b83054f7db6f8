"""Writes what SciPy, statsmodels, krippendorff, irrCAC and pingouin say, for tests/stats.rs.

    python stats_expected.py ..      (from tests/data/prepare; requirements in stats_requirements.txt)

tests/data/stats-expected.json: cases by function, each with its input and what is expected; "published" holds worked
examples of papers with the figures that are printed there.
"""

import importlib.metadata as metadata
import json
import sys
import warnings
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pingouin
import statsmodels.api as sm
from irrCAC.raw import CAC
from scipy import stats
from statsmodels.stats.inter_rater import fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

SEED = 20261121
PACKAGES = ["numpy", "scipy", "statsmodels", "krippendorff", "irrCAC", "pingouin"]
ORIGIN = ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES) + f", seed {SEED}"


def likert(rng, items, raters, points=5, noise=1.0):
    """Ratings of items that differ in quality, by raters that differ in strictness."""
    quality = rng.normal(size=(items, 1)) + rng.normal(scale=0.5, size=(1, raters))
    latent = quality + rng.normal(scale=noise, size=(items, raters))
    return np.clip(np.round((points + 1) / 2 + latent), 1, points)


def means(rng):
    for n in (2, 3, 10, 250):
        values = rng.integers(1, 6, size=n).astype(float)
        values[0] += values[0] == values[-1]
        low, high = stats.t.interval(0.95, n - 1, values.mean(), stats.sem(values))
        yield {"values": values.tolist(), "mean": values.mean(), "low": low, "high": high}


def clustered_means(rng):
    for name, sizes in {"balanced": [5] * 12, "unbalanced": [1, 7, 3, 3, 9, 2, 5], "two": [4, 2]}.items():
        clusters = np.repeat(np.arange(len(sizes)), sizes)
        values = np.round(rng.normal(size=len(sizes))[clusters] + rng.normal(size=clusters.size), 2)
        fit = sm.OLS(values, np.ones_like(values)).fit(
            cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
        )
        low, high = fit.conf_int(0.05)[0]
        yield {
            "name": name,
            "values": values.tolist(),
            "clusters": clusters.tolist(),
            "mean": fit.params[0],
            "low": low,
            "high": high,
        }


def rates(_):
    for count, n in [(0, 10), (1, 10), (5, 10), (10, 10), (115, 250), (1, 1), (3, 1000)]:
        low, high = proportion_confint(count, n, 0.05, method="wilson")
        yield {"count": count, "n": n, "rate": count / n, "low": low, "high": high}


def holms(rng):
    for values in ([0.01, 0.04, 0.03, 0.005], [0.2], [0.5, 0.9, 0.7], rng.random(20).round(3).tolist()):
        yield {"p": values, "adjusted": multipletests(values, method="holm")[1].tolist()}


def signed_ranks(rng):
    for n in (1, 5, 12, 30, 50):
        differences = rng.normal(0.3, 1, size=n)
        exact = stats.wilcoxon(differences, method="exact")
        yield {"differences": differences.tolist(), "smaller": exact.statistic, "exact": exact.pvalue}
    for n in (8, 14):  # ties: all signs are tried
        differences = rng.integers(-2, 4, size=n).astype(float)
        differences = differences[differences != 0]
        ranks = stats.rankdata(np.abs(differences))
        def statistic(signed):
            return (signed > 0) @ ranks
        exact = stats.permutation_test(
            (differences,), lambda d: statistic(d), permutation_type="samples", n_resamples=np.inf, vectorized=False
        )
        smaller = min(statistic(differences), ranks.sum() - statistic(differences))
        yield {"differences": differences.tolist(), "smaller": float(smaller), "exact": float(exact.pvalue)}
    for n in (60, 250, 2000):  # ties and zeros: the normal approximation
        differences = np.round(rng.normal(0.1, 1, size=n), 1)
        normal = stats.wilcoxon(differences, zero_method="wilcox", correction=False, method="asymptotic")
        yield {"differences": differences.tolist(), "smaller": normal.statistic, "normal": normal.pvalue}


def sign_flips(rng):
    for n in (2, 4, 10, 14):
        differences = np.round(rng.normal(0.4, 1, size=n), 1)
        differences[0] += differences[0] == 0
        exact = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf)
        yield {"differences": differences.tolist(), "p": float(exact.pvalue)}


def kappas(rng):
    for items, raters, points in [(10, 2, 2), (40, 5, 3), (250, 5, 5), (30, 12, 7)]:
        ratings = likert(rng, items, raters, points)
        counts = np.stack([(ratings == point).sum(axis=1) for point in range(1, points + 1)], axis=1)
        yield {"counts": counts.tolist(), "kappa": float(fleiss_kappa(counts)), "package": "statsmodels"}
    ratings = likert(rng, 40, 6)
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    ratings = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    counts = np.stack([(ratings == point).sum(axis=1) for point in range(1, 6)], axis=1)
    kappa = CAC(pd.DataFrame(ratings), digits=14).fleiss()["est"]["coefficient_value"]
    yield {"counts": counts.tolist(), "kappa": float(kappa), "package": "irrCAC (unequal numbers of raters)"}


def alphas(rng):
    tables = {"complete": likert(rng, 40, 5), "two raters": likert(rng, 15, 2, 3), "sparse": likert(rng, 60, 8)}
    tables["sparse"][rng.random((60, 8)) < 0.6] = np.nan
    tables["fractions"] = np.round(rng.normal(size=(12, 1)) + rng.normal(size=(12, 3)), 1)
    for name, table in tables.items():
        yield {"name": name, "items": present(table), **alpha_levels(table)}


def present(table):
    return [[value for value in row if not np.isnan(value)] for row in table]


def alpha_levels(table):
    levels = ("nominal", "ordinal", "interval")
    return {level: krippendorff.alpha(table.T, level_of_measurement=level) for level in levels}


def iccs(rng):
    for items, raters in [(6, 4), (250, 5), (20, 2), (12, 30)]:
        yield icc(likert(rng, items, raters))
    yield icc(rng.integers(1, 6, size=(15, 4)).astype(float))


def icc(ratings):
    """pingouin's coefficients; its interval is rounded to two digits, so McGraw and Wong's bounds are taken here, from
    SciPy's F distribution, and held against those."""
    items, raters = ratings.shape
    long = pd.DataFrame(
        [(i, r, ratings[i, r]) for i in range(items) for r in range(raters)], columns=["item", "rater", "value"]
    )
    table = pingouin.intraclass_corr(long, "item", "rater", "value")
    rows = {row["Type"]: row for _, row in table.iterrows()}
    single, average = [rows[name] for name in (("ICC2", "ICC2k") if "ICC2" in rows else ("ICC(A,1)", "ICC(A,k)"))]
    low, high = shrout_fleiss_interval(ratings, float(single["ICC"]))
    for ours, theirs in zip((low, high), single[[name for name in single.index if name.startswith("CI95")][0]]):
        assert abs(ours - theirs) < 0.0051, (ours, theirs)
    step = lambda bound: raters * bound / (1 + (raters - 1) * bound)
    return {
        "rows": ratings.tolist(),
        "single": float(single["ICC"]),
        "average": float(average["ICC"]),
        "single_low": low,
        "single_high": high,
        "average_low": step(low),
        "average_high": step(high),
    }


def shrout_fleiss_interval(ratings, icc2):
    """The interval of ICC(2,1) as Shrout and Fleiss (1979, p. 424) write it: another form of McGraw and Wong's."""
    n, k = ratings.shape
    grand = ratings.mean()
    bms = k * ((ratings.mean(axis=1) - grand) ** 2).sum() / (n - 1)
    jms = n * ((ratings.mean(axis=0) - grand) ** 2).sum() / (k - 1)
    total = ((ratings - grand) ** 2).sum()
    ems = (total - bms * (n - 1) - jms * (k - 1)) / ((n - 1) * (k - 1))
    fj = jms / ems
    inner = k * icc2 * fj + n * (1 + (k - 1) * icc2) - k * icc2
    v = (k - 1) * (n - 1) * inner**2
    v /= (n - 1) * k**2 * icc2**2 * fj**2 + (n * (1 + (k - 1) * icc2) - k * icc2) ** 2
    upper, lower = stats.f.ppf(0.975, n - 1, v), stats.f.ppf(0.975, v, n - 1)
    low = n * (bms - upper * ems) / (upper * (k * jms + (k * n - k - n) * ems) + n * bms)
    high = n * (lower * bms - ems) / (k * jms + (k * n - k - n) * ems + n * lower * bms)
    return float(low), float(high)


def correlations(rng):
    for n, name in [(3, "plain"), (5, "plain"), (20, "plain"), (33, "plain"), (250, "plain"), (7, "ties"), (250, "ties")]:
        x = rng.normal(size=n)
        y = 0.5 * x + rng.normal(size=n)
        if name == "ties":
            x, y = np.round(x * 2) / 2, np.round(y)
        yield correlation(x, y)
    yield correlation(np.arange(6.0), -np.arange(6.0))
    yield correlation(np.arange(6.0), np.arange(6.0) ** 3)


def correlation(x, y):
    r, tau = stats.pearsonr(x, y), stats.kendalltau(x, y)
    expected = {"x": x.tolist(), "y": y.tolist(), "r": r.statistic, "r_p": r.pvalue, "tau": tau.statistic}
    expected["tau_p"] = tau.pvalue
    if len(x) > 3:
        low, high = r.confidence_interval(0.95)
        expected |= {"r_low": low, "r_high": high}
    return expected


def published():
    """Data and figures as they are printed in the papers."""
    diagnoses = """0 0 0 6 0/0 3 0 0 3/0 1 4 0 1/0 0 0 0 6/0 3 0 3 0/2 0 4 0 0/0 0 4 0 2/2 0 3 1 0/2 0 0 4 0/0 0 0 0 6
        1 0 0 5 0/1 1 0 4 0/0 3 3 0 0/1 0 0 5 0/0 2 0 3 1/0 0 5 0 1/3 0 0 1 2/5 1 0 0 0/0 2 0 4 0/1 0 2 0 3
        0 0 0 0 6/0 1 0 5 0/0 2 0 1 3/2 0 0 4 0/1 0 0 4 1/0 5 0 1 0/4 0 0 0 2/0 2 0 4 0/1 0 5 0 0/0 0 0 0 6"""
    observers = """1 2 3 3 2 1 4 1 2 . . ./1 2 3 3 2 2 4 1 2 5 . 3/. 3 3 3 2 3 4 2 2 5 1 ./1 2 3 3 2 4 4 1 2 5 1 ."""
    table = np.array([[np.nan if v == "." else float(v) for v in row.split()] for row in observers.split("/")])
    judges = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    return {
        "fleiss": {
            "source": "Fleiss 1971, table 1: 30 patients, 6 psychiatrists, 5 diagnoses; kappa = .430",
            "counts": [[int(v) for v in row.split()] for row in diagnoses.replace("\n", "/").split("/")],
            "kappa": 0.430,
            "observed": 0.556,
            "expected": 0.220,
        },
        "krippendorff": {
            "source": "Krippendorff 2011: 4 observers, 12 units, data missing; .743, .815, .849",
            "items": present(table.T),
            "nominal": 0.743,
            "ordinal": 0.815,
            "interval": 0.849,
        },
        "shrout_fleiss": {
            "source": "Shrout and Fleiss 1979, tables 2 and 4: 6 targets, 4 judges; ICC(2,1) = .29, ICC(2,4) = .62",
            "rows": [[float(v) for v in row] for row in judges],
            "single": 0.29,
            "average": 0.62,
        },
    }


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "..") / "stats-expected.json"
    warnings.simplefilter("ignore", RuntimeWarning)
    functions = [means, clustered_means, rates, holms, signed_ranks, sign_flips, kappas, alphas, iccs, correlations]
    data = {"origin": ORIGIN, "published": published()}
    for function in functions:
        data[function.__name__] = list(function(np.random.default_rng(SEED)))
    lines = [f'"origin": {json.dumps(ORIGIN)}', f'"published": {json.dumps(data["published"])}']
    for function in functions:
        cases = ",\n".join(json.dumps(case, allow_nan=False) for case in data[function.__name__])
        lines.append(f'"{function.__name__}": [\n{cases}\n]')
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
