"""Writes public/networks/README.md, the card of the network that ships, from the reports in training/results."""

import json
import os
import re
import textwrap

RESULTS, SHIPPED = "training/results", "public/networks"


def load(name):
    with open(f"{RESULTS}/{name}.json") as file:
        return json.load(file)


def load_if_there(name):
    """A report that takes long to make; None where it has not been made."""
    return load(name) if os.path.exists(f"{RESULTS}/{name}.json") else None


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


def with_controls(own, control_of, head):
    """A table of accuracies beside controls', the accuracy less the control's in brackets. own: (concept, accuracy)."""
    lines = [head, "|" + "---|" * (head.count("|") - 1)]
    for i, (concept, accuracy) in enumerate(own):
        cells = [concept, number(accuracy, 3)]
        for accuracies in control_of:
            value = accuracies[i]
            cells.append("–" if value is None else f"{value:.3f} ({accuracy - value:+.3f})")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def mean(values):
    return sum(values) / len(values)


def paper_section(paper):
    """The paper's protocol, and the same on a network that has learnt nothing."""
    if paper is None:
        return ""
    shuffled = next(control for control in paper["controls"] if control["control"] == "paper-shuffled")
    own = [(row["concept"], row["accuracy"]) for row in paper["rows"]]
    theirs = [row["paper"]["accuracy"] for row in paper["rows"]]
    table = with_controls(
        [*own, ("mean", paper["mean"])],
        [[*theirs, mean(theirs)], [*shuffled["accuracies"], shuffled["mean"]]],
        "| concept | accuracy | the paper's (difference) | shuffled (selectivity) |",
    )
    gaps = sorted(((a - c, concept) for (concept, a), c in zip(own, shuffled["accuracies"])), reverse=True)
    known = ", ".join(f"{concept} ({gap:+.2f})" for gap, concept in gaps if gap >= 0.05)
    rest = ", ".join(concept for gap, concept in gaps if gap < 0.02)
    return f"""
## By the paper's protocol

The flattened last block alone, tails of 5 % to learn from and to judge by, as many of the one as of the other, on
{paper["positions"]["count"]:,} positions ({paper["positions"]["test"]:,} on the side that judges; `lab probe report`,
`training/results/paper.json`). The control is the same on the network with each layer's weights shuffled; the selectivity is
the accuracy less the control's (Hewitt and Liang, EMNLP 2019).

{table}

At least .05 above the shuffled network, so known to this one: {known or "none"}. Within .02 of it or below, so as readable
without any training: {rest or "none"}.
"""


def controls_section(controls):
    """The probes' own procedure beside its controls, on fewer positions than what ships was fitted on."""
    if controls is None:
        return """
## Controls

The same fits on the network with shuffled weights, on the input planes and by the paper's protocol: on 40,000 positions in
[`docs/probes.md`](../../docs/probes.md); on more by `training/reproduce.sh controls`, whose reports this card takes when they are
there. The paper's own protocol on 200,000 positions has not been run with its control.
"""
    by_name = {control["control"]: control for control in controls["controls"]}
    names = [name for name in ("shuffled", "planes") if name in by_name]
    own = [(row["concept"], row["accuracy"]) for row in controls["rows"]]
    columns = [[*by_name[name]["accuracies"], by_name[name]["mean"]] for name in names]
    table = with_controls(
        [*own, ("mean", controls["mean"])], columns, "| concept | probes | " + " | ".join(f"{name} (selectivity)" for name in names) + " |"
    )
    best = [max(column[i] for column in columns) for i in range(len(own))]
    gaps = sorted(((a - c, concept) for (concept, a), c in zip(own, best)), reverse=True)
    network = ", ".join(f"{concept} ({gap:+.2f})" for gap, concept in gaps if gap >= 0.03)
    pools = ", ".join(concept for gap, concept in gaps if gap < 0.01)
    return f"""
## Controls

Most rows of the probes that ship pool a block over the squares where men stand, which is knowledge of the board that is not the
network's. So the same procedure was fitted on the network with each layer's weights shuffled, and on the input planes
square by square: on {controls["positions"]["count"]:,} positions, {controls["positions"]["test"]:,} of them on the side that
judges (`training/results/controls.json`).

{table}

What the network itself adds, by at least .03 over the better control: {network or "nothing"}. What pools and planes read as
well without it (less than .01): {pools or "nothing"}.
"""


def own_controls_section(found):
    """The layers of the probes that ship beside their controls, which their cards hold."""
    if found is None:
        return ""
    rows = found["rows"]
    groups = [("the 21", rows[:21]), ("the others", rows[21:]), ("all", rows)]
    lines = "\n".join(
        f"| {name} | {mean([row['of_probe']['accuracy'] for row in some]):.3f} | "
        + " | ".join(f"{mean([row[key] for row in some]):.3f}" for key in ("accuracy", "shuffled", "planes"))
        + f" | {mean([row['selectivity'] for row in some]):+.3f} |"
        for name, some in groups
    )
    return f"""
The cards of the probes that ship hold the controls of their own layers, fitted on {found["positions"]["count"]:,} positions
({found["positions"]["test"]:,} on the side that judges; `lab probe controls`, `training/results/own-controls.json`) beside a fit of
the layer on the same positions, which is what the selectivity is against. Means; each probe's figures are in
[`docs/probes.md`](../../docs/probes.md):

| probes | as they ship | the same positions | shuffled | planes | selectivity |
|---|---|---|---|---|---|
{lines}
"""


def changes_section(changes, like, shuffled, planes, maia, famous):
    """Probes of changes beside all baselines."""

    def line(name, report):
        if report is None:
            return []
        test, five = report["test"], report["test"]["named"]
        figures = [test["spearman"], test["sign"], *five]
        return [f"| {name} | {report['training_pairs']:,} | " + " | ".join(f"{x:.3f}" for x in figures) + " |"]

    def order(name, figures):
        return [f"| {name} | – | – | – | " + " | ".join(f"{x:.3f}" for x in figures) + " |"]

    lines = [
        *line("**what ships**", changes),
        *line("the network, on as many pairs as the controls", like),
        *line("control: weights shuffled", shuffled),
        *line("control: input planes", planes),
        *order("the same five always", changes["same_five"]),
        *order("lot", changes["lot"]),
    ]
    others = [
        *line("Maia-1500, probes of its own", maia),
        *line("what ships, on people's games", famous),
        *([] if famous is None else order("– the same five always, there", famous["same_five"])),
        *([] if famous is None else order("– lot, there", famous["lot"])),
    ]
    head = "| read | pairs | ρ | sign | of the five | first among the five | first |\n|---|---|---|---|---|---|---|\n"
    sentences = ""
    if like and shuffled:
        gap = [a - b for a, b in zip(like["test"]["named"], shuffled["test"]["named"])]
        sentences = (
            f" On the same pairs the network is {like['test']['spearman'] - shuffled['test']['spearman']:+.3f} (ρ), "
            f"{like['test']['sign'] - shuffled['test']['sign']:+.3f} (sign), {gap[0]:+.3f}, {gap[1]:+.3f} and {gap[2]:+.3f} above "
            "the shuffled one: that is what training adds."
        )
    elsewhere = ""
    if others:
        pairs = "" if famous is None else f" People's games: {famous['test_pairs']:,} moves of `tests/data/famous`."
        elsewhere = f"\nElsewhere:{pairs}\n\n{head}" + "\n".join(others) + "\n"
    return f"""
## Probes of changes

What a move does to each concept, fitted on pairs of positions a move apart
([`docs/probes.md`](../../docs/probes.md) defines the figures and has them by concept). Judged on
{changes["test_pairs"]:,} pairs of games that took no part.{sentences}

{head}{chr(10).join(lines)}
{elsewhere}"""


def motifs():
    """The rows of the probes that were added to the shipped file: name, accuracy, precision, recall, AUC, share, test, rows, layer."""
    row = re.compile(r"^((?:Our|Their) [A-Z][A-Za-z ]*?) +(0\.\d+) +0\.\d+ +0\.\d+ +(0\.\d+) +(\d+\.\d) +\d+ +(\d+) +block")
    with open(f"{RESULTS}/motifs.txt") as file:
        found = [match.groups() for match in map(row.match, file) if match]
    return "\n".join(
        f"| {name} | {have} % | {number(float(accuracy), 3)} | {number(float(auc))} | {rows} |"
        for name, accuracy, auc, have, rows in found
    )


def steering_section(steering):
    if steering is None:
        return ""
    lines = []
    for row in steering["rows"]:
        point = max(row["points"], key=lambda point: point["shift"])
        verdict = "also used" if row["verdict"] == "used" else "readable"
        lines.append(
            f"| {row['concept']} | {row['block']} | {point['value']:+.4f} | {point['by_chance'][0]:.4f} | "
            f"{point['policy_moved']:.4f} | {point['by_chance'][1]:.4f} | {verdict} |"
        )
    table = "\n".join(lines)
    return f"""
## Does the network use them?

Activations of the last block that each probe reads, shifted along its direction by two standard deviations, over {steering["positions"]}
positions and beside {steering["chances"]} directions of chance of equal length (`lab probe steer`,
`training/results/steering.json`). Value: the change of the expected result for the side to move; policy: the share of the
moves' probabilities that changes. Being above chance is a low bar: the sizes say more than the verdict.

| concept | block | value | by chance | policy | by chance | verdict |
|---|---|---|---|---|---|---|
{table}
"""


def filled(part):
    """A paragraph, or a list item by item, broken at 120 characters."""
    items = re.split(r"\n(?=- )", part) if part.lstrip().startswith("- ") else [part]
    fill = lambda item, indent: textwrap.fill(  # noqa: E731
        " ".join(item.split()), 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(fill(item, "  " if item.lstrip().startswith("- ") else "") for item in items)


def wrapped(text):
    return "\n\n".join(
        part if part.lstrip().startswith(("|", "#")) else filled(part)
        for part in re.sub(r"\n{3,}", "\n\n", text.strip()).split("\n\n")
    )


def main():
    ours, half, maia = map(load, ("kibitz-64x6", "kibitz-64x6-200000", "maia-1500"))
    agreement, priorities, changes = map(load, ("agreement", "priorities", "changes"))
    paper, controls, like, shuffled, planes, maia_changes, famous, steering = map(
        load_if_there,
        (
            "paper",
            "controls",
            "changes-like",
            "changes-shuffled",
            "changes-planes",
            "changes-maia-1500",
            "changes-famous",
            "steering",
        ),
    )
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
    order = priorities["standardised"]
    by_rule = {rule["rule"]: rule for rule in order["rules"]}
    named = "\n".join(
        f"| {rule['rule']} | {share(rule['five'])} | {share(rule['first_among_five'])} | {share(rule['first'])} |"
        for rule in order["rules"]
    )
    new, old = by_rule["ours (probes of changes)"], by_rule["ours (probes of positions)"]
    always = by_rule["same five always"]
    themes = sorted(theme["positions"] for theme in ours["themes"])
    card = f"""
# The network and the probes that ship with Kibitz

| file | what | size |
|---|---|---|
| `kibitz-64x6.pb.gz` | an Lc0 network: 64 filters, 6 blocks with squeeze-excitation, convolutional policy, WDL value | {size("kibitz-64x6.pb.gz")} |
| `kibitz-64x6.probes` | linear probes on it: the 21 concepts of Table 6 and {len(ours["extra"]) + len(motifs().splitlines())} more; probes of changes ([`docs/probes.md`](../../docs/probes.md)) | {size("kibitz-64x6.probes")} |
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

{paper_section(paper)}
{controls_section(controls)}{own_controls_section(load_if_there("own-controls"))}
## Queens

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
`training/results/kibitz-64x6.json` under `themes`. Doubled pawns and open files were added to the file later, from 200,000
positions of the same games (`training/reproduce.sh motifs`, `training/results/motifs.txt`).

| concept | frequency | accuracy | AUC | rows |
|---|---|---|---|---|
{extra}
{motifs()}

{changes_section(changes, like, shuffled, planes, maia_changes, famous)}
{steering_section(steering)}
## Priorities

Do the five concepts that a move changes most by the probes say what Stockfish 8's terms say? On {order["moves"]:,} engine moves
of {order["games"]:,} games that took no part (`lab probe priorities`; bootstrap over games, 95 %), against the terms' own
standardised change:

| rule | of the five | first among the five | first |
|---|---|---|---|
{named}

## What did not work

- **Probes of positions say little of a move.** The difference of two scores finds {old["five"]["mean"]:.3f} of the five, where
  naming the same five every time finds {always["five"]["mean"]:.3f}. Probes of changes, fitted on the changes themselves, find
  {new["five"]["mean"]:.3f}.
- **Much of the high accuracy is not the network's.** See the controls: tails of a term are easily told apart from the board, and
  pools over men hold the board.
- **King safety** stays the hardest change to foretell, and queens the hardest tails.
- **Themes** of the Strategic Test Suite have too few positions for a probe.
- Probes of changes that read maxima, that learn the change in place of its root, or that order by predicted size alone do
  worse: `docs/probes.md` has the figures of what was tried.
"""
    with open(f"{SHIPPED}/README.md", "w") as file:
        file.write(wrapped(card) + "\n")


if __name__ == "__main__":
    main()
