"""Writes marked words of chance and the agreement on them, for tests/survey_spans.rs, from the definitions and in another way
than src/survey/analysis/spans.rs: characters are painted one by one, alpha is Do / De over pairs of labels, every resample for its
interval is put together token by token, F1 is counted pair of raters by pair of raters.

    python spans_expected.py ..      (from tests/data/prepare; needs nothing but Python)

Writes tests/data/survey/spans-expected.json.
"""

import itertools
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path

SEED = 20261123
RESAMPLES, RESAMPLING_SEED, LEVEL = 1000, 1, 0.95
MASK = (1 << 64) - 1
KINDS = ["wrong-piece", "wrong-line", "wrong-judgement"]
TEXTS = {
    ("p1", "plain"): "The knight on f6 defends  the bishop, and White loses a piece at once.",
    ("p1", "tuned"): "Żółw nie bije: the rook takes on e8\nand mates – or so it seems.",
    ("p2", "plain"): "A quiet move.",
    ("p2", "tuned"): "After Qd3 the pawn on c3 queens by force, since the rook on f1 is pinned against the king.",
    ("p3", "plain"): "Nothing here is wrong.",
}
CONDITIONS = ["hidden", "shown", "planted"]


def marks(rng, text, check):
    """Some of the check's marks, and some of chance."""
    found = [list(mark) for mark in check if rng.random() < 0.6]
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        start = rng.randrange(len(text) - 1)
        end = min(len(text), start + rng.randrange(1, 14))
        found.append([start, end, rng.choice(KINDS)])
    return sorted(set(map(tuple, found)))


def label(token, spans, kinds):
    start, end = token
    best, most = None, 0
    for s, e, kind in sorted(spans):
        painted = len(set(range(start, end)) & set(range(s, e)))
        if painted > most:
            best, most = kind, painted
    return best if kinds else (best is not None)


def alpha(units):
    """Nominal, by pairs: 1 - Do / De; None where all labels are the same."""
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    n, counts = len(values), Counter(values)
    if len(counts) < 2:
        return None
    observed = sum(sum(a != b for a, b in itertools.permutations(unit, 2)) / (len(unit) - 1) for unit in units) / n
    expected = sum(counts[a] * counts[b] for a, b in itertools.permutations(counts, 2)) / (n * (n - 1))
    return 1 - observed / expected


def f1(groups, kinds):
    same = both = 0
    for given in groups:
        for one, other in itertools.combinations(given, 2):
            cut = (lambda spans: set(spans)) if kinds else (lambda spans: {(s, e) for s, e, _ in spans})
            same += len(cut(one) & cut(other))
            both += len(cut(one)) + len(cut(other))
    return 2 * same / both if both else None


def splitmix(seed):
    """SplitMix64 (Steele, Lea and Flood, 2014)."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def quantile(sorted_values, part):
    """Hyndman and Fan's definition 7."""
    place = part * (len(sorted_values) - 1)
    below = int(place)
    above = min(below + 1, len(sorted_values) - 1)
    return sorted_values[below] + (place - below) * (sorted_values[above] - sorted_values[below])


def interval(comments, kinds):
    """Of alpha, positions being drawn with all their comments; None where more than one draw in ten has no alpha."""
    units = {}
    for key, given in sorted(comments.items()):
        for token in ((m.start(), m.end()) for m in re.finditer(r"\S+", TEXTS[key])):
            units.setdefault(key[0], []).append([label(token, spans, kinds) for spans in given.values()])
    positions = sorted(units)
    if len(positions) < 2:
        return None, None
    stream, found = splitmix(RESAMPLING_SEED), []
    for _ in range(RESAMPLES):
        drawn = [positions[(next(stream) * len(positions)) >> 64] for _ in positions]
        value = alpha([unit for position in drawn for unit in units[position]])
        if value is not None:
            found.append(value)
    if len(found) * 10 < RESAMPLES * 9:
        return None, None
    found.sort()
    return quantile(found, (1 - LEVEL) / 2), quantile(found, (1 + LEVEL) / 2)


def figures(comments):
    """Of {(position, method): {rater: spans}} with at least two raters each."""
    units, plain = [], []
    for key, given in comments.items():
        for token in ((m.start(), m.end()) for m in re.finditer(r"\S+", TEXTS[key])):
            units.append([label(token, spans, True) for spans in given.values()])
            plain.append([label(token, spans, False) for spans in given.values()])
    groups = [list(given.values()) for given in comments.values()]
    flat = [value for unit in plain for value in unit]
    (low, high), (kinds_low, kinds_high) = interval(comments, False), interval(comments, True)
    return {
        "comments": len(comments),
        "ratings": sum(map(len, groups)),
        "tokens": len(units),
        "marked": sum(flat) / len(flat),
        "alpha": alpha(plain),
        "alpha_low": low,
        "alpha_high": high,
        "alpha_kinds": alpha(units),
        "alpha_kinds_low": kinds_low,
        "alpha_kinds_high": kinds_high,
        "f1": f1(groups, False),
        "f1_kinds": f1(groups, True),
    }


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "..") / "survey"
    rng = random.Random(SEED)
    check, decoys = {}, {}
    for key, text in TEXTS.items():
        words = [(m.start(), m.end()) for m in re.finditer(r"\S+", text)]
        pick = rng.sample(words, min(3, len(words)))
        check[key] = [] if key[0] == "p3" else [(*pick[0], KINDS[0]), (*pick[1], KINDS[1])]
        decoys[key] = [] if key[0] == "p3" else [(*pick[2], KINDS[2])]
    pages = []
    for rater, key in itertools.product(["r1", "r2", "r3", "r4"], TEXTS):
        if (rater, key) == ("r4", ("p2", "plain")):
            continue
        condition = rng.choice(CONDITIONS)
        shown = {"hidden": [], "shown": check[key], "planted": check[key] + decoys[key]}[condition]
        spans = [] if key[0] == "p3" else marks(rng, TEXTS[key], shown)
        pages.append({"rater": rater, "position": key[0], "method": key[1], "condition": condition, "spans": spans})

    def comments(pages):
        found = {}
        for page in pages:
            found.setdefault((page["position"], page["method"]), {})[page["rater"]] = page["spans"]
        return {key: given for key, given in found.items() if len(given) > 1}

    agreement = [{"scope": "all"} | figures(comments(pages))]
    for condition in CONDITIONS:
        own = comments([page for page in pages if page["condition"] == condition])
        if own:
            agreement.append({"scope": condition} | figures(own))
    for key, given in comments(pages).items():
        agreement.append({"scope": "comment", "position": key[0], "method": key[1]} | figures({key: given}))
    conditions = []
    for condition in CONDITIONS:
        own = [page for page in pages if page["condition"] == condition]
        key = lambda page: (page["position"], page["method"])
        shares = {}
        for name, marks_of in (("kept", check), ("accepted", decoys)):
            all_ = [(mark in page["spans"]) for page in own for mark in marks_of[key(page)]]
            shares[name] = sum(all_) / len(all_) if all_ else None
        mean = sum(len(page["spans"]) for page in own) / len(own)
        conditions.append({"condition": condition, "pages": len(own), "marks": mean} | shares)
    texts = [
        {"position": p, "method": m, "text": text, "marks": check[p, m], "decoys": decoys[p, m]} for (p, m), text in TEXTS.items()
    ]
    expected = {
        "origin": f"tests/data/prepare/spans_expected.py, Python {sys.version.split()[0]}, seed {SEED}",
        "texts": texts,
        "pages": pages,
        "agreement": agreement,
        "conditions": conditions,
    }
    (out / "spans-expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n")


main()
