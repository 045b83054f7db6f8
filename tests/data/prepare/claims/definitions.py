"""What chess words mean, for the labelled claim corpus: plain definitions over python-chess, so that the truth of a
claim owes nothing to the code it tests. Where a word is quarrelled over there are two functions, `clearly_…` for cases
nobody disputes either way; what lies between is never labelled.
"""

import chess

VALUE = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 1000}
SLIDERS = {
    chess.BISHOP: [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    chess.ROOK: [(1, 0), (-1, 0), (0, 1), (0, -1)],
    chess.QUEEN: [(1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)],
}
HOME = {
    (chess.WHITE, chess.KNIGHT): (chess.B1, chess.G1),
    (chess.WHITE, chess.BISHOP): (chess.C1, chess.F1),
    (chess.BLACK, chess.KNIGHT): (chess.B8, chess.G8),
    (chess.BLACK, chess.BISHOP): (chess.C8, chess.F8),
}


def men(board, color=None):
    """(square, piece) of one side or both, a1 to h8."""
    return [(s, p) for s, p in sorted(board.piece_map().items()) if color is None or p.color == color]


def worth(board, square):
    return VALUE[board.piece_type_at(square)]


def attacks(board, by, target):
    """Pseudo-legal attack: nothing in between, pins ignored."""
    return bool(board.attacks_mask(by) & chess.BB_SQUARES[target])


def attackers(board, color, square):
    return list(board.attackers(color, square))


def aligned(by_type, by, target):
    """A line the man could attack along if nothing stood between."""
    if by == target:
        return False
    mask = chess.BB_EMPTY
    for df, dr in SLIDERS.get(by_type, []):
        f, r = chess.square_file(by) + df, chess.square_rank(by) + dr
        while 0 <= f < 8 and 0 <= r < 8:
            mask |= chess.BB_SQUARES[chess.square(f, r)]
            f, r = f + df, r + dr
    return bool(mask & chess.BB_SQUARES[target])


def seen_through_one(board, by, target):
    """True when the man would attack the target if a single man between them were gone: an X-ray."""
    piece = board.piece_at(by)
    if piece.piece_type not in SLIDERS or not aligned(piece.piece_type, by, target):
        return False
    return chess.popcount(chess.between(by, target) & board.occupied) == 1


def free_to_move(board, square):
    return not board.is_pinned(board.color_at(square), square)


def static_exchange(board, target, side):
    """What `side` wins in pawns by starting to take on `target`, each side stopping when it pays; pins are ignored."""
    occupied = board.occupied
    victim = worth(board, target)

    def best(color, occupied, victim):
        takers = chess.SquareSet(board.attackers_mask(color, target, occupied) & occupied)
        takers.discard(target)
        if not takers:
            return 0
        taker = min(takers, key=lambda s: VALUE[board.piece_type_at(s)])
        rest = occupied & ~chess.BB_SQUARES[taker]
        if board.piece_type_at(taker) == chess.KING and board.attackers_mask(not color, target, rest) & rest:
            return 0
        return max(0, victim - best(not color, rest, VALUE[board.piece_type_at(taker)]))

    return best(side, occupied, victim)


def clearly_hanging(board, square):
    """An unpinned man other than the king takes it, in a legal move if it is that side's turn, and wins it outright."""
    piece = board.piece_at(square)
    enemy = not piece.color
    if piece.piece_type == chess.KING:
        return False
    takers = [
        s for s in attackers(board, enemy, square) if free_to_move(board, s) and board.piece_type_at(s) != chess.KING
    ]
    if not takers or board.is_check():
        return False
    if attackers(board, piece.color, square):
        cheapest = min(worth(board, s) for s in takers)
        return worth(board, square) - cheapest >= 2 and static_exchange(board, square, enemy) >= 2
    return static_exchange(board, square, enemy) == worth(board, square)


def clearly_not_hanging(board, square):
    piece = board.piece_at(square)
    takers = attackers(board, not piece.color, square)
    if not takers:
        return True
    guarded = any(
        board.piece_type_at(s) == chess.PAWN and free_to_move(board, s) for s in attackers(board, piece.color, square)
    )
    return guarded and min(worth(board, s) for s in takers) >= worth(board, square) + 2


def clearly_undefended(board, square):
    return board.piece_type_at(square) != chess.KING and not attackers(board, board.color_at(square), square)


def clearly_defended(board, square):
    own = board.color_at(square)
    guards = attackers(board, own, square)
    return any(free_to_move(board, s) and board.piece_type_at(s) != chess.KING for s in guards)


def line_pieces(board, by):
    """For a slider: the first and second man on each ray, as (first, second or None)."""
    piece = board.piece_at(by)
    for df, dr in SLIDERS.get(piece.piece_type, []):
        found = []
        f, r = chess.square_file(by) + df, chess.square_rank(by) + dr
        while 0 <= f < 8 and 0 <= r < 8 and len(found) < 2:
            square = chess.square(f, r)
            if board.piece_at(square):
                found.append(square)
            f, r = f + df, r + dr
        if found:
            yield found[0], found[1] if len(found) > 1 else None


def pins(board, color=None):
    """(pinner, pinned, behind): absolute, or a minor piece before its queen with a cheaper pinner."""
    for by, piece in men(board):
        if piece.piece_type not in SLIDERS or (color is not None and piece.color != color):
            continue
        for front, back in line_pieces(board, by):
            if back is None or board.color_at(front) == piece.color or board.color_at(back) == piece.color:
                continue
            kind, behind = board.piece_type_at(front), board.piece_type_at(back)
            if behind == chess.KING and kind != chess.KING:
                yield by, front, back
            elif (
                behind == chess.QUEEN
                and kind in (chess.KNIGHT, chess.BISHOP)
                and piece.piece_type != chess.QUEEN
                and not attacks(board, front, by)
            ):
                yield by, front, back


def clearly_not_pinned(board, square):
    """No enemy slider looks at it along a line that goes on to anything of its own side dearer than a pawn."""
    own = board.color_at(square)
    for by, piece in men(board, not own):
        if piece.piece_type not in SLIDERS:
            continue
        for front, back in line_pieces(board, by):
            if front == square and back is not None and board.color_at(back) == own and worth(board, back) > 1:
                return False
    return board.piece_type_at(square) != chess.KING


def fork_targets(board, by):
    """Enemy men whose attack by this man is worth something beyond dispute: the king, dearer, or loose pieces."""
    own = worth(board, by)
    targets = []
    for square in board.attacks(by):
        piece = board.piece_at(square)
        if piece is None or piece.color == board.color_at(by) or piece.piece_type == chess.PAWN:
            continue
        if piece.piece_type == chess.KING or VALUE[piece.piece_type] > own or clearly_undefended(board, square):
            targets.append(square)
    return targets


def clearly_forks(board, by):
    """Two such targets, at least one of them dearer (or the king), by a man that nothing attacks."""
    if board.piece_type_at(by) == chess.KING or attackers(board, not board.color_at(by), by):
        return []
    targets = fork_targets(board, by)
    dear = [s for s in targets if worth(board, s) > worth(board, by)]
    return targets if len(targets) >= 2 and dear else []


def skewers(board):
    """(by, front, behind): front is dearer than what stands behind it and than the slider, which nothing attacks."""
    for by, piece in men(board):
        if piece.piece_type not in SLIDERS or attackers(board, not piece.color, by):
            continue
        for front, back in line_pieces(board, by):
            if back is None or board.color_at(front) == piece.color or board.color_at(back) == piece.color:
                continue
            if piece.piece_type == chess.QUEEN and board.piece_type_at(front) != chess.KING:
                continue
            if worth(board, front) > worth(board, back) >= 3 and worth(board, front) > VALUE[piece.piece_type]:
                # What stands behind must not strike back along the line.
                loose = clearly_undefended(board, back) or worth(board, back) > VALUE[piece.piece_type]
                if loose and not attacks(board, back, front):
                    yield by, front, back


def discoveries(before, move, after):
    """(slider, target): sliders of the mover that attack a king, a dearer man or a loose piece only since the move."""
    mover = before.turn
    touched = {move.from_square, move.to_square}
    for by, piece in men(after, mover):
        if piece.piece_type not in SLIDERS or by in touched or before.is_castling(move) or before.is_en_passant(move):
            continue
        for square in after.attacks(by):
            target = after.piece_at(square)
            if target is None or target.color == mover or attacks(before, by, square):
                continue
            if move.from_square not in chess.SquareSet(chess.between(by, square)) or square in touched:
                continue
            if target.piece_type == chess.KING or VALUE[target.piece_type] > VALUE[piece.piece_type]:
                yield by, square


def pawns(board, color):
    return list(board.pieces(chess.PAWN, color))


def files_of_pawns(board, color):
    return {chess.square_file(s) for s in pawns(board, color)}


def ahead(color, rank, other):
    """True when `other` lies further up the board than `rank` for that side."""
    return other > rank if color == chess.WHITE else other < rank


def is_passed(board, square):
    color, file, rank = board.color_at(square), chess.square_file(square), chess.square_rank(square)
    return not any(
        abs(chess.square_file(s) - file) <= 1 and ahead(color, rank, chess.square_rank(s))
        for s in pawns(board, not color)
    )


def clearly_passed(board, square):
    """Passed, and no own pawn in front of it on its file."""
    color, file, rank = board.color_at(square), chess.square_file(square), chess.square_rank(square)
    own = [s for s in pawns(board, color) if chess.square_file(s) == file and ahead(color, rank, chess.square_rank(s))]
    return is_passed(board, square) and not own


def is_isolated(board, square):
    file = chess.square_file(square)
    return not any(f in files_of_pawns(board, board.color_at(square)) for f in (file - 1, file + 1))


def pawn_islands(board, color):
    """Groups of files with pawns of the colour, with files without any between them."""
    files = {chess.square_file(square) for square in board.pieces(chess.PAWN, color)}
    return len("".join("#" if file in files else " " for file in range(8)).split())


def doubled_files(board, color):
    files = [chess.square_file(s) for s in pawns(board, color)]
    return sorted({f for f in files if files.count(f) > 1})


def pawn_attacks(board, color, square):
    return any(board.piece_type_at(s) == chess.PAWN for s in board.attackers(color, square))


def helpers(board, square):
    """Own pawns on the next files that stand beside or behind."""
    color, file, rank = board.color_at(square), chess.square_file(square), chess.square_rank(square)
    return [
        s
        for s in pawns(board, color)
        if abs(chess.square_file(s) - file) == 1 and not ahead(color, rank, chess.square_rank(s))
    ]


def clearly_backward(board, square):
    color, file, rank = board.color_at(square), chess.square_file(square), chess.square_rank(square)
    if is_isolated(board, square) or helpers(board, square) or file in {f for f in doubled_files(board, color)}:
        return False
    stop = square + (8 if color == chess.WHITE else -8)
    blocked = any(
        chess.square_file(s) == file and ahead(color, rank, chess.square_rank(s)) for s in pawns(board, not color)
    )
    return not blocked and pawn_attacks(board, not color, stop) and rank in ((1, 2) if color else (6, 5))


def clearly_not_backward(board, square):
    color = board.color_at(square)
    stop = square + (8 if color == chess.WHITE else -8)
    return bool(helpers(board, square)) and not pawn_attacks(board, not color, stop) and not is_isolated(board, square)


def shield(board, color):
    """Own pawns on the three files around the king, one or two ranks in front of it."""
    king = board.king(color)
    file, rank = chess.square_file(king), chess.square_rank(king)
    step = 1 if color == chess.WHITE else -1
    return [
        s
        for s in pawns(board, color)
        if abs(chess.square_file(s) - file) <= 1 and (chess.square_rank(s) - rank) * step in (1, 2)
    ]


def at_home_undeveloped(board, color):
    """Minor pieces on squares such pieces start from."""
    return [
        s
        for kind in (chess.KNIGHT, chess.BISHOP)
        for s in HOME[(color, kind)]
        if board.piece_at(s) == chess.Piece(kind, color)
    ]


def material(board, color):
    return sum(VALUE[p.piece_type] for _, p in men(board, color) if p.piece_type != chess.KING)


def balance(board, color):
    return material(board, color) - material(board, not color)


def surplus(board, color):
    """What one side has more of in one word or two, or None where words would be quarrelled over."""
    d = [len(board.pieces(k, color)) - len(board.pieces(k, not color)) for k in range(chess.PAWN, chess.KING)]
    pawn, knight, bishop, rook, queen = d
    minor = knight + bishop
    named = {
        (1, 0, 0, 0): "a pawn",
        (2, 0, 0, 0): "two pawns",
        (0, 1, 0, 0): "a piece",
        (0, -1, 1, 0): "the exchange",
        (0, 0, 1, 0): "a rook",
        (0, 0, 0, 1): "a queen",
        (0, 0, 0, 0): "",
    }
    return named.get((pawn, minor, rook, queen))


def clear_outpost(board, square):
    """A knight in the enemy half, guarded by a pawn, that no enemy pawn can ever chase."""
    color = board.color_at(square)
    rank, file = chess.square_rank(square), chess.square_file(square)
    deep = rank in ((4, 5) if color else (3, 2))
    chasers = [
        s
        for s in pawns(board, not color)
        if abs(chess.square_file(s) - file) == 1 and ahead(color, rank, chess.square_rank(s))
    ]
    return deep and board.piece_type_at(square) == chess.KNIGHT and pawn_attacks(board, color, square) and not chasers


def batteries(board):
    """(front, back): rook or queen behind rook or queen on a file, bishop and queen on a diagonal, nothing between,
    with two squares or more before the front man along the line, up the board. Men side by side are no clear case."""
    for back, piece in men(board):
        if piece.piece_type not in SLIDERS:
            continue
        for front, _ in line_pieces(board, back):
            other = board.piece_at(front)
            df = (chess.square_file(front) > chess.square_file(back)) - (
                chess.square_file(front) < chess.square_file(back)
            )
            dr = 1 if piece.color == chess.WHITE else -1
            if (
                other.color != piece.color
                or other.piece_type not in SLIDERS
                or chess.QUEEN not in (piece.piece_type, other.piece_type)
                and not piece.piece_type == other.piece_type == chess.ROOK
            ):
                continue
            if not ahead(piece.color, chess.square_rank(back), chess.square_rank(front)):
                continue
            if not (attacks(board, back, front) and attacks(board, front, back)):
                continue
            before = [
                chess.square(chess.square_file(front) + df * n, chess.square_rank(front) + dr * n)
                for n in (1, 2)
                if 0 <= chess.square_file(front) + df * n < 8 and 0 <= chess.square_rank(front) + dr * n < 8
            ]
            if len(before) == 2 and all(attacks(board, front, s) for s in before):
                yield front, back


def threatens_mate(after):
    """The side that has just moved would mate if it could move again. None in check, where that has no sense."""
    if after.is_check() or after.is_game_over():
        return None
    free = after.copy(stack=False)
    free.push(chess.Move.null())
    for move in free.legal_moves:
        free.push(move)
        mate = free.is_checkmate()
        free.pop()
        if mate:
            return True
    return False
