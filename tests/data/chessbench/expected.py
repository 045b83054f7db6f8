"""Writes what independent code says of searchless chess, for the tests of src/chessbench.

    python expected.py          (in tests/data/chessbench; requirements in requirements.txt)

tokens.tsv        boards of random games (python-chess) and their 77 numbers
actions.txt       the 1,968 actions in their order, by arithmetic on squares
values.tsv        centipawns and the chance of winning
bins.jsonl        bins, centres, HL-Gauss (SciPy's normal distribution), losses
kendall.jsonl     Kendall's tau of scores and of their argsorts (SciPy)
repetition.jsonl  which moves let a repetition be claimed (python-chess)
metrics.jsonl     the metrics of made-up predictions, by the formulas (NumPy, SciPy)
*.bag             records by Beam's coders, with an index of little-endian ends behind them; bag.jsonl says what is in them

Sorting is stable: NumPy's default may order equal values in any way, and does so differently on different processors.
"""

import json
import math
import random
import struct

import chess
import numpy as np
from apache_beam import coders
from scipy import stats

SEED = 20260325
STEEPNESS = 0.00368208


def boards(count, rng, plies):
    """Boards at random plies of random games."""
    found = []
    while len(found) < count:
        board = chess.Board()
        for _ in range(rng.randrange(*plies)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        found.append(board)
    return found


SYMBOLS = "0 1 2 3 4 5 6 7 8 9 a b c d e f g h p n r k q P B N R Q K w .".split()


def tokens(fen):
    placement, side, castling, square, clock, number = fen.split()
    rows = "".join("." * int(c) if c.isdigit() else c for c in placement if c != "/")
    text = side + rows
    text += castling.strip("-").ljust(4, ".") + square.strip("-").ljust(2, ".") + clock.ljust(3, ".") + number.ljust(3, ".")
    assert len(text) == 77, text
    return [SYMBOLS.index(c) for c in text]


def name(file, rank):
    return "abcdefgh"[file] + str(rank + 1)


def actions():
    """Every move of a queen and a knight on an empty board, then promotions."""
    found = []
    for square in range(64):
        rank, file = divmod(square, 8)
        queen, knight = [], []
        for other in range(64):
            up, right = other // 8 - rank, other % 8 - file
            if (up, right) == (0, 0):
                continue
            if up == 0 or right == 0 or abs(up) == abs(right):
                queen.append(other)
            elif {abs(up), abs(right)} == {1, 2}:
                knight.append(other)
        found += [name(file, rank) + name(to % 8, to // 8) for to in queen + knight]
    for rank, last in ((1, 0), (6, 7)):
        for file in range(8):
            for to in (file, file - 1, file + 1):
                if 0 <= to < 8:
                    found += [name(file, rank) + name(to, last) + role for role in "qrbn"]
    return found


ACTIONS = actions()
NUMBER = {uci: number for number, uci in enumerate(ACTIONS)}


def legal(board):
    return sorted((move.uci() for move in board.legal_moves), key=NUMBER.get)


def value(cp):
    return 1 / (1 + math.exp(-STEEPNESS * cp))


def bin_of(bins, x):
    return int(np.searchsorted(np.linspace(0, 1, bins + 1)[1:-1], x, side="left"))


def centres(bins):
    edges = np.linspace(0, 1, bins + 1)
    return (edges[:-1] + edges[1:]) / 2


def log_softmax(logits):
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def hl_gauss(bins, x):
    edges = np.linspace(0, 1, bins + 1)
    normal = stats.norm(loc=x, scale=0.75 / bins)
    return np.diff(normal.cdf(edges)) / (normal.cdf(1) - normal.cdf(0))


def bin_row(bins, x):
    log = log_softmax(np.sin(np.arange(bins)))
    target = hl_gauss(bins, x)
    place = bin_of(bins, x)
    return {
        "bins": bins,
        "value": x,
        "bin": place,
        "centre": centres(bins)[place],
        "hl_gauss": [float(f"{share:.12g}") for share in target],
        "cross_entropy_hl_gauss": -(target * log).sum(),
        "cross_entropy_log": -log[place],
        "squared_error": (np.exp(log) @ centres(bins) - x) ** 2,
    }


def argsort(values):
    return np.argsort(values, kind="stable")


def tau_of_orders(x, y):
    return 1.0 if len(x) == 1 else float(stats.kendalltau(argsort(x), argsort(y)).statistic)


def kendall_rows(rng):
    rows = []
    for n in [1, 2, 2, 3, 5, 8, 13, 20, 30, 30, 40, 60, 90, 218]:
        for noise, ties in ((0.0, False), (0.1, False), (0.5, True), (2.0, False), (2.0, True)):
            truth = [rng.random() for _ in range(n)]
            if ties:
                truth = [round(x * 5) / 5 for x in truth]
            scores = [x + noise * rng.gauss(0, 1) for x in truth]
            if ties:
                scores = [round(x, 1) for x in scores]
            tau = stats.kendalltau(scores, truth).statistic if n > 1 else math.nan
            rows.append({
                "scores": scores,
                "truth": truth,
                "released": tau_of_orders(scores, truth),
                "tau_b": None if math.isnan(tau) else float(tau),
            })
    return rows


def repetition_rows(rng):
    """Games in which knights and rooks go to and fro, so that boards come back."""
    rows = []
    for start in (chess.STARTING_FEN, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1"):
        for _ in range(6):
            board = chess.Board(start)
            moves = []
            for _ in range(rng.randrange(2, 26)):
                back = [move for move in board.legal_moves
                        if len(board.move_stack) > 1
                        and (move.from_square, move.to_square)
                        == (board.move_stack[-2].to_square, board.move_stack[-2].from_square)]
                quiet = [move for move in board.legal_moves if not board.is_zeroing(move)]
                move = rng.choice(back if back and rng.random() < 0.75 else quiet)
                moves.append(move.uci())
                board.push(move)
                if board.is_game_over():
                    break
            claims = []
            for uci in legal(board):
                board.push_uci(uci)
                if board.is_fivefold_repetition() or board.can_claim_threefold_repetition():
                    claims.append(uci)
                board.pop()
            rows.append({"start": start, "moves": " ".join(moves), "claims": claims})
    return rows


def metric_rows(rng):
    """Logits are 3·sin of products of whole numbers, so that the test can make them again."""
    rows = []
    for seed, board in enumerate(boards(24, rng, (1, 120)), 1):
        moves = legal(board)
        if not moves:
            continue
        bins = (16, 32, 128)[seed % 3]
        values = np.array([value(rng.choice((-900, -200, -30, 0, 0, 15, 40, 300, 2000))) for _ in moves])
        returns = values.astype(np.float32)
        n = len(moves)
        log = log_softmax(3 * np.sin(np.outer(np.arange(1, n + 1), np.arange(2, bins + 2)) * seed))
        best = returns == returns.max()

        def measured(log):
            expected = np.exp(log) @ centres(bins)
            places = [bin_of(bins, x) for x in returns]
            return {
                "accurate": bool(best[np.argmax(expected)]),
                "log_loss": float(np.mean(-log[np.arange(n), places]) / np.log(2)),
                "entropy": float(np.mean(-(np.exp(log) * log).sum(axis=-1)) / np.log(2)),
                "squared_error": float(np.mean((expected - returns) ** 2)),
                "tau": tau_of_orders(expected, returns),
            }

        own = log_softmax(3 * np.sin(np.arange(2, bins + 2) * (n + 1) * seed))
        flipped = log[:, ::-1]
        consistency = float((np.exp(own) @ centres(bins) - (np.exp(flipped) @ centres(bins)).max()) ** 2)
        whole = log_softmax(3 * np.sin(np.arange(2, len(ACTIONS) + 2) * float(seed)))
        kept = log_softmax(whole[[NUMBER[uci] for uci in moves]])
        cloning = {
            "accurate": bool(best[np.argmax(kept)]),
            "log_loss": float(-kept[np.argmax(returns)] / np.log(2)),
            "entropy": float(-(np.exp(kept) * kept).sum() / np.log(2)),
            "tau": tau_of_orders(kept, returns),
            "legal": ACTIONS[int(np.argmax(whole))] in moves,
        }
        rows.append({
            "fen": board.fen(),
            "seed": seed,
            "bins": bins,
            "values": dict(zip(moves, values.tolist())),
            "action_value": measured(log),
            "state_value": {**measured(flipped), "consistency": consistency},
            "cloning": cloning,
        })
    return rows


def write_bag(path, records):
    ends, place = [], 0
    with open(path, "wb") as file:
        for record in records:
            file.write(record)
            place += len(record)
            ends.append(place)
        for end in ends:
            file.write(struct.pack("<q", end))


def bags(rng):
    fen, move, win = coders.StrUtf8Coder(), coders.StrUtf8Coder(), coders.FloatCoder()
    action_value = coders.TupleCoder((fen, move, win))
    state_value = coders.TupleCoder((fen, win))
    cloning = coders.TupleCoder((fen, move))
    rows = {"action_value": [], "state_value": [], "behavioral_cloning": []}
    for board in boards(6, rng, (2, 140)):
        moves = legal(board)
        wins = [value(rng.randrange(-1500, 1500)) for _ in moves]
        rows["action_value"] += [(board.fen(), uci, win) for uci, win in zip(moves, wins)]
        rows["state_value"].append((board.fen(), max(wins, default=0.0)))
        if moves:
            rows["behavioral_cloning"].append((board.fen(), moves[wins.index(max(wins))]))
    for kind, coder in (("action_value", action_value), ("state_value", state_value), ("behavioral_cloning", cloning)):
        write_bag(f"{kind}_data.bag", [coder.encode(row) for row in rows[kind]])
    return [{"kind": kind, "record": row} for kind, records in rows.items() for row in records]


def write_lines(path, rows):
    with open(path, "w") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")


def main():
    rng = random.Random(SEED)
    fens = [board.fen() for board in boards(45, rng, (0, 160))]
    fens += [
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 99 150",
        "8/8/8/8/8/5k2/6q1/7K w - - 149 999",
    ]
    with open("tokens.tsv", "w") as file:
        file.write("# FEN, and its 77 numbers\n")
        file.writelines(f"{fen}\t{' '.join(map(str, tokens(fen)))}\n" for fen in dict.fromkeys(fens))
    assert len(ACTIONS) == len(set(ACTIONS)) == 1968
    with open("actions.txt", "w") as file:
        file.write("# The actions in the order of their numbers, from 0\n")
        file.writelines(" ".join(ACTIONS[at : at + 24]) + "\n" for at in range(0, len(ACTIONS), 24))
    with open("values.tsv", "w") as file:
        file.write("# centipawns, chance of winning\n")
        for cp in [0, 1, -1, 7, 13, 50, 99, 100, -100, 150, 222, 300, -300, 500, 777, 1000, 1001, -1500, 2000, 3333, 5000, 10000, -15000]:
            file.write(f"{cp}\t{value(cp)!r}\n")
    rows = []
    for bins in (2, 3, 4, 7, 10, 16, 32):
        edges = np.linspace(0, 1, bins + 1)
        rows += [bin_row(bins, x) for x in (0.0, 0.25, 0.3, 0.5, 0.7, 1.0, float(edges[1]), float(edges[-2]), rng.random())]
    rows += [bin_row(128, x) for x in (0.0, 0.5, 0.5000001, 0.9975, 1.0)]
    rows += [bin_row(256, x) for x in (0.25, rng.random())]
    write_lines("bins.jsonl", rows)
    write_lines("kendall.jsonl", kendall_rows(rng))
    write_lines("repetition.jsonl", repetition_rows(rng))
    write_lines("metrics.jsonl", metric_rows(rng))
    write_lines("bag.jsonl", bags(rng))


if __name__ == "__main__":
    main()
