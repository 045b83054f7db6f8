"""Writes ratings by BayesElo's model for tests/stats.rs, in two other ways than src/stats: the chances themselves, multiplied
game by game, and their greatest product found by SciPy without any derivative of ours; and, where colours are given, Coulom's
minorization-maximization (BayesElo's own way; Hunter, Annals of Statistics 32, 2004, with ties and home advantage).

    python bayes_elo_expected.py ..      (from tests/data/prepare; needs numpy and scipy)

tests/data/bayes-elo-expected.json: games[i][j] = [won, drawn, lost] of i with White against j; prior draws a player; "colours"
given or fitted; elo (mean 0), advantage and draw in points; variances of the ratings around their mean, from a numerical
curvature.
"""

import json
import math
import random
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

SEED = 20261125
POINTS = 400 / math.log(10)


def with_prior(games, prior):
    n = len(games)
    met = [[sum(games[i][j]) + sum(games[j][i]) for j in range(n)] for i in range(n)]
    out = [[list(map(float, cell)) for cell in row] for row in games]
    for i in range(n):
        for j in range(n):
            if met[i][j]:
                share = prior * met[i][j] / sum(met[i])
                out[i][j][1] += share / 4
                out[j][i][1] += share / 4
    return out


def chances(elo_white, elo_black, advantage, draw):
    white = 1 / (1 + 10 ** ((elo_black - elo_white - advantage + draw) / 400))
    black = 1 / (1 + 10 ** ((elo_white - elo_black + advantage + draw) / 400))
    return white, 1 - white - black, black


def negative_log(games, elo, advantage, draw):
    total = 0.0
    for i, row in enumerate(games):
        for j, cell in enumerate(row):
            if i != j:
                for count, chance in zip(cell, chances(elo[i], elo[j], advantage, draw)):
                    if count:
                        if chance <= 0:
                            return math.inf
                        total -= count * math.log(chance)
    return total


def fit(games, colours):
    n = len(games)

    def unpack(x):
        elo = np.append(x[: n - 1], 0.0)
        advantage, draw = (x[n - 1], math.exp(x[n])) if colours is None else colours
        return elo - elo.mean(), advantage, draw

    def target(x):
        return negative_log(games, *unpack(x))

    x = np.zeros(n - 1) if colours is not None else np.append(np.zeros(n), math.log(100.0))
    for _ in range(6):
        x = minimize(target, x, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13, "maxiter": 200_000, "maxfev": 400_000, "adaptive": True}).x
        x = minimize(target, x, method="BFGS", options={"gtol": 1e-11}).x
    return unpack(x)


def variances(games, elo, advantage, draw, fitted):
    """Of ratings around their mean: the pseudo-inverse of a numerical curvature."""
    n = len(games)
    at = np.array([*elo, advantage, draw]) if fitted else np.array(elo)

    def target(x):
        return negative_log(games, x[:n], x[n] if fitted else advantage, x[n + 1] if fitted else draw)

    size = len(at)
    curvature = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            def moved(a, b, h=1.0):
                x = at.copy()
                x[i] += a * h
                x[j] += b * h
                return target(x)
            # Fourth order: the second difference at one step and at two.
            def second(h):
                return (moved(1, 1, h) - moved(1, -1, h) - moved(-1, 1, h) + moved(-1, -1, h)) / (4 * h * h)
            curvature[i, j] = (4 * second(1.0) - second(2.0)) / 3
    inverse = np.linalg.pinv(curvature, rcond=1e-7)[:n, :n]
    centre = np.eye(n) - 1 / n
    return np.diag(centre @ inverse @ centre).tolist()


def minorized(games, advantage, draw):
    """Coulom's MM: gammas of players, with theta for draws and eta for White."""
    n = len(games)
    gamma, theta, eta = np.ones(n), 10 ** (draw / 400), 10 ** (advantage / 400)
    for _ in range(200_000):
        top, bottom = np.zeros(n), np.zeros(n)
        for i in range(n):
            for j in range(n):
                if i == j:
                    continue
                won, drawn, lost = games[i][j]
                white = (won + drawn) / (eta * gamma[i] + theta * gamma[j])
                black = (lost + drawn) / (theta * eta * gamma[i] + gamma[j])
                top[i] += won + drawn
                top[j] += lost + drawn
                bottom[i] += eta * white + theta * eta * black
                bottom[j] += theta * white + black
        new = top / bottom
        new /= np.exp(np.log(new).mean())
        if np.abs(np.log(new / gamma)).max() < 1e-14:
            break
        gamma = new
    return np.log(gamma) * POINTS


def drawn_games(rng, n, games, spread, advantage, draw, missing=0.0):
    elo = [rng.gauss(0, spread) for _ in range(n)]
    cells = [[[0, 0, 0] for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(i):
            if j != i - 1 and rng.random() < missing:
                continue
            for white, black in ((i, j), (j, i)):
                for _ in range(games):
                    chance = chances(elo[white], elo[black], advantage, draw)
                    cells[white][black][rng.choices(range(3), chance)[0]] += 1
    return cells


def case(name, games, prior, colours):
    whole = with_prior(games, prior)
    elo, advantage, draw = fit(whole, colours)
    if colours is not None:
        other = minorized(whole, *colours)
        assert np.abs(other - elo).max() < 1e-4, (name, other, elo)
        elo = other
    return {
        "name": name,
        "games": games,
        "prior": prior,
        "colours": colours,
        "elo": list(map(float, elo)),
        "advantage": float(advantage),
        "draw": float(draw),
        "variances": variances(whole, elo, advantage, draw, colours is None),
    }


def main(out):
    rng = random.Random(SEED)
    default = (32.8, 97.3)
    swept = [[[0, 0, 0], [5, 0, 0]], [[0, 0, 5], [0, 0, 0]]]
    cases = [
        case("two players, one game each", [[[0, 0, 0], [1, 0, 0]], [[0, 1, 0], [0, 0, 0]]], 2.0, default),
        case("two players, one won all", swept, 2.0, default),
        case("four players", drawn_games(rng, 4, 20, 150, 30, 100), 2.0, default),
        case("four players, no prior", drawn_games(rng, 4, 20, 100, 30, 100), 0.0, default),
        case("five players, colours fitted", drawn_games(rng, 5, 40, 150, 60, 200), 2.0, None),
        case("five players, colours fitted, few draws", drawn_games(rng, 5, 30, 200, 0, 20), 1.0, None),
        case("six players, not all met", drawn_games(rng, 6, 10, 200, 30, 100, 0.5), 2.0, default),
        case("far apart", drawn_games(rng, 4, 30, 600, 30, 100), 2.0, (0.0, 60.0)),
    ]
    text = json.dumps({"seed": SEED, "cases": cases}, indent=1)
    (Path(out) / "bayes-elo-expected.json").write_text(text + "\n")


main(sys.argv[1])
