"""Writes strengths by the Bradley-Terry model for tests/stats.rs, in another way than src/stats: Hunter's MM algorithm
(Annals of Statistics 32, 2004, equation 3) until nothing changes, and for two methods the closed form.

    python bradley_terry_expected.py ..      (from tests/data/prepare; needs nothing but Python)

tests/data/bradley-terry-expected.json: "cases" with wins[i][j] of i against j (a tie is half a win each way), the wins that
the prior adds each way between compared methods, n (the sum of all wins) and the log-strengths, whose mean is 0;
"undefined" with the reason that there are none and the tiers; "published" with an example of a book.
"""

import json
import math
import random
import sys
from itertools import combinations
from pathlib import Path

SEED = 20261123
ROUNDS = 2_000_000


def with_prior(wins, prior):
    found = [row[:] for row in wins]
    for i, j in combinations(range(len(wins)), 2):
        if wins[i][j] + wins[j][i] > 0:
            found[i][j] += prior
            found[j][i] += prior
    return found


def strengths(wins):
    """Log-strengths by MM: each strength is its wins by the sum of comparisons / (its strength + the other's)."""
    n = len(wins)
    logs, places = [0.0] * n, range(n)
    won = [math.fsum(row) for row in wins]
    for _ in range(ROUNDS):
        powers = [math.exp(log) for log in logs]
        met = [
            math.fsum((wins[i][j] + wins[j][i]) / (powers[i] + powers[j]) for j in places if j != i) for i in places
        ]
        found = [math.log(won[i] / met[i]) for i in places]
        mean = math.fsum(found) / n
        found = [log - mean for log in found]
        change = max(abs(a - b) for a, b in zip(found, logs))
        logs = found
        if change < 1e-15:
            break
    check(wins, logs)
    return logs


def check(wins, logs):
    """At the highest point each method has won as often as its strength says."""
    n = range(len(wins))
    for i in n:
        said = math.fsum((wins[i][j] + wins[j][i]) / (1 + math.exp(logs[j] - logs[i])) for j in n if j != i)
        assert abs(said - sum(wins[i])) < 1e-9, (i, said, wins[i])


def drawn(rng, n, games, spread, ties=0.0, missing=0.0):
    true = [rng.gauss(0, spread) for _ in range(n)]
    wins = [[0.0] * n for _ in range(n)]
    for i, j in combinations(range(n), 2):
        if rng.random() < missing and j != i + 1:
            continue
        for _ in range(games):
            if rng.random() < ties:
                wins[i][j] += 0.5
                wins[j][i] += 0.5
            elif rng.random() < 1 / (1 + math.exp(true[j] - true[i])):
                wins[i][j] += 1
            else:
                wins[j][i] += 1
    return wins


def case(name, wins, prior=0.0):
    n = math.fsum(map(math.fsum, wins))
    return {"name": name, "wins": wins, "prior": prior, "n": n, "log_strengths": strengths(with_prior(wins, prior))}


def cases(rng):
    two = case("two methods: log(3 / 7) and its half", [[0, 3], [7, 0]])
    assert abs(two["log_strengths"][0] - math.log(3 / 7) / 2) < 1e-12
    yield two
    yield case("a circle of three", [[0, 2, 0], [0, 0, 2], [2, 0, 0]])
    yield case("five methods, 50 items", drawn(rng, 5, 50, 1.0))
    yield case("five methods, ties", drawn(rng, 5, 50, 1.0, ties=0.3))
    yield case("ten methods, a third of the pairs not compared", drawn(rng, 10, 40, 0.7, ties=0.1, missing=0.33))
    yield case("ten methods with a prior", drawn(rng, 10, 40, 0.7), 0.5)
    yield case("weights that are no whole numbers", [[0, 1.25, 3.5], [2.75, 0, 0.125], [1.5, 4.0, 0]])
    yield case("far apart", [[0, 400, 900], [1, 0, 700], [0, 2, 0]])
    yield case("one won everything, with a prior", [[0, 9, 8], [0, 0, 5], [0, 4, 0]], 0.5)


def undefined():
    yield {"reason": "always won", "wins": [[0, 9, 8], [0, 0, 5], [0, 4, 0]], "tiers": [[0], [1, 2]]}
    yield {"reason": "always won", "wins": [[0, 4, 0], [5, 0, 0], [1, 2, 0]], "tiers": [[2], [0, 1]]}
    yield {"reason": "always won", "wins": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], "tiers": [[2], [1], [0]]}
    four = [[0, 2, 0, 0], [1, 0, 0, 0], [0, 0, 0, 3], [0, 0, 1, 0]]
    yield {"reason": "not compared", "wins": four, "tiers": [[0, 1], [2, 3]]}
    yield {"reason": "not compared", "wins": [[0, 0], [0, 0]], "tiers": [[0], [1]]}


def published():
    wins = """0 7 9 7 7 9 11/6 0 7 5 11 9 9/4 6 0 7 7 8 12/6 8 6 0 6 7 10/6 2 6 7 0 7 12/4 4 5 6 6 0 6/2 4 1 3 1 7 0"""
    wins = [[float(v) for v in row.split()] for row in wins.split("/")]
    assert all(wins[i][j] + wins[j][i] == 13 for i, j in combinations(range(7), 2))
    return {
        "source": "Agresti, Categorical Data Analysis, 2nd edition 2002, table 10.10: American League baseball, 1987; "
        "Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore, the last of them 0",
        "wins": wins,
        "n": 273,
        "log_strengths_above_last": [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0],
    }


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "..") / "bradley-terry-expected.json"
    parts = {"cases": cases(random.Random(SEED)), "undefined": undefined()}
    lines = [f'"origin": {json.dumps(f"MM algorithm in Python, random.Random({SEED})")}']
    lines.append(f'"published": {json.dumps(published())}')
    for name, rows in parts.items():
        rows = ",\n".join(json.dumps(row, allow_nan=False) for row in rows)
        lines.append(f'"{name}": [\n{rows}\n]')
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
