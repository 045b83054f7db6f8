"""Holds models against the oracle on annotated boards: the figures of `src/chessbench/metrics.rs`, with SciPy's Kendall.

    python training/searchless/evaluate.py --test test.jsonl --out results/evaluation.json MODEL.safetensors...

Every kind is held against the action values, as in the released code. SV ranks moves by the boards they lead to, whose bins are
turned round. Boards without a legal move have no figures.
"""

import argparse
import json
import math

import numpy as np
import torch
from data import read_boards, symbols_after
from model_file import read_model
from scipy import stats
from targets import bin_of, edges

DRAWS = 1000


def log_probabilities(model, rows, batch=256):
    """The log probabilities (nats, double) of rows of symbols without the 0; of an L2 model its output."""
    found = []
    with torch.no_grad():
        for some in torch.as_tensor(np.asarray(rows)).long().split(batch):
            outputs = model(some).double()
            found.append(outputs if model.shape.outputs == 1 else outputs.log_softmax(1))
    return torch.cat(found).numpy()


def said_of(model, boards):
    """For each board what the model says: log probabilities for its moves (a row of bins each, or one number each)."""
    kind, n = model.shape.kind, len(boards)
    parts = boards.first[1:-1]
    if kind == "action_value":
        rows = np.concatenate([boards.symbols[boards.owners], boards.actions[:, None]], 1)
        return np.split(log_probabilities(model, rows), parts), [None] * n
    own = log_probabilities(model, boards.symbols)
    if kind == "behavioral_cloning":
        legal = [own[i, boards.actions[boards.first[i] : boards.first[i + 1]]] for i in range(n)]
        return [row - np.logaddexp.reduce(row) if len(row) else row for row in legal], own
    rows = [symbols_after(boards.fens[i], action) for i, action in zip(boards.owners, boards.actions, strict=True)]
    after = log_probabilities(model, rows)
    # Seen by the other side.
    after = 1.0 - after if model.shape.outputs == 1 else after[:, ::-1]
    return np.split(after, parts), own


def expected(log, bins):
    """The values that rows of log probabilities stand for; of an L2 model they are there."""
    if log.shape[-1] == 1:
        return log[..., 0]
    centres = ((edges(bins)[1:] + edges(bins)[:-1]) / 2).numpy()
    return np.exp(log) @ centres


def tau_of_sort_orders(scores, values):
    """The paper's figure: of the permutations that sort, stably."""
    if len(scores) == 1:
        return 1.0
    return stats.kendalltau(np.argsort(scores, kind="stable"), np.argsort(values, kind="stable")).statistic


def board_figures(model, said, own, actions, values):
    """The figures of one board; NaN where one is not defined."""
    values = values.astype(np.float32)
    best = values == values.max()
    bins = model.shape.bins
    nan = math.nan
    figures = {"log_loss": nan, "entropy": nan, "squared_error": nan, "consistency": nan, "legal_unmasked": nan}
    if model.shape.kind == "behavioral_cloning":
        scores = said
        figures["log_loss"] = -said[np.argmax(values)] / math.log(2)
        figures["entropy"] = -(np.exp(said) * said).sum() / math.log(2)
        figures["legal_unmasked"] = float(np.argmax(own) in actions)
    else:
        scores = expected(said, bins)
        figures["squared_error"] = np.mean((scores - values) ** 2)
        if model.shape.outputs > 1:
            places = bin_of(torch.from_numpy(values.astype(np.float64)), bins).numpy()
            figures["log_loss"] = np.mean(-said[np.arange(len(values)), places]) / math.log(2)
            figures["entropy"] = np.mean(-(np.exp(said) * said).sum(1)) / math.log(2)
        if own is not None:
            figures["consistency"] = (expected(own[None], bins)[0] - scores.max()) ** 2
    figures["accurate"] = float(best[np.argmax(scores)])
    figures["tau_of_sort_orders"] = tau_of_sort_orders(scores, values)
    figures["tau_b"] = stats.kendalltau(scores, values).statistic if len(values) > 1 else nan
    return figures


def wilson(hits, n):
    """95 % of a share."""
    found = stats.binomtest(hits, n).proportion_ci(0.95, "wilson")
    return [found.low, found.high]


def summary(rows, seed=20):
    """Means over the boards on which a figure is defined, n, and 95 %: Wilson of shares, boards drawn anew otherwise."""
    found = {}
    for name in rows[0]:
        numbers = np.array([row[name] for row in rows], float)
        numbers = numbers[~np.isnan(numbers)]
        n = len(numbers)
        if not n:
            continue
        if name in ("accurate", "legal_unmasked"):
            interval = wilson(int(numbers.sum()), n)
        else:
            drawn = np.random.default_rng(seed).integers(0, n, (DRAWS, n))
            interval = np.percentile(numbers[drawn].mean(1), [2.5, 97.5]).tolist()
        found[name] = {"mean": float(numbers.mean()), "interval": interval, "n": n}
    return found


def figures_of(model, boards):
    """The figures of every board that has a move."""
    said, own = said_of(model, boards)
    rows = []
    for i in range(len(boards)):
        here = slice(boards.first[i], boards.first[i + 1])
        if here.start < here.stop:
            rows.append(board_figures(model, said[i], own[i], boards.actions[here], boards.action_values[here]))
    return rows


def by_lot(boards):
    """How often a move drawn by lot would be one of the best."""
    shares = []
    for begin, end in zip(boards.first[:-1], boards.first[1:], strict=True):
        values = boards.action_values[begin:end].astype(np.float32)
        if len(values):
            shares.append({"accurate_by_lot": float(np.mean(values == values.max()))})
    return summary(shares)["accurate_by_lot"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--test", required=True, help="a folder of .bag files, or JSON lines")
    parser.add_argument("--first", type=int, help="only so many boards")
    parser.add_argument("--out", required=True)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    boards = read_boards(args.test, first=args.first)
    found = {"boards": len(boards), "actions": len(boards.actions), "move_by_lot": by_lot(boards), "models": []}
    for path in args.models:
        model, header = read_model(path)
        figures = summary(figures_of(model, boards))
        found["models"].append({"model": header, "figures": figures})
        print(header["name"], {name: round(figure["mean"], 4) for name, figure in figures.items()}, flush=True)
        with open(args.out, "w", encoding="utf-8") as file:
            file.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
