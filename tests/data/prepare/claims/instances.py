"""Claims without words: for a position, what may be said of it, with its truth.

Each function yields (shape, slots, truth). A shape is "kind" or "kind.how"; the templates of that shape say it in
words and name the slots. Static shapes speak of a board alone and serve inside variations too; move shapes
(move_instances.py) speak of the move that was played; engine shapes (engine_instances.py) of the engine's lines.
"""

import chess
import definitions as d
from words import FILES, Man, Side, role_name

MINORS = (chess.KNIGHT, chess.BISHOP)
PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def man(board, square):
    piece = board.piece_at(square)
    return Man(piece.color, piece.piece_type, square, board)


def name(square):
    return chess.square_name(square)


def placement(board, dice):
    for square, piece in d.men(board):
        slots = {"man": man(board, square), "sq": name(square), "side": Side(piece.color), "role": role_name(piece)}
        yield "placement.on", slots, True
        yield "placement.presumed", slots, True
        others = [k for k in PIECES if k != piece.piece_type] + [chess.PAWN] * (
            square not in chess.SquareSet(chess.BB_BACKRANKS)
        )
        kind = dice.choice([k for k in others if k != piece.piece_type] or [chess.QUEEN])
        wrong = {**slots, "man": Man(piece.color, kind, square, board), "role": chess.piece_name(kind)}
        if piece.piece_type != chess.KING:
            yield "placement.on", wrong, False
            yield "placement.presumed", wrong, False
            empty = dice.choice([s for s in chess.SQUARES if board.piece_at(s) is None])
            if piece.piece_type != chess.PAWN or empty not in chess.SquareSet(chess.BB_BACKRANKS):
                moved = {**slots, "man": Man(piece.color, piece.piece_type, empty, board), "sq": name(empty)}
                yield "placement.on", moved, False
                yield "placement.presumed", moved, False
        yield "placement.empty", {"sq": name(square)}, False
    for square in chess.SQUARES:
        if board.piece_at(square) is None and 1 < chess.square_rank(square) < 6:
            yield "placement.empty", {"sq": name(square)}, True


def attack(board, dice):
    for by, piece in d.men(board):
        for target, other in d.men(board, not piece.color):
            if other.piece_type == chess.KING:
                continue
            slots = {"by": man(board, by), "target": man(board, target), "sq": name(target)}
            if d.attacks(board, by, target) and d.free_to_move(board, by):
                yield "attack.by", slots, True
            elif not d.attacks(board, by, target) and not d.seen_through_one(board, by, target):
                if other.piece_type != chess.PAWN or dice.random() < 0.15:
                    yield "attack.by", slots, False
        if piece.piece_type == chess.KING:
            continue
        for square in dice.sample(list(chess.SQUARES), 10):
            if board.piece_at(square) is None and 1 < chess.square_rank(square) < 6:
                slots = {"by": man(board, by), "sq": name(square)}
                # A pawn's square in front of it is "controlled" by some writers: left out.
                if d.attacks(board, by, square) and d.free_to_move(board, by):
                    yield "attack.square", slots, True
                elif not d.attacks(board, by, square) and not d.seen_through_one(board, by, square):
                    if piece.piece_type != chess.PAWN:
                        yield "attack.square", slots, False
    for target, piece in d.men(board):
        if piece.piece_type == chess.KING:
            continue
        by = d.attackers(board, not piece.color, target)
        slots = {"target": man(board, target), "side": Side(piece.color), "enemy": Side(not piece.color)}
        if not by:
            yield "attack.attacked", slots, False
        elif any(d.free_to_move(board, s) for s in by):
            yield "attack.attacked", slots, True


def defence(board, dice):
    for by, piece in d.men(board):
        if piece.piece_type == chess.KING or not d.free_to_move(board, by):
            continue
        for target, other in d.men(board, piece.color):
            if other.piece_type == chess.KING or target == by:
                continue
            slots = {"by": man(board, by), "target": man(board, target), "sq": name(target)}
            if d.attacks(board, by, target):
                yield "defence.by", slots, True
            elif not d.seen_through_one(board, by, target) and (other.piece_type != chess.PAWN or dice.random() < 0.3):
                yield "defence.by", slots, False
    for target, piece in d.men(board):
        slots = {"target": man(board, target), "side": Side(piece.color), "enemy": Side(not piece.color)}
        if d.clearly_undefended(board, target):
            yield "defence.defended", slots, False
            yield "undefended", slots, True
        elif d.clearly_defended(board, target) and piece.piece_type != chess.KING:
            yield "defence.defended", slots, True
            yield "undefended", slots, False
        if piece.piece_type != chess.KING and not board.is_check():
            attacked = d.attackers(board, not piece.color, target)
            if d.clearly_hanging(board, target) and piece.color != board.turn:
                yield "hanging.is", slots, True
                if d.clearly_undefended(board, target):
                    yield "hanging.free", slots, True
            elif d.clearly_not_hanging(board, target) and piece.piece_type != chess.PAWN:
                yield "hanging.is", slots, False
                if not attacked:
                    yield "hanging.free", slots, False


def lines(board, dice):
    pinned = {}
    for by, front, back in d.pins(board):
        pinned[front] = (by, back)
        slots = {"by": man(board, by), "man": man(board, front), "behind": man(board, back)}
        yield "pin.is", slots, True
        yield "pin.by", slots, True
        yield "pin.to", slots, True
    for square, piece in d.men(board):
        if piece.piece_type in (chess.KING, chess.PAWN) or not d.clearly_not_pinned(board, square):
            continue
        enemies = [s for s, p in d.men(board, not piece.color) if p.piece_type in d.SLIDERS]
        dear = [board.king(piece.color)] + list(board.pieces(chess.QUEEN, piece.color) - chess.SquareSet([square]))
        slots = {"man": man(board, square), "behind": man(board, dice.choice(dear))}
        yield "pin.is", slots, False
        yield "pin.to", slots, False
        if enemies:
            yield "pin.by", {**slots, "by": man(board, dice.choice(enemies))}, False
    real = set()
    for by, front, back in d.skewers(board):
        real.add(by)
        yield "skewer", {"by": man(board, by), "front": man(board, front), "behind": man(board, back)}, True
    for by, piece in d.men(board):
        enemies = [s for s, p in d.men(board, not piece.color) if p.piece_type != chess.PAWN]
        if piece.piece_type not in d.SLIDERS or by in real or len(enemies) < 2:
            continue
        front, back = sorted(dice.sample(enemies, 2), key=lambda s: -d.worth(board, s))
        if d.worth(board, front) > d.worth(board, back) and not d.attacks(board, by, front):
            if not d.seen_through_one(board, by, front):
                yield "skewer", {"by": man(board, by), "front": man(board, front), "behind": man(board, back)}, False
    for a, b in d.batteries(board):
        yield "battery", {"a": man(board, a), "b": man(board, b), "side": Side(board.color_at(a))}, True
    for a, piece in d.men(board):
        for b, other in d.men(board, piece.color):
            both = piece.piece_type in d.SLIDERS and other.piece_type in d.SLIDERS and a < b
            if both and not d.aligned(chess.QUEEN, a, b) and chess.QUEEN in (piece.piece_type, other.piece_type):
                yield "battery", {"a": man(board, a), "b": man(board, b), "side": Side(piece.color)}, False


def forks(board, dice):
    for by, piece in d.men(board):
        if piece.piece_type == chess.KING:
            continue
        targets = d.clearly_forks(board, by)
        if len(targets) >= 2:
            a, b = sorted(targets, key=lambda s: -d.worth(board, s))[:2]
            yield "fork.by", {"by": man(board, by), "a": man(board, a), "b": man(board, b)}, True
            yield "fork.of", {"by": man(board, by), "a": man(board, a), "b": man(board, b)}, True
        enemies = [s for s, p in d.men(board, not piece.color) if p.piece_type != chess.PAWN]
        hit = [s for s in enemies if d.attacks(board, by, s)]
        far = [s for s in enemies if not d.attacks(board, by, s) and not d.seen_through_one(board, by, s)]
        if len(hit) <= 1 and len(far) >= 2 and piece.piece_type != chess.PAWN:
            pair = (hit + dice.sample(far, 2))[:2]
            a, b = sorted(pair, key=lambda s: -d.worth(board, s))
            yield "fork.by", {"by": man(board, by), "a": man(board, a), "b": man(board, b)}, False
            yield "fork.of", {"by": man(board, by), "a": man(board, a), "b": man(board, b)}, False


def structure(board, dice):
    for square, piece in d.men(board):
        if piece.piece_type == chess.KNIGHT:
            slots = {"man": man(board, square), "side": Side(piece.color)}
            if d.clear_outpost(board, square):
                yield "outpost", slots, True
            elif chess.square_rank(square) in ((0, 1, 2) if piece.color else (7, 6, 5)):
                yield "outpost", slots, False
        if piece.piece_type != chess.PAWN:
            continue
        slots = {"pawn": man(board, square), "side": Side(piece.color), "sq": name(square)}
        if d.clearly_passed(board, square):
            yield "passed.is", slots, True
        elif not d.is_passed(board, square):
            yield "passed.is", slots, False
        yield "isolated.is", slots, d.is_isolated(board, square)
        if d.clearly_backward(board, square):
            yield "backward", slots, True
        elif d.clearly_not_backward(board, square):
            yield "backward", slots, False
    for color in chess.COLORS:
        own = d.pawns(board, color)
        side = Side(color)
        if own and all(not d.is_passed(board, s) for s in own):
            yield "passed.any", {"side": side}, False
        if any(d.clearly_passed(board, s) for s in own):
            yield "passed.any", {"side": side}, True
        doubled = d.doubled_files(board, color)
        for file in range(8):
            if file in d.files_of_pawns(board, color):
                yield "doubled.file", {"side": side, "file": FILES[file]}, file in doubled
        if own:
            yield "doubled.any", {"side": side}, bool(doubled)
    for file in range(8):
        mine = [any(chess.square_file(s) == file for s in d.pawns(board, c)) for c in chess.COLORS]
        if not any(mine) or all(mine):
            yield "openfile.is", {"file": FILES[file]}, not any(mine)
            for square, piece in d.men(board):
                if piece.piece_type == chess.ROOK and chess.square_file(square) == file:
                    yield "openfile.rook", {"rook": man(board, square), "file": FILES[file]}, not any(mine)
        for color in chess.COLORS:
            own, theirs = mine[1 - color], mine[color]  # chess.COLORS is white, black; WHITE is True
            if not own and theirs:
                yield "halfopen", {"side": Side(color), "file": FILES[file]}, True
            elif own:
                yield "halfopen", {"side": Side(color), "file": FILES[file]}, False


def king_safety(board, dice):
    queens = bool(board.queens)
    for color in chess.COLORS:
        side, king = Side(color), board.king(color)
        home = 0 if color else 7
        file, rank = chess.square_file(king), chess.square_rank(king)
        slots = {"side": side, "enemy": Side(not color), "king": man(board, king)}
        rights = bool(board.clean_castling_rights() & (chess.BB_RANK_1 if color else chess.BB_RANK_8))
        rook = chess.Piece(chess.ROOK, color)
        if (
            file == 6
            and rank == home
            and board.piece_at(chess.square(5, home)) == rook
            and len(d.shield(board, color)) >= 2
        ):
            yield "kingsafety.castled", slots, True
        elif file == 4 and rank == home and rights:
            yield "kingsafety.castled", slots, False
        if len(board.piece_map()) >= 20:
            if file == 4 and rank == home:
                yield "kingsafety.centre", slots, True
            elif file in (0, 1, 6, 7) and rank == home:
                yield "kingsafety.centre", slots, False
        cover = d.shield(board, color)
        second = [s for s in cover if abs(chess.square_rank(s) - rank) == 1]
        if file in (1, 6) and rank == home and len(second) == 3:
            yield "kingsafety.sheltered", slots, True
            if queens and not board.is_check() and not any(board.attackers(not color, s) for s in board.attacks(king)):
                yield "kingsafety.exposed", slots, False
        elif not cover and queens:
            yield "kingsafety.sheltered", slots, False
            if board.queens & board.occupied_co[not color] and file in range(1, 7):
                if sum(bool(board.attackers(not color, s)) for s in board.attacks(king)) >= 3:
                    yield "kingsafety.exposed", slots, True


def rights(board, dice):
    for color in chess.COLORS:
        side = Side(color)
        home = chess.BB_RANK_1 if color else chess.BB_RANK_8
        has = board.clean_castling_rights() & home
        slots = {"side": side}
        yield "castling.right", slots, bool(has)
        if color == board.turn and not board.is_check():
            for wing, mask, king_to in (("kingside", chess.BB_FILE_H, 6), ("queenside", chess.BB_FILE_A, 2)):
                can = any(board.is_castling(m) and chess.square_file(m.to_square) == king_to for m in board.legal_moves)
                if can or not has & mask:
                    sign = "O-O" if king_to == 6 else "O-O-O"
                    yield "castling.can", {**slots, "wing": wing, "castles": sign}, can


def state(board, dice):
    turn = Side(board.turn)
    check = board.is_check()
    for color in chess.COLORS:
        side = Side(color)
        if not board.is_game_over():
            yield "turn", {"side": side, "enemy": Side(not color)}, color == board.turn
        if check and not board.is_checkmate():
            yield "check.in", {"side": side, "king": man(board, board.king(color))}, color == board.turn
        elif not check:
            yield "check.in", {"side": side, "king": man(board, board.king(color))}, False
    if check:
        yield "mate.is", {"side": turn, "enemy": Side(not board.turn)}, board.is_checkmate()
    elif len(list(board.legal_moves)) <= 12 or dice.random() < 0.2:
        yield "stalemate", {"side": turn, "enemy": Side(not board.turn)}, board.is_stalemate()
        if not board.is_stalemate():
            yield "mate.is", {"side": turn, "enemy": Side(not board.turn)}, False


def development(board, dice):
    missing = {c: len(d.at_home_undeveloped(board, c)) for c in chess.COLORS}
    for color in chess.COLORS:
        side = Side(color)
        for square, piece in d.men(board, color):
            if piece.piece_type in MINORS:
                slots = {"side": side, "man": man(board, square)}
                if square in d.HOME[(color, piece.piece_type)]:
                    yield "development.home", slots, True
                elif chess.square_rank(square) not in (0, 7):
                    yield "development.home", slots, False
        minors = sum(p.piece_type in MINORS for _, p in d.men(board, color))
        if board.fullmove_number <= 20:
            if missing[color] == 0 and minors >= 3:
                yield "development.all", {"side": side}, True
            elif missing[color] >= 2:
                yield "development.all", {"side": side}, False
            if minors == 4 and len(board.piece_map()) >= 27 and missing[color] - missing[not color] >= 2:
                yield "development.lead", {"side": Side(not color), "enemy": side}, True
                yield "development.lead", {"side": side, "enemy": Side(not color)}, False


def legality(board, dice):
    """Moves of the side to move: legal, or near misses that neither side could play."""
    side = Side(board.turn)
    legal = {board.san(m).rstrip("+#"): m for m in board.legal_moves}
    theirs = board.copy(stack=False)
    theirs.turn = not theirs.turn
    for san, move in dice.sample(sorted(legal.items()), min(6, len(legal))):
        if not board.is_castling(move):
            yield "legality.move", {"side": side, "reply": board.san(move), "move": move}, True
            moved = board.piece_at(move.from_square)
            if moved.piece_type != chess.PAWN:
                slots = {"side": side, "man": man(board, move.from_square), "sq": name(move.to_square)}
                yield "legality.reach", slots, True
    letters = {chess.KNIGHT: "N", chess.BISHOP: "B", chess.ROOK: "R", chess.QUEEN: "Q", chess.KING: "K"}
    for square, piece in d.men(board, board.turn):
        if piece.piece_type == chess.PAWN:
            continue
        for to in dice.sample(list(chess.SQUARES), 6):
            occupant = board.piece_at(to)
            if to == square or (occupant is not None and occupant.piece_type == chess.KING):
                continue
            san = letters[piece.piece_type] + ("x" if occupant and occupant.color != board.turn else "") + name(to)
            fits = any(san in (s, s[0] + s[2:], s[0] + s[3:]) for s in legal)
            other = False
            for color in chess.COLORS:
                other |= any(d.attacks(board, s, to) for s in board.pieces(piece.piece_type, color))
            if not fits and not other:
                yield "legality.move", {"side": side, "reply": san, "move": None}, False
                yield "legality.reach", {"side": side, "man": man(board, square), "sq": name(to)}, False
    for target, piece in d.men(board, not board.turn):
        if piece.piece_type == chess.KING:
            continue
        takers = {m.from_square for m in board.legal_moves if m.to_square == target}
        for by, own in d.men(board, board.turn):
            slots = {"side": side, "by": man(board, by), "target": man(board, target), "sq": name(target)}
            if by in takers:
                yield "capture.can", slots, True
            elif not d.attacks(board, by, target) and dice.random() < 0.1 and own.piece_type != chess.PAWN:
                yield "capture.can", slots, False
    promoting = {name(m.to_square) for m in board.legal_moves if m.promotion}
    yield "promotion.can", {"side": side}, bool(promoting)


def material(board, dice):
    """Only where it is quiet: nobody is in check and nothing clearly hangs."""
    if board.is_check() or any(p.piece_type != chess.KING and d.clearly_hanging(board, s) for s, p in d.men(board)):
        return
    if any(d.static_exchange(board, s, not p.color) > 0 for s, p in d.men(board) if p.piece_type != chess.KING):
        return
    what = ["a pawn", "two pawns", "a piece", "the exchange", "a rook", "a queen"]
    for color in chess.COLORS:
        side, enemy = Side(color), Side(not color)
        ahead = d.surplus(board, color)
        if ahead == "":
            yield "material.even", {}, True
            yield "material.up", {"side": side, "enemy": enemy, "what": dice.choice(what)}, False
        elif ahead:
            yield "material.up", {"side": side, "enemy": enemy, "what": ahead}, True
            yield "material.up", {"side": enemy, "enemy": side, "what": dice.choice(what)}, False
            yield "material.even", {}, False


STATIC = [
    placement,
    attack,
    defence,
    lines,
    forks,
    structure,
    king_safety,
    rights,
    state,
    development,
    legality,
    material,
]
# What a variation may end in: shapes that read well after "if … then".
IN_VARIATIONS = {
    "placement.on",
    "attack.by",
    "attack.attacked",
    "defence.by",
    "defence.defended",
    "pin.is",
    "fork.by",
    "hanging.is",
    "undefended",
    "passed.is",
    "isolated.is",
    "doubled.any",
    "doubled.file",
    "openfile.is",
    "halfopen",
    "check.in",
    "mate.is",
    "skewer",
}


def static(board, dice):
    for of in STATIC:
        yield from of(board, dice)
