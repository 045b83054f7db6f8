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
        if half.startswith("dev") and half != "dev" and which == "":
            return self.described(dice)
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

    def described(self, dice):
        """In any of the ways of the second development set."""
        role, square = chess.piece_name(self.role), chess.square_name(self.square)
        side, adjective = ("White", "white") if self.color else ("Black", "black")
        forms = [
            f"the {role} on {square}",
            f"{side}'s {role} on {square}",
            f"the {adjective} {role} on {square}",
        ] * 2 + [f"the {square}-{role}", f"the {square} {role}", f"{side}'s {square}-{role}", f"the {role} at {square}"]
        there = self.board.piece_at(self.square) == chess.Piece(self.role, self.color)
        if there and self.role in (chess.QUEEN, chess.KING) and len(self.board.pieces(self.role, self.color)) == 1:
            forms = [f"{side}'s {role}", f"the {adjective} {role}"] * 3 + forms[:3]
        elif self.role == chess.PAWN:
            forms += [f"the {adjective} {square}-pawn", f"the pawn on {square}"]
        elif self.role != chess.KING:
            forms += [f"the {LETTER[self.role]}{square}", f"the {adjective} {square}-{role}"]
        return dice.choice(forms)
