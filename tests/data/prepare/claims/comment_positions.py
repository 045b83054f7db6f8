"""Chooses positions and moves for comments that the claim check has never met, and asks an engine about them.

    lab games --games 170 --nodes 60 --seed 20261126 --out GAMES.pgn
    python comment_positions.py GAMES.pgn OUT.jsonl LETTER FIRST COUNT      (from tests/data/prepare/claims)

From each of COUNT games, beginning with number FIRST, one position: a move that was played or another legal one, every
second one of those that do something. Lines are as in positions.jsonl; ids are LETTER and a number. Sets of games that
don't overlap share no position.
"""

import argparse
import json
import random

import chess.pgn
import positions

NODES = 60_000
# Half-moves of a game that are left out: openings, which many games share.
OPENING = 12


def chosen(games, first, count, dice):
    """(number of the game, FEN, move)."""
    number, taken = 0, 0
    while taken < count:
        game = chess.pgn.read_game(games)
        if game is None:
            raise SystemExit(f"only {taken} positions")
        number += 1
        nodes = list(game.mainline())[OPENING:]
        if number < first or not nodes:
            continue
        node = dice.choice(nodes)
        board = node.parent.board()
        if len(list(board.legal_moves)) < 4:
            continue
        move = node.move if taken % 2 == 0 else positions.interesting(board, dice)[0]
        taken += 1
        yield number, board.fen(), move.uci()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pgn")
    parser.add_argument("out")
    parser.add_argument("letter")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--games", default="170 --nodes 60 --seed 20261126", help="the options that `lab games` had")
    parser.add_argument("--engine", default="/usr/games/stockfish")
    options = parser.parse_args()
    engine = positions.Engine(options.engine)
    seed = positions.SEED + options.first
    origin = (
        f"Positions of Kibitz's own self-play games (lab games --games {options.games}), one a game, by "
        "tests/data/prepare/claims/comment_positions.py. Engine lines as in positions.jsonl."
    )
    with open(options.pgn) as games, open(options.out, "w") as out:

        def write(row):
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
            out.flush()

        write({"origin": origin, "engine": engine.name, "nodes": NODES, "seed": seed})
        for number, fen, move in chosen(games, options.first, options.count, random.Random(seed)):
            row = {"id": f"{options.letter}{number:03}", "half": "comments", "fen": fen, "move": move}
            write(positions.evaluated(row, engine, NODES))
    engine.tell("quit")


if __name__ == "__main__":
    main()
