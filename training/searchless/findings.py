"""Writes public/searchless/findings.json, from which the page draws what training found: every model of results/*.json that was trained
here, its figures on the test boards, and its losses on the dev boards while it learnt.

    python training/searchless/findings.py
"""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parents[1] / "public/searchless/findings.json"
FIELDS = ("name", "kind", "layers", "width", "bins", "loss", "boards", "points", "samples")
FIGURES = ("accurate", "tau_b", "tau_of_sort_orders", "squared_error", "log_loss", "entropy", "legal_unmasked")


def rounded(figure):
    """Mean, lower and upper end of the 95 % interval; nothing where the figure is not defined."""
    if figure is None or figure["mean"] is None:
        return None
    return [round(number, 5) for number in (figure["mean"], *figure["interval"])]


def dev_losses(name):
    """How many points had been drawn, and the loss on the dev boards then."""
    path = HERE / f"results/{name}.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [[line["samples"], round(line["dev_loss"], 4)] for line in lines if "dev_loss" in line]


def main():
    test, models = None, []
    for path in sorted((HERE / "results").glob("*.json")):
        evaluation = json.loads(path.read_text())
        boards = evaluation["move_by_lot"]["n"]
        told = {"boards": boards, "actions": evaluation["actions"], "by_lot": rounded(evaluation["move_by_lot"])}
        if test not in (None, told):
            raise SystemExit(f"{path} is of other test boards")
        test = told
        for row in evaluation["models"]:
            model = {field: row["model"][field] for field in FIELDS}
            model["name"] = path.stem
            model["begin"] = row["model"].get("begin")
            model["successors"] = row["model"].get("successors", False)
            model |= {figure: rounded(row["figures"].get(figure)) for figure in FIGURES}
            models.append(model | {"dev": dev_losses(path.stem)})
    findings = {"schema": "kibitz-searchless-findings-1", "test": test, "models": models}
    OUT.write_text(json.dumps(findings, separators=(",", ":")) + "\n")
    print(OUT.name, len(models), "models,", OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
