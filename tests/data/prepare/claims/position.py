"""A position of positions.jsonl, with the move played in it and what the engine says of both."""

import chess
from engine_instances import probability


class Position:
    """A position, the move played in it, and what the engine says of both (where it has been asked)."""

    def __init__(self, row):
        self.row, self.id = row, row["id"]
        self.before = chess.Board(row["fen"])
        self.move = chess.Move.from_uci(row["move"])
        self.mover = self.before.turn
        self.to = self.move.to_square
        self.moved = self.before.piece_type_at(self.move.from_square)
        self.after = self.before.copy(stack=False)
        self.after.push(self.move)
        self.san = self.before.san(self.move)
        self.best_chance = probability(row["before"][0]["score"], False)
        if row["after"]:
            self.chance = probability(row["after"][0]["score"], True)
        else:
            self.chance = 1.0 if self.after.is_checkmate() else 0.5

    def reply(self):
        """The engine's reply to the move; None where there is none."""
        return chess.Move.from_uci(self.row["after"][0]["pv"].split()[0]) if self.row["after"] else None

    def mate_in_sight(self):
        """Whether a line after the move ends in the mate of the side to move."""
        return any("mate -" in line["score"] for line in self.row["after"])
