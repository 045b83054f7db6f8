"""Writes a small study's ratings and what pandas, SciPy, statsmodels, krippendorff and pingouin make of them, for
tests/survey_analysis.rs.

    python survey_expected.py ..      (from tests/data/prepare; requirements in stats_requirements.txt)

tests/data/survey/ratings.csv: ratings by chance in long form: 5 raters, 12 positions, 3 methods, one rater's last answers
missing, checks and kinds of errors among them. tests/data/survey/ratings-expected.json: the tables.
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
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

SEED = 20261122
METHODS = {"plain": 0.0, "expert, tuned": 0.12, "short": -0.05}
CRITERIA = {"correctness": 3, "clarity": 5, "fluency": 5}
KINDS = ["illegal", "tactical"]
BASELINE = "plain"


def ratings(rng):
    rows = []
    strictness = rng.normal(scale=0.08, size=5)
    for position in range(12):
        for method, effect in METHODS.items():
            quality = 0.5 + effect + rng.normal(scale=0.15)
            for rater in range(5):
                if rater == 4 and position >= 10:
                    continue
                row = {
                    "study": "small",
                    "rater": f"r{rater + 1}",
                    "item": f"p{position + 1}/{method}",
                    "position": f"p{position + 1}",
                    "method": method,
                }
                for criterion, points in CRITERIA.items():
                    share = quality + strictness[rater] + rng.normal(scale=0.2)
                    value = int(np.clip(np.round(share * (points - 1)), 0, points - 1)) + 1
                    rows.append(row | {"criterion": criterion, "value": str(value)})
                    if criterion == "correctness" and value < 3:
                        ticked = [kind for kind in KINDS if rng.random() < 0.5]
                        rows += [row | {"criterion": "error_kind", "value": kind} for kind in ticked]
    for rater in range(5):  # Checks take no part in the tables.
        check = {"study": "small", "rater": f"r{rater + 1}", "item": "check/rook", "position": "rook", "method": "check"}
        rows += [check | {"criterion": criterion, "value": "1"} for criterion in CRITERIA]
    frame = pd.DataFrame(rows)
    frame["active_ms"] = rng.integers(20_000, 60_000, size=len(frame))
    frame["answered_at"] = ""
    return frame


def scaled(frame, criterion):
    part = frame[(frame.criterion == criterion) & (frame.method != "check")].copy()
    part["share"] = (part.value.astype(float) - 1) / (CRITERIA[criterion] - 1)
    return part


def means(frame):
    for method in METHODS:
        for criterion in CRITERIA:
            part = scaled(frame, criterion).query("method == @method")
            groups = pd.factorize(part.position)[0]
            fit = sm.OLS(part.share.to_numpy(), np.ones(len(part))).fit(
                cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
            )
            low, high = fit.conf_int(0.05)[0]
            yield {"method": method, "criterion": criterion, "mean": fit.params[0], "low": low, "high": high, "n": len(part)}


def comparisons(frame):
    rows = []
    for method in METHODS:
        if method == BASELINE:
            continue
        for criterion in CRITERIA:
            table = scaled(frame, criterion).pivot_table(index=["position", "rater"], columns="method", values="share")
            pairs = (table[method] - table[BASELINE]).dropna()
            differences = pairs.groupby("position").mean().round(9).to_numpy()
            rows.append(
                {"method": method, "criterion": criterion, "difference": differences.mean(), "p": exact(differences)}
                | {"p_flips": exact_mean(differences), "positions": len(differences), "pairs": len(pairs)}
            )
    for row, p in zip(rows, multipletests([row["p"] for row in rows], method="holm")[1]):
        row["p_holm"] = p
    return rows


def exact(differences):
    """The signed-rank test by all signs, as SciPy's permutation test tries them."""
    differences = differences[differences != 0]
    ranks = stats.rankdata(np.abs(differences))
    test = stats.permutation_test(
        (differences,), lambda d, axis: ((d > 0) * ranks).sum(axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    return float(test.pvalue)


def exact_mean(differences):
    """The test of the mean by all signs."""
    test = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf)
    return float(test.pvalue)


def errors(frame):
    for method in METHODS:
        rated = frame.query("method == @method and criterion == 'correctness'")
        for kind in KINDS:
            count = len(frame.query("method == @method and criterion == 'error_kind' and value == @kind"))
            low, high = proportion_confint(count, len(rated), 0.05, method="wilson")
            row = {"method": method, "kind": kind, "rate": count / len(rated), "low": low, "high": high}
            yield row | {"count": count, "n": len(rated), "asked": int((rated.value != "3").sum())}


def agreement(frame):
    for criterion in CRITERIA:
        part = scaled(frame, criterion)
        table = part.assign(value=part.value.astype(float)).pivot_table(index="item", columns="rater", values="value")
        complete = table.dropna().stack().rename("value").reset_index()
        icc = pingouin.intraclass_corr(complete, "item", "rater", "value")
        icc = {row["Type"]: row["ICC"] for _, row in icc.iterrows()}
        yield {
            "criterion": criterion,
            "fleiss_kappa": CAC(table.reset_index(drop=True), digits=14).fleiss()["est"]["coefficient_value"],
            "krippendorff_alpha": krippendorff.alpha(table.T.to_numpy(), level_of_measurement="ordinal"),
            "alpha_nominal": krippendorff.alpha(table.T.to_numpy(), level_of_measurement="nominal"),
            "icc2k": icc.get("ICC2k", icc.get("ICC(A,k)")),
            "icc21": icc.get("ICC2", icc.get("ICC(A,1)")),
            "crossed_items": int(len(table.dropna())),
        }


def correlations(frame, scores):
    for criterion in CRITERIA:
        people = scaled(frame, criterion).groupby(["position", "method"]).share.mean().round(9)
        both = people.to_frame().join(scores.set_index(["position", "method"])).dropna()
        r, tau = stats.pearsonr(both.share, both.metric), stats.kendalltau(both.share, both.metric)
        yield {
            "criterion": criterion,
            "pearson": r.statistic,
            "pearson_p": r.pvalue,
            "kendall": tau.statistic,
            "kendall_p": tau.pvalue,
            "n": len(both),
        }


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "..") / "survey"
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(SEED)
    frame = ratings(rng)
    pairs = frame[frame.method != "check"][["position", "method"]].drop_duplicates()
    scores = pairs.assign(metric=rng.normal(size=len(pairs)).round(1)).iloc[:-2]
    frame.to_csv(out / "ratings.csv", index=False)
    scores.to_csv(out / "scores.csv", index=False)
    packages = ["pandas", "scipy", "statsmodels", "krippendorff", "irrCAC", "pingouin"]
    expected = {
        "origin": ", ".join(f"{name} {metadata.version(name)}" for name in packages) + f", seed {SEED}",
        "means": list(means(frame)),
        "comparisons": comparisons(frame),
        "errors": list(errors(frame)),
        "agreement": list(agreement(frame)),
        "correlations": list(correlations(frame, scores)),
    }
    (out / "ratings-expected.json").write_text(json.dumps(expected, indent=1, allow_nan=False) + "\n")


main()
