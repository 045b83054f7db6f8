"""Claims about the move itself, about its alternatives and about the replies, with their truth."""

import random

import chess
import definitions as d
from instances import man, name
from words import FILES, Man, Side

ROLES = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def of_the_move(p, dice):
    before, move, after = p.before, p.move, p.after
    side, enemy, moved = Side(p.mover), Side(not p.mover), man(after, p.to)
    base = {"side": side, "enemy": enemy, "moved": moved, "sq": name(p.to)}
    taken = before.piece_type_at(move.to_square) if not before.is_en_passant(move) else chess.PAWN
    if before.is_castling(move):
        taken = None
    if taken:
        target = name(move.to_square)
        yield "capture.role", {**base, "role": chess.piece_name(taken), "at": target}, True
        wrong = dice.choice([r for r in ROLES if r != taken])
        yield "capture.role", {**base, "role": chess.piece_name(wrong), "at": target}, False
        yield "capture.any", base, True
    else:
        yield "capture.role", {**base, "role": chess.piece_name(dice.choice(ROLES)), "at": name(p.to)}, False
        yield "capture.any", base, False
    yield "check.gives", base, after.is_check()
    yield "mate.gives", base, after.is_checkmate()
    if after.is_stalemate() or len(list(after.legal_moves)) < 15:
        yield "stalemate.gives", base, after.is_stalemate()
    castling = before.is_castling(move)
    short = castling and chess.square_file(move.to_square) == 6
    if castling or before.piece_type_at(move.from_square) in (chess.KING, chess.ROOK) or dice.random() < 0.2:
        for wing in ("kingside", "queenside"):
            right = castling and (wing == "kingside") == short
            words = {"wing": wing, "length": "short" if wing == "kingside" else "long"}
            yield "castling.move", {**base, **words}, right
    had = before.clean_castling_rights() & (chess.BB_RANK_1 if p.mover else chess.BB_RANK_8)
    has = after.clean_castling_rights() & (chess.BB_RANK_1 if p.mover else chess.BB_RANK_8)
    if had and not castling:
        yield "castling.gives_up", base, not has
    if move.promotion:
        for role in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT):
            if role == move.promotion or dice.random() < 0.4:
                yield "promotion.role", {**base, "role": chess.piece_name(role)}, role == move.promotion
        yield "promotion.any", base, True
    elif moved.role == chess.PAWN or dice.random() < 0.3:
        yield "promotion.any", base, False
        yield "promotion.role", {**base, "role": dice.choice(["queen", "knight"])}, False
    start = d.HOME.get((p.mover, moved.role), ())
    if move.from_square in start and not move.promotion:
        yield "development.move", {**base, "role": chess.piece_name(moved.role)}, True
        other = "bishop" if moved.role == chess.KNIGHT else "knight"
        yield "development.move", {**base, "role": other}, False
    elif moved.role in (chess.PAWN, chess.QUEEN, chess.KING, chess.ROOK):
        if not castling and not move.promotion:
            yield "development.move", {**base, "role": dice.choice(["knight", "bishop"])}, False
    if castling:
        return
    # What the man that moved does now.
    for target, other in d.men(after, not p.mover):
        if other.piece_type == chess.KING:
            continue
        slots = {**base, "target": man(after, target)}
        if d.attacks(after, p.to, target) and d.free_to_move(after, p.to):
            yield "attack.moved", slots, True
        elif not d.attackers(after, p.mover, target) and not d.seen_through_one(after, p.to, target):
            if other.piece_type != chess.PAWN:
                yield "attack.moved", slots, False
    for target, other in d.men(after, p.mover):
        if other.piece_type == chess.KING or target == p.to or moved.role == chess.KING:
            continue
        slots = {**base, "target": man(after, target)}
        if d.attacks(after, p.to, target) and d.free_to_move(after, p.to):
            yield "defence.moved", slots, True
        elif not d.attacks(after, p.to, target) and not d.seen_through_one(after, p.to, target):
            # A defence by another man that the move opened up would be the move's too.
            if set(d.attackers(after, p.mover, target)) <= set(d.attackers(before, p.mover, target)):
                yield "defence.moved", slots, False
    targets = d.clearly_forks(after, p.to)
    if targets:
        a, b = sorted(targets, key=lambda s: -d.worth(after, s))[:2]
        yield "fork.moved", {**base, "a": man(after, a), "b": man(after, b)}, True
        yield "fork.any", base, True
    elif moved.role != chess.KING:
        hit = [s for s in after.attacks(p.to) if after.color_at(s) == (not p.mover)]
        far = [
            s
            for s, q in d.men(after, not p.mover)
            if q.piece_type != chess.PAWN and s not in hit and not d.seen_through_one(after, p.to, s)
        ]
        if not hit or (len(hit) == 1 and after.piece_type_at(hit[0]) == chess.PAWN):
            yield "fork.any", base, False
            if len(far) >= 2:
                a, b = sorted(dice.sample(far, 2), key=lambda s: -d.worth(after, s))
                yield "fork.moved", {**base, "a": man(after, a), "b": man(after, b)}, False
    pinned = [x for x in d.pins(after) if x[0] == p.to]
    for by, front, back in pinned:
        yield "pin.moved", {**base, "man": man(after, front), "behind": man(after, back)}, True
    if moved.role in d.SLIDERS and not pinned:
        for square, piece in d.men(after, not p.mover):
            if piece.piece_type in (chess.KNIGHT, chess.BISHOP, chess.ROOK) and d.clearly_not_pinned(after, square):
                yield "pin.moved", {
                    **base,
                    "man": man(after, square),
                    "behind": man(after, after.king(not p.mover)),
                }, False
    found = list(d.discoveries(before, move, after))
    for by, target in found:
        slots = {**base, "by": man(after, by), "target": man(after, target)}
        yield ("discovered.check" if target == after.king(not p.mover) else "discovered.attack"), slots, True
    sliders = [s for s, q in d.men(after, p.mover) if q.piece_type in d.SLIDERS and s != p.to]
    if not found and sliders:
        if after.is_check():
            yield "discovered.check", {**base, "by": man(after, sliders[0])}, p.to not in after.checkers()
        by = dice.choice(sliders)
        for target, other in d.men(after, not p.mover):
            dear = other.piece_type in (chess.QUEEN, chess.ROOK)
            if dear and not d.attackers(after, p.mover, target) and not d.seen_through_one(after, by, target):
                yield "discovered.attack", {**base, "by": man(after, by), "target": man(after, target)}, False
                if not after.is_check():
                    yield "discovered.check", {**base, "by": man(after, by)}, False
    threat = d.threatens_mate(after)
    if threat is True or (threat is False and not p.mate_in_sight()):
        yield "matethreat", base, threat


def no_longer(p, dice):
    """What the move stopped: attacks and defences that were there and are not, or still are."""
    before, move, after = p.before, p.move, p.after
    if before.is_castling(move) or move.promotion:
        return
    where = {s: s for s, _ in d.men(before)}
    where.pop(move.to_square, None)
    where[move.from_square] = move.to_square
    for old, by in where.items():
        piece = before.piece_at(old)
        if piece.piece_type == chess.KING or after.piece_at(by) != piece:
            continue
        for old_target, target in where.items():
            other = before.piece_at(old_target)
            if old_target == old or after.piece_at(target) != other or other.piece_type == chess.KING:
                continue
            was, now = d.attacks(before, old, old_target), d.attacks(after, by, target)
            if not was or (not now and d.seen_through_one(after, by, target)):
                continue
            shape = "attack.no_longer" if piece.color != other.color else "defence.no_longer"
            if other.piece_type == chess.PAWN and dice.random() < 0.6:
                continue
            yield shape, {"by": man(after, by), "target": man(after, target), "side": Side(piece.color)}, not now


def pawns_of_the_move(p, dice):
    before, move, after = p.before, p.move, p.after
    side, enemy = Side(p.mover), Side(not p.mover)
    base = {"side": side, "enemy": enemy}
    if p.moved == chess.PAWN and not move.promotion:
        pawn = {**base, "pawn": man(after, p.to)}
        if d.clearly_passed(after, p.to) and not d.is_passed(before, move.from_square):
            yield "passed.made", pawn, True
        elif not d.is_passed(after, p.to):
            yield "passed.made", pawn, False
    for color, shape in ((p.mover, "doubled.own"), (not p.mover, "doubled.theirs")):
        for file in range(8):
            was, now = file in d.doubled_files(before, color), file in d.doubled_files(after, color)
            if now and not was:
                if shape == "doubled.own":
                    yield shape, {**base, "file": FILES[file]}, True
            elif not now and file in d.files_of_pawns(after, color) and shape == "doubled.own":
                yield shape, {**base, "file": FILES[file]}, False
    for file in range(8):
        was, now = before.pawns & chess.BB_FILES[file], after.pawns & chess.BB_FILES[file]
        if was and not now:
            yield "openfile.opens", {**base, "file": FILES[file]}, True
        elif was and now and abs(file - chess.square_file(p.to)) <= 2:
            yield "openfile.opens", {**base, "file": FILES[file]}, False


def trades(p, dice):
    before, move, after = p.before, p.move, p.after
    side = Side(p.mover)
    retakes = [m for m in after.legal_moves if m.to_square == p.to]
    taken = before.piece_type_at(move.to_square)
    even = taken and taken != chess.PAWN and taken == p.moved and not move.promotion
    if even and retakes and p.reply() in retakes:
        yield "trade.move", {"side": side, "role": chess.piece_name(taken)}, True
        wrong = dice.choice([r for r in (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN) if r != taken])
        yield "trade.move", {"side": side, "role": chess.piece_name(wrong)}, False
    elif not taken and not before.is_en_passant(move):
        both = [
            r
            for r in (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
            if after.pieces(r, True) and after.pieces(r, False)
        ]
        for role in both:
            facing = any(
                d.attacks(after, a, b) or d.attacks(after, b, a)
                for a in after.pieces(role, True)
                for b in after.pieces(role, False)
            )
            if not facing:
                yield "trade.move", {"side": side, "role": chess.piece_name(role)}, False
                yield "trade.offers", {"side": side, "role": chess.piece_name(role)}, False
    if p.moved in (chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KNIGHT) and not taken and not after.is_check():
        for target in after.attacks(p.to):
            enemy = after.piece_at(target)
            if enemy == chess.Piece(p.moved, not p.mover) and d.clearly_defended(after, p.to):
                if d.free_to_move(after, p.to) and not d.attacks(before, move.from_square, target):
                    yield "trade.offers", {"side": side, "role": chess.piece_name(p.moved)}, True


def replies(p, dice):
    """What the opponent's moves would do, and what they would not."""
    after = p.after
    enemy = Side(not p.mover)
    legal = list(after.legal_moves)
    for move in dice.sample(legal, min(14, len(legal))):
        yield from one_move(after, move, dice, "reply", enemy)
    for move in legal:
        if after.is_capture(move) and not after.is_en_passant(move) and not move.promotion:
            taker, taken = after.piece_type_at(move.from_square), after.piece_type_at(move.to_square)
            then = after.copy(stack=False)
            then.push(move)
            back = [m for m in then.legal_moves if m.to_square == move.to_square]
            if taker == taken != chess.PAWN and back:
                follow = then.san(dice.choice(back))
                slots = {"reply": after.san(move), "follow": follow, "role": chess.piece_name(taken), "enemy": enemy}
                yield "trade.line", slots, True
                wrong = dice.choice([r for r in ROLES[1:] if r not in (taken, then.piece_type_at(back[0].from_square))])
                yield "trade.line", {**slots, "role": chess.piece_name(wrong)}, False


def answers_that_take(p, dice):
    """A reply and an answer to it that takes something."""
    after, dice = p.after, random.Random(p.id)
    slots = {"enemy": Side(not p.mover), "side": Side(p.mover)}
    for move in after.legal_moves:
        then = after.copy(stack=False)
        then.push(move)
        taking = [m for m in then.legal_moves if then.is_capture(m) and not then.is_en_passant(m) and not m.promotion]
        for answer in taking[:2]:
            line = {**slots, "reply": after.san(move), "follow": then.san(answer)}
            taken = then.piece_type_at(answer.to_square)
            yield "capture.line", {**line, "role": chess.piece_name(taken)}, True
            # What the reply takes is no answer's prey, but it leaves the board in the line as well.
            wrong = [r for r in ROLES if r not in (taken, after.piece_type_at(move.to_square))]
            yield "capture.line", {**line, "role": chess.piece_name(dice.choice(wrong))}, False


def continuations(p, dice):
    """A reply and an answer to it: one that can be played, or one that could have been but for the reply."""
    after = p.after
    if after.is_check() or after.is_game_over():
        return
    passed = after.copy(stack=False)
    passed.push(chess.Move.null())
    could = {plain(passed.san(m)): m for m in passed.legal_moves}
    legal = list(after.legal_moves)
    slots = {"enemy": Side(not p.mover), "side": Side(p.mover)}
    for move in dice.sample(legal, min(10, len(legal))):
        then = after.copy(stack=False)
        then.push(move)
        can = {plain(then.san(m)): then.san(m) for m in then.legal_moves}
        if not can:
            continue
        reply = after.san(move)
        yield "legality.line", {**slots, "reply": reply, "follow": dice.choice(sorted(can.values()))}, True
        # Captures of what is gone are written without the cross: only moves to other squares, by other men.
        cannot = sorted(s for s, m in could.items() if s not in can and m.to_square != move.to_square)
        if cannot:
            yield "legality.line", {**slots, "reply": reply, "follow": dice.choice(cannot)}, False


def plain(san):
    """SAN without check marks, crosses and what tells two men apart."""
    san = san.rstrip("+#").replace("x", "")
    return san[0] + san[-2:] if san[0] in "NBRQK" else san


def alternatives(p, dice):
    legal = [m for m in p.before.legal_moves if m != p.move]
    for move in dice.sample(legal, min(14, len(legal))):
        yield from one_move(p.before, move, dice, "instead", Side(p.mover))


def one_move(board, move, dice, how, side):
    """Check, capture, attack, fork and mate of a move that was not played."""
    if board.is_castling(move):
        return
    then = board.copy(stack=False)
    then.push(move)
    base = {"alt": board.san(move), "side": side}
    yield f"check.{how}", base, then.is_check()
    if then.is_check():
        yield f"mate.{how}", base, then.is_checkmate()
    taken = board.piece_at(move.to_square)
    if taken and not board.is_en_passant(move):
        yield f"capture.{how}", {**base, "role": chess.piece_name(taken.piece_type)}, True
        wrong = dice.choice([r for r in ROLES if r != taken.piece_type])
        yield f"capture.{how}", {**base, "role": chess.piece_name(wrong)}, False
    mover = board.turn
    piece = then.piece_at(move.to_square)
    by = Man(mover, piece.piece_type, move.to_square, then)
    for target, other in d.men(then, not mover):
        if other.piece_type in (chess.KING, chess.PAWN):
            continue
        slots = {**base, "by": by, "target": man(then, target)}
        if d.attacks(then, move.to_square, target) and d.free_to_move(then, move.to_square):
            yield f"attack.{how}", slots, True
        elif not d.attackers(then, mover, target) and not d.seen_through_one(then, move.to_square, target):
            if dice.random() < 0.3:
                yield f"attack.{how}", slots, False
    targets = d.clearly_forks(then, move.to_square)
    far = [
        s
        for s, q in d.men(then, not mover)
        if q.piece_type != chess.PAWN
        and not d.attacks(then, move.to_square, s)
        and not d.seen_through_one(then, move.to_square, s)
    ]
    if targets:
        a, b = sorted(targets, key=lambda s: -d.worth(then, s))[:2]
        yield f"fork.{how}", {**base, "a": man(then, a), "b": man(then, b)}, True
    elif len(far) >= 2 and dice.random() < 0.3:
        a, b = sorted(dice.sample(far, 2), key=lambda s: -d.worth(then, s))
        yield f"fork.{how}", {**base, "a": man(then, a), "b": man(then, b)}, False


MOVES = [of_the_move, no_longer, pawns_of_the_move, trades, replies, continuations, answers_that_take, alternatives]


def about_the_move(p, dice):
    for of in MOVES:
        yield from of(p, dice)
