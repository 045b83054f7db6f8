"""Writes tests/data/accuracy.csv: the accuracy of both sides in made-up games, by Lichess's method.

Follows https://lichess.org/page/accuracy and the order of steps in lila's AccuracyPercent.scala: a list of windows is
built as a list, and zipped with the moves. Needs nothing but Python. Usage: python3 accuracy_expected.py > accuracy.csv
"""

from math import exp
from statistics import harmonic_mean, pstdev
import random


def win_percent(score):
    if score.startswith("#"):
        cp = 1000 if int(score[1:]) > 0 else -1000
    else:
        cp = max(-1000, min(1000, int(score)))
    return 50 + 50 * (2 / (1 + exp(-0.00368208 * cp)) - 1)


def move_accuracy(before, after):
    if after >= before:
        return 100.0
    raw = 103.1668100711649 * exp(-0.04354415386753951 * (before - after)) - 3.166924740191411
    return max(0.0, min(100.0, raw + 1))


def game_accuracy(first, scores):
    wins = [win_percent(score) for score in scores]
    size = max(2, min(8, (len(scores) - 1) // 10))
    windows = [wins[:size]] * (size - 2) + [wins[i : i + size] for i in range(len(wins) - size + 1)]
    weights = [max(0.5, min(12.0, pstdev(window))) for window in windows]
    moves = {"w": [], "b": []}
    side = first
    for before, after, weight in zip(wins, wins[1:], weights):
        accuracy = move_accuracy(before, after) if side == "w" else move_accuracy(100 - before, 100 - after)
        moves[side].append((accuracy, weight))
        side = "b" if side == "w" else "w"
    result = []
    for side in "wb":
        if not moves[side]:
            result.append("-")
            continue
        weighted = sum(a * w for a, w in moves[side]) / sum(w for _, w in moves[side])
        harmonic = harmonic_mean([max(1.0, a) for a, _ in moves[side]])
        result.append(f"{(weighted + harmonic) / 2:.9f}")
    return result


def games():
    yield "w", ["20", "20", "20"]
    yield "w", ["20", "-900"]
    yield "b", ["20", "900", "880"]
    yield "w", ["15"] + ["15"] * 20 + ["-900"]
    yield "w", ["15"] + ["-50", "15"] * 50
    yield "w", ["0", "35", "#3", "#3", "-200", "#-2", "#-1", "#-1"]
    dice = random.Random(4)
    for moves in (9, 33, 81, 140):
        score, scores = 20, ["20"]
        for _ in range(moves):
            score += int(dice.gauss(0, 60) * (4 if dice.random() < 0.1 else 1))
            scores.append(str(score))
        yield dice.choice("wb"), scores


if __name__ == "__main__":
    print("# first mover, scores in White's view (centipawns, #n mates), accuracy of White, of Black; see prepare/accuracy_expected.py")
    for first, scores in games():
        print(",".join([first, " ".join(scores), *game_accuracy(first, scores)]))
