"""Asks the engine about the positions of the sentences written by hand: handwritten-positions.jsonl.

    python handwritten.py ../../claims/handwritten-positions.jsonl      (from tests/data/prepare/claims)

Known opening, middlegame and endgame positions, set up by hand.
"""

import argparse
import json

import chess
from positions import Engine, evaluated

NODES = 120_000

POSITIONS = [
    ("first-move", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4"),
    ("two-knights", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", "Nf6"),
    ("exchange-ruy", "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4", "Bxc6"),
    ("fried-liver", "r1bqkb1r/ppp2ppp/2n5/3np1N1/2B5/8/PPPP1PPP/RNBQK2R w KQkq - 0 6", "Nxf7"),
    ("scholars-mate", "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "Qxf7#"),
    ("nimzo-indian", "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 1 3", "Bb4"),
    ("queens-gambit", "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4", "Bg5"),
    ("giuoco-castles", "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", "O-O"),
    ("queening", "8/4P1k1/8/8/8/8/r7/6K1 w - - 0 60", "e8=Q"),
    ("queen-stalemates", "k7/8/8/1Q6/8/8/8/4K3 w - - 0 71", "Qb6"),
    ("back-rank", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30", "Ra8#"),
    ("knight-fork", "r3k2r/ppp2ppp/8/3N4/8/8/PPP2PPP/R4RK1 w kq - 0 17", "Nxc7+"),
    ("rook-skewer", "4r3/8/8/4k3/8/8/8/R5K1 w - - 0 50", "Re1+"),
    ("discovered-check", "4k3/pp3ppp/8/7q/4N3/8/PP3PPP/4R1K1 w - - 0 25", "Ng3+"),
    ("najdorf", "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6", "Bg5"),
    ("french-advance", "rnbqkbnr/ppp2ppp/4p3/3pP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3", "c5"),
    ("isolated-queens-pawn", "r1bq1rk1/pp2bppp/2n1pn2/8/2BP4/2N2N2/PP3PPP/R1BQ1RK1 w - - 0 10", "Re1"),
    ("lucena", "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 66", "Rd1+"),
    ("fools-mate", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "Qh4#"),
    ("early-queen", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5Q2/PPPP1PPP/RNB1KBNR w KQkq - 2 3", "Qxf7+"),
    ("dragon", "r1bq1rk1/pp2ppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/R3K2R b KQ - 2 9", "Bd7"),
    ("en-passant", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "exf6"),
    ("poisoned-bishop", "3r2k1/5ppp/8/8/4b3/2P5/5PPP/4R1K1 w - - 0 28", "Rxe4"),
    ("petroff-trap", "rnbqkb1r/pppp1ppp/5n2/4N3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3", "Nxe4"),
    ("exchange-up", "r4rk1/pp3ppp/8/3n4/8/2P2N2/PP3PPP/R4RK1 b - - 0 20", "Nf4"),
    ("closed-centre", "r1bq1rk1/pppnn1bp/3p4/3Pp1p1/2P1Pp2/2N2P2/PP2BBPP/R2QNRK1 w - - 0 14", "c5"),
    ("outpost-knight", "r2q1rk1/pp2bppp/2np4/4p3/4P3/2N1B3/PPP1QPPP/R4RK1 w - - 0 13", "Nd5"),
    ("passed-pawns", "8/5pk1/6p1/1P5p/7P/6P1/5PK1/8 w - - 0 41", "b6"),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--engine", default="/usr/games/stockfish")
    options = parser.parse_args()
    engine = Engine(options.engine)
    with open(options.out, "w") as out:
        origin = (
            "Known positions, set up by hand in tests/data/prepare/claims/handwritten.py; lines as in positions.jsonl."
        )
        out.write(json.dumps({"origin": origin, "engine": engine.name, "nodes": NODES}) + "\n")
        for name, fen, san in POSITIONS:
            board = chess.Board(fen)
            row = {"id": name, "half": "handwritten", "fen": fen, "move": board.parse_san(san).uci()}
            out.write(json.dumps(evaluated(row, engine, NODES), separators=(",", ":")) + "\n")
    engine.tell("quit")


if __name__ == "__main__":
    main()
