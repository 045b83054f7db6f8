"""Writes public/networks/README.md, the card of the network that ships, from the reports in training/results."""

import json
import os
import re
import textwrap

RESULTS, SHIPPED = "training/results", "public/networks"


def load(name):
    with open(f"{RESULTS}/{name}.json") as file:
        return json.load(file)


def size(name):
    return f"{os.path.getsize(f'{SHIPPED}/{name}') / 1e6:.2f} MB"


def number(value, digits=2):
    return "–" if value is None else f"{value:.{digits}f}"


def rows(report):
    lines = []
    for row in report["rows"]:
        layer = row["layer"] if isinstance(row["layer"], str) else "; ".join(row["layer"])
        figures = [
            number(row["accuracy"], 3), number(row["paper"]["accuracy"]), number(row["precision"], 3),
            number(row["recall"], 3), number(row["auc"]), number(row["spearman"]),
        ]  # fmt: skip
        lines.append(" | ".join(["| " + row["concept"], *figures, layer]) + " |")
    head = "| concept | accuracy | paper | precision | recall | AUC | Spearman | layer (ours; theirs) |\n|---|---|---|---|---|---|---|---|\n"
    return head + "\n".join(lines)


def summary(report):
    return (
        f"mean accuracy {report['mean']:.3f} (the paper's 0.91), {report['at_or_above_paper']} of 21 rows at or above the "
        f"paper's, the least {report['min']:.3f}"
    )


def training():
    """Steps, minutes and losses of each run, from what train.py printed."""
    runs = []
    for name in ("training", "training-2"):
        with open(f"{RESULTS}/{name}.log") as file:
            lines = file.read().splitlines()
        told = [json.loads(line) for line in lines if line.startswith("{")]
        runs.append((told[0], told[-1]))
    return runs


def share(part):
    low, high = part["interval"]
    return f"{part['mean']:.3f} ({low:.3f}–{high:.3f})"


def wrapped(text):
    return "\n\n".join(
        part if part.lstrip().startswith(("|", "#")) else textwrap.fill(part, 120, break_long_words=False, break_on_hyphens=False)
        for part in re.sub(r"\n{3,}", "\n\n", text.strip()).split("\n\n")
    )


def main():
    ours, half, maia = map(load, ("kibitz-64x6", "kibitz-64x6-200000", "maia-1500"))
    agreement, priorities = map(load, ("agreement", "priorities"))
    queens = [row["accuracy"] for row in half["rows"] if "Queens" in row["concept"]]
    runs = training()
    positions, fit = ours["positions"], ours["fit"]
    agreeing = "\n".join(
        f"| {net['name'].removesuffix('.pb.gz')} | {100 * f['top1']:.1f} % | {100 * f['top5']:.1f} % | "
        f"{f['value_error']:.3f} | {f['value_rmse']:.3f} |"
        for net in agreement["networks"]
        for f in [net["figures"]]
    )
    extra = "\n".join(
        f"| {row['concept']} | {100 * row['frequency']:.1f} % | {row['accuracy']:.3f} | {number(row['auc'])} | {row['n']} |"
        for row in ours["extra"]
    )
    judged = agreement["networks"][0]["figures"]
    changes = priorities["standardised"]
    themes = sorted(theme["positions"] for theme in ours["themes"])
    card = f"""
# The network and the probes that ship with Kibitz

| file | what | size |
|---|---|---|
| `kibitz-64x6.pb.gz` | an Lc0 network: 64 filters, 6 blocks with squeeze-excitation, convolutional policy, WDL value | {size("kibitz-64x6.pb.gz")} |
| `kibitz-64x6.probes` | linear probes on it: the 21 concepts of Table 6 and {len(ours["extra"])} more | {size("kibitz-64x6.probes")} |
| `positions.tsv.gz` | 6,000 positions with their games, to fit probes on other networks in the page | {size("positions.tsv.gz")} |

[`training/README.md`](../../training/README.md) says how they were made; `training/reproduce.sh` makes them again, and the
reports in [`training/results`](../../training/results), from which `training/card.py` writes this page. SHA-256 of the
unpacked network: `{ours["network"]["sha256"]}`.

## The network

Trained on self-play games of Stockfish 15.1 (seed 1, 500 nodes a move, players of five skills), on
{runs[0][0]["train"]:,} of their positions for {runs[0][0]["steps"]:,} steps of {runs[0][0]["batch"]}, then for
{runs[1][0]["steps"]:,} more, on two CPU cores. It reads the men, the castling rights and whose they are, nothing else: its
weights for history, colour and half-move clock are zero. It is small, was trained for a short time and is no player to be
proud of; it is here because concepts can be read in it.

Agreement with the teacher on {judged["n"]:,} positions of 700 games of another seed (seed 3; `lab agreement`). Maia-1500, which
imitates people and was not made for this, stands beside it; it was shown the positions without their history.

| network | best move first | among five | value error (win − loss) | RMSE |
|---|---|---|---|---|
{agreeing}

Always saying the mean value of these positions would be wrong by {judged["value_error_of_the_mean"]:.3f}.

## The probes

Fitted on {positions["training"]:,} positions of 5,600 games of a third seed (seed 2), layer and C chosen on
{positions["validation"]:,}, judged on {positions["test"]:,} of games that took no part (`lab probe fit`, seed {fit["seed"]}).
Labels: Stockfish 8's `eval` (npm stockfish@8.0.0), mid-game; the top and bottom 5 %, sorted as numbers, ties at the cut
drawn by lot, no value in both tails; {100 * ours["unlabelled"] / positions["count"]:.1f} % of positions have no table. Fitted in
the mover's frame, reported as White's and Black's. AUC and Spearman: AUC on what lies between the tails (above or below its
median; "–" where all of it is 0.00), Spearman on all test positions.

**On {positions["count"]:,} positions: {summary(ours)}.** "As pools by men" reads the mean and the maximum of every filter over
the squares of each kind of man, "with" reads the squares too.

{rows(ours)}

The queens' term is 0.00 in 94 % of positions, so one of its tails is ties drawn by lot; its other tail is "a rook or bishop
looks through one man at the queen". Pools by men, longer training of the network and more positions helped it. On
{half["positions"]["count"]:,} positions ({half["positions"]["test"]:,} to judge by): {summary(half)}, which is White's queens'
({queens[0]:.3f}; Black's {queens[1]:.3f}); after the first {runs[0][0]["steps"]:,} steps of training White's queens stood at 0.847
on 400,000.

## The same on Maia-1500

`lab probe report` on {maia["positions"]["count"]:,} positions of the same games, {maia["positions"]["test"]:,} of them to judge by:
{summary(maia)}. No probes of it ship: they can be fitted in the page.

{rows(maia)}

## Other concepts

Labelled by the board itself (`src/concepts/extra.rs`), classes balanced, chance 0.5. The strategic themes of the STS have
{themes[0]} to {themes[-1]} positions each, too few for a probe (500 are asked for): what facts of the board speak of them is in
`training/results/kibitz-64x6.json` under `themes`.

| concept | frequency | accuracy | AUC | rows |
|---|---|---|---|---|
{extra}

## Priorities

Do the five concepts that a move changes most by the probes say what Stockfish 8's terms say? On {changes["moves"]:,} engine
moves of {changes["games"]:,} held-out games (`lab probe priorities`; bootstrap over games, 95 %): they share
{share(changes["probes"])} of the five by the terms' own standardised change, against {share(changes["chance"])} by lot; the term
that changed most is among the probes' five in {100 * changes["first"]["mean"]:.0f} %, by lot in
{100 * changes["first_by_chance"]["mean"]:.0f} %. That is more than chance and far from agreement: a single move changes most terms
little, where probes that tell the extremes apart are least sure. So the page draws the probes' bars, and lets prose rest only
on probes that are good (accuracy 0.90, Spearman 0.50) and on changes that are large.
"""
    with open(f"{SHIPPED}/README.md", "w") as file:
        file.write(wrapped(card) + "\n")


if __name__ == "__main__":
    main()
