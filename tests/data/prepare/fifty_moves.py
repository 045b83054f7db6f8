#!/usr/bin/env python3
"""Writes tests/data/survey/fifty-moves.csv: fifty positions from games of random legal moves (seed 5), a legal move in
each, and five sentences made from it. It has the size and shape of the paper's study and no comment worth reading.

    pip install chess==1.11.2
    python3 fifty_moves.py ../survey/fifty-moves.csv
"""
import csv
import random
import sys

import chess

random.seed(5)
out = csv.writer(open(sys.argv[1], "w", newline=""), lineterminator="\n")
out.writerow(["fen", "move", "method", "comment"])
NAMES = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]
seen = set()
while len(seen) < 50:
    board = chess.Board()
    for _ in range(random.randint(8, 60)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(random.choice(moves))
    moves = list(board.legal_moves)
    if not moves or board.epd() in seen:
        continue
    seen.add(board.epd())
    move = random.choice(moves)
    san, fen = board.san(move), board.fen()
    side = "White" if board.turn else "Black"
    other = "Black" if board.turn else "White"
    piece = NAMES[board.piece_type_at(move.from_square)]
    target = chess.square_name(move.to_square)
    for method, text in [
        ("reference", f"{san} now."),
        ("short", f"{side} moves the {piece}."),
        ("plain", f"{side}'s {piece} goes to {target}."),
        ("expert", f"With {san}, {side} puts the {piece} on {target}, and it is {other}'s turn."),
        ("concepts", f"{side} plays {san}: the {piece} leaves {chess.square_name(move.from_square)} for {target}, where it has new squares to look at."),
    ]:
        out.writerow([fen, san, method, text])
