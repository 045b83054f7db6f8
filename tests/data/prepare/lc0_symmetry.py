"""How Lc0's canonical input formats have turned a board, found by trying; and a policy index turned the same way.

That the policy is turned as the planes are was checked against `lc0` itself, `go nodes 1` with --verbose-move-stats: 0.31.2
agrees. 0.32.1 agrees but for boards turned along the diagonal (no pawns, no castling rights), whose policy it reads as if the
board had been turned half round: the planes were not, so that is taken to be a slip of that version.
"""


def turned(square, files, ranks, diagonal):
    """A square (0 is a1, 63 is h8) after the three mirrors in turn."""
    if files:
        square ^= 7
    if ranks:
        square ^= 56
    if diagonal:
        file, rank = square & 7, square >> 3
        square = (7 - file) * 8 + 7 - rank
    return square


def turned_mask(mask, turn):
    return sum(1 << turned(square, *turn) for square in range(64) if mask >> square & 1)


# Without the diagonal first: on a board that is the same on both sides of it, Lc0 leaves it alone.
TURNS = [(files, ranks, diagonal) for diagonal in (0, 1) for ranks in (0, 1) for files in (0, 1)]


def turn_of(plain, canonical):
    """The turn that makes the men of `canonical` out of those of `plain`, two of the evaluator's inputs."""
    for turn in TURNS:
        if all(turned_mask(plain.mask(i), turn) == canonical.mask(i) for i in range(12)):
            return turn
    raise ValueError("no symmetry of the board")


def moves():
    """From-square, to-square and promotion of every policy index."""
    table = []
    for a in range(64):
        for b in range(64):
            files, ranks = abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3))
            if a != b and (files == 0 or ranks == 0 or files == ranks or {files, ranks} == {1, 2}):
                table.append((a, b, ""))
    for a in range(48, 56):
        for b in (a + 7, a + 8, a + 9):
            if b >> 3 == 7 and abs((a & 7) - (b & 7)) <= 1:
                table.extend((a, b, piece) for piece in "qrb")
    return table


MOVES = moves()
INDICES = {move: index for index, move in enumerate(MOVES)}


def turned_index(index, turn):
    a, b, promotion = MOVES[index]
    return INDICES[turned(a, *turn), turned(b, *turn), promotion]
