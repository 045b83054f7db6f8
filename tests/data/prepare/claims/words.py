"""Sides and men in words, each half of the corpus in its own manner."""

import chess

FILES = "abcdefgh"
LETTER = {chess.PAWN: "", chess.KNIGHT: "N", chess.BISHOP: "B", chess.ROOK: "R", chess.QUEEN: "Q", chess.KING: "K"}


def role_name(piece):
    return chess.piece_name(piece.piece_type)


class Side:
    """{side} "White", {side.adj} "white", {side.they} "he"…"""

    def __init__(self, color):
        self.color = color

    def attribute(self, which, _half, _dice):
        words = ("White", "white") if self.color else ("Black", "black")
        return {"": words[0], "adj": words[1]}[which]


class Man:
    """A man as a slot. {m} a full description, {m.role}, {m.sq}, {m.side}, {m.adj}, {m.file}; {m.name} without its
    square where that is enough; {m.sym} "Nf3"; {m.fig} a figurine with its square."""

    def __init__(self, color, role, square, board):
        self.color, self.role, self.square, self.board = color, role, square, board

    def attribute(self, which, half, dice):
        role, square = chess.piece_name(self.role), chess.square_name(self.square)
        side, adjective = ("White", "white") if self.color else ("Black", "black")
        alone = self.role == chess.KING or len(self.board.pieces(self.role, self.color)) == 1
        plain = {
            "role": role,
            "sq": square,
            "side": side,
            "adj": adjective,
            "file": FILES[chess.square_file(self.square)],
            "sym": LETTER[self.role] + square,
            "enemy": "Black" if self.color else "White",
            "fig": chess.UNICODE_PIECE_SYMBOLS[chess.Piece(self.role, self.color).symbol()] + square,
        }
        if which in plain:
            return plain[which]
        if which == "name":
            if alone:
                return dice.choice([f"{side}'s {role}", f"the {adjective} {role}"])
            which = ""
        assert which == "", which
        if self.role == chess.KING:
            return dice.choice(
                [f"the {adjective} king", f"{side}'s king"]
                + (
                    [f"the king on {square}"]
                    if half == "dev"
                    else [f"the {square}-king", f"the {adjective} king on {square}"]
                )
            )
        if half == "dev":
            return dice.choice(
                [
                    f"the {role} on {square}",
                    f"the {role} on {square}",
                    f"{side}'s {role} on {square}",
                    f"the {adjective} {role} on {square}",
                    f"the {square} {role}",
                ]
            )
        return dice.choice(
            [
                f"the {role} on {square}",
                f"the {square}-{role}",
                f"the {adjective} {role} at {square}",
                f"{side}'s {square}-{role}",
                f"the {role} standing on {square}",
                f"{side}'s {role} at {square}",
            ]
        )
