"""Writes public/searchless/findings.json, from which the page draws what training found: every model of results/*.json that was trained
here, its figures on the test boards, and its losses on the dev boards while it learnt; and the puzzles that players solved, by rating.

    python training/searchless/findings.py [SCORES.jsonl of lab chessbench puzzles]
"""

import csv
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parents[1] / "public/searchless/findings.json"
PUZZLES = HERE / "results/puzzles.csv"
BAND = 200  # rating points, as in figure 2
FIELDS = ("name", "kind", "layers", "width", "bins", "loss", "boards", "points", "samples")
FIGURES = ("accurate", "tau_b", "tau_of_sort_orders", "squared_error", "log_loss", "entropy", "legal_unmasked")


def rounded(figure):
    """Mean, lower and upper end of the 95 % interval; nothing where the figure is not defined."""
    if figure is None or figure["mean"] is None:
        return None
    return [round(number, 5) for number in (figure["mean"], *figure["interval"])]


def losses(name):
    """How many points had been drawn, and then the loss on the dev boards and the mean loss of training since it was last told."""
    path = HERE / f"results/{name}.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [[line["samples"], round(line["dev_loss"], 4), round(line["loss"], 4)] for line in lines if "dev_loss" in line]


def count_puzzles(scores):
    """Writes how many puzzles of each band each player was given, and how many it solved."""
    counts = {}
    for line in scores.read_text().splitlines():
        row = json.loads(line)
        if row["line"] == "score" and "puzzle" in row["scored"]:
            puzzle = row["scored"]["puzzle"]
            count = counts.setdefault((row["player"], puzzle["rating"] // BAND * BAND), [0, 0])
            count[0] += 1
            count[1] += puzzle["solved"]
    with PUZZLES.open("w") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(("player", "from", "puzzles", "solved"))
        out.writerows((*key, *count) for key, count in sorted(counts.items()))


def read_puzzles():
    """Rows of player, lower end of the band, puzzles and puzzles solved."""
    if not PUZZLES.exists():
        return []
    with PUZZLES.open() as file:
        return [[row["player"], *(int(row[name]) for name in ("from", "puzzles", "solved"))] for row in csv.DictReader(file)]


def main():
    if len(sys.argv) > 1:
        count_puzzles(Path(sys.argv[1]))
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
            models.append(model | {"losses": losses(path.stem)})
    findings = {"schema": "kibitz-searchless-findings-1", "test": test, "models": models, "puzzles": read_puzzles()}
    OUT.write_text(json.dumps(findings, separators=(",", ":")) + "\n")
    print(OUT.name, len(models), "models,", OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
