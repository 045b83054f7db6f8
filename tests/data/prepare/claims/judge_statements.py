"""Holds what the narrator claims against python-chess: how many board claims are so, are not, or are left open.

    lab audit statements --sample 5000 --seed 1 --nodes 2000 > audit.jsonl
    python judge_statements.py audit.jsonl      (from tests/data/prepare/claims; requirements.txt)

What words mean is in definitions.py, which shares no code with Kibitz. A claim is contradicted where no club player would call it so;
what they quarrel over, and what an engine has to say, is left open. Prints the counts by predicate, then every claim that is
contradicted with its sentence; ends with 1 where there is one.
"""

import collections
import json
import sys

import chess
import definitions as d

ROLES = {name: number for number, name in enumerate(chess.PIECE_NAMES) if name}
SIDES = {"white": chess.WHITE, "black": chess.BLACK}
BOTH = (chess.WHITE, chess.BLACK)


def man(text):
    """(colour, kind, square, file) of "white knight f3"; each may be None."""
    color = kind = square = file = None
    for word in text.split():
        if word in SIDES:
            color = SIDES[word]
        elif word in ROLES:
            kind = ROLES[word]
        elif word.endswith("-file"):
            file = chess.FILE_NAMES.index(word[0])
        else:
            square = chess.parse_square(word)
    return color, kind, square, file


def men(board, text):
    """The squares of the men that may be meant."""
    color, kind, square, file = man(text)
    return [
        s
        for s, p in d.men(board)
        if color in (None, p.color)
        and kind in (None, p.piece_type)
        and square in (None, s)
        and file in (None, chess.square_file(s))
    ]


class Scene:
    """The position that a claim speaks of, the move that led there, and the position before that."""

    def __init__(self, row, claim):
        self.before = chess.Board(row["fen"])
        self.move = chess.Move.from_uci(row["move"])
        start = self.before.copy()
        if claim.get("position") != "before":
            start.push(self.move)
        self.board = start
        for san in claim.get("moves") or []:
            self.before = self.board.copy()
            self.move = self.before.parse_san(san)
            self.board = self.before.copy()
            self.board.push(self.move)

    def after(self):
        board = self.before.copy()
        board.push(self.move)
        return board


def turned(board, color):
    """The board with this side to move; None in check."""
    if board.turn == color:
        return board
    if board.is_check():
        return None
    other = board.copy()
    other.push(chess.Move.null())
    return other


def taken(board, move):
    """The man that a move takes, as (square, piece)."""
    if board.is_en_passant(move):
        square = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        return square, board.piece_at(square)
    if board.is_castling(move) or not board.piece_at(move.to_square):
        return None
    return move.to_square, board.piece_at(move.to_square)


def one(found):
    """Of several men that may be meant any that fits."""
    found = list(found)
    if not found:
        return False
    return True if True in found else None if None in found else False


def hanging(board, square):
    if d.clearly_hanging(board, square):
        return True
    if not d.clearly_not_hanging(board, square):
        return None
    # A capture with a check that lets nothing take back is for free after all.
    free = turned(board, not board.color_at(square))
    for move in free.legal_moves if free else []:
        if move.to_square == square:
            then = free.copy()
            then.push(move)
            if then.is_check() and not any(back.to_square == square for back in then.legal_moves):
                return None
    return False


def forks(board, by, targets):
    if not all(d.attacks(board, by, square) for square in targets):
        return False
    return True if set(targets) <= set(d.fork_targets(board, by)) else None


def pinned(board, by, square, behind):
    found = [(b, m, x) for b, m, x in d.pins(board) if by in (None, b) and m == square and behind in (None, x)]
    if found:
        return True
    # A pin to what is no queen is a pin to some.
    through = [
        (b, front, back)
        for b, piece in d.men(board, not board.color_at(square))
        if piece.piece_type in d.SLIDERS
        for front, back in d.line_pieces(board, b)
        if front == square and back is not None and board.color_at(back) == board.color_at(square)
    ]
    return None if any(by in (None, b) and behind in (None, x) for b, _, x in through) else False


def skewered(board, by, front, behind):
    if (by, front, behind) in set(d.skewers(board)):
        return True
    return None if (front, behind) in set(d.line_pieces(board, by)) else False


def uncovered(scene, by, target):
    board = scene.board
    if not d.attacks(board, by, target) or d.attacks(scene.before, by, target):
        return False
    return True


def threatened(board, by, target):
    """The man, were it its side's turn, takes the other with profit."""
    free = turned(board, board.color_at(by))
    if free is None:
        return None
    move = next((m for m in free.legal_moves if m.from_square == by and m.to_square == target), None)
    if move is None:
        return False
    cheaper = d.worth(board, by) < d.worth(board, target)
    return True if cheaper or not d.attackers(board, board.color_at(target), target) else None


def battery(board, rear, front):
    return d.attacks(board, rear, front) and d.attacks(board, front, rear)


def trapped(board, square):
    """Nowhere it could go in safety: what a capture elsewhere would bring is not looked at."""
    free = turned(board, board.color_at(square))
    if free is None:
        return None
    for move in free.legal_moves:
        if move.from_square != square or free.is_capture(move):
            continue
        then = free.copy()
        then.push(move)
        if not d.attackers(then, then.turn, move.to_square):
            return False
    return None


def backward(board, square):
    if d.clearly_backward(board, square):
        return True
    return False if d.clearly_not_backward(board, square) else None


def of_pawns(holds):
    return lambda board, square: board.piece_type_at(square) == chess.PAWN and holds(board, square)


def has_moves(board, number):
    return board.legal_moves.count() == number


def points(board, claim):
    """As the men stand, or where a capture on the last move's square has settled: which of the two is meant is open."""
    balance = d.balance(board, SIDES[claim["side"]])
    if balance == claim["number"]:
        return True
    return None if any(board.is_capture(m) for m in board.legal_moves) else False


def judge(row, claim):
    scene = Scene(row, claim)
    board, after = scene.board, scene.after()
    subject, objects = claim.get("subject"), claim.get("objects") or []
    subjects = men(board, subject) if subject else [None]
    targets = [men(board, text) for text in objects]
    flat = [square for squares in targets for square in squares]
    behind = men(board, claim["behind"]) if claim.get("behind") else [None]
    squares = [chess.parse_square(name) for name in claim.get("squares") or []]
    side = SIDES.get(claim.get("side"))
    captured = taken(scene.before, scene.move)
    mover = scene.before.piece_at(scene.move.from_square)
    number = claim.get("number")
    match claim["predicate"]:
        case "playable":
            return True  # the scene has played them
        case "goes":
            color, kind, *_ = man(subject)
            landed = scene.move.to_square
            return (mover.color, mover.piece_type) == (color, kind) and landed in squares
        case "develops":
            home = any(scene.move.from_square in homes for homes in d.HOME.values())
            color, kind, *_ = man(subject)
            same = (mover.color, mover.piece_type) == (color, kind)
            return same and (home or (None if kind in (chess.ROOK, chess.QUEEN) else False))
        case "castles":
            wing = scene.before.is_kingside_castling if claim["qualifier"] == "kingside" else scene.before.is_queenside_castling
            return wing(scene.move) and mover.color == side
        case "takes":
            if not captured or subject and (mover.color, mover.piece_type) != man(subject)[:2]:
                return False
            color, kind, square, _ = man(objects[0]) if objects else (None,) * 4
            return color in (None, captured[1].color) and kind in (None, captured[1].piece_type) and square in (None, captured[0])
        case "recaptures":
            return True if captured else False
        case "promotes":
            return scene.move.promotion is not None and scene.move.promotion == man(objects[0])[1]
        case "gives_check":
            return after.is_check() and (not subject or bool(set(subjects) & set(after.checkers())))
        case "checkmate":
            return board.is_checkmate()
        case "stalemate":
            return board.is_stalemate()
        case "attacks":
            return one(d.attacks(board, by, to) for by in subjects for to in flat)
        case "defends":
            guards = [s for to in flat for s in d.attackers(board, board.color_at(to), to)]
            return bool(guards) if not subject else bool(set(subjects) & set(guards))
        case "undefended":
            return one(d.clearly_undefended(board, square) for square in subjects)
        case "hanging":
            return one(hanging(board, square) for square in subjects)
        case "trapped":
            return one(trapped(board, square) for square in subjects)
        case "threatens_to_take":
            return one(threatened(board, by, to) for by in subjects for to in flat)
        case "pins":
            return one(pinned(board, by, to, x) for by in subjects for to in flat for x in behind)
        case "skewers":
            return one(skewered(board, by, to, x) for by in subjects for to in flat for x in behind)
        case "forks":
            return one(forks(board, by, flat) for by in subjects) if all(targets) else False
        case "uncovers":
            return one(uncovered(scene, by, to) for by in subjects for to in flat)
        case "battery":
            return one(battery(board, rear, front) for rear in subjects for front in flat)
        case "threatens_mate":
            return d.threatens_mate(board)
        case "passed":
            return one(of_pawns(d.is_passed)(board, square) for square in subjects)
        case "isolated":
            return one(of_pawns(d.is_isolated)(board, square) for square in subjects)
        case "backward":
            return one(of_pawns(backward)(board, square) for square in subjects)
        case "doubled":
            files = {color: d.doubled_files(board, color) for color in BOTH}
            return one(chess.square_file(s) in files[board.color_at(s)] for s in subjects)
        case "open_file" | "half_open_file":
            file = chess.FILE_NAMES.index(claim["file"])
            own, other = (file in d.files_of_pawns(board, color) for color in (BOTH if side is None else (side, not side)))
            return not own and (not other if claim["predicate"] == "open_file" else other)
        case "outpost":
            return one(d.clear_outpost(board, square) or None for square in subjects)
        case "can_castle":
            return board.has_castling_rights(side)
        case "legal_moves":
            return has_moves(board, number)
        case "level":
            return d.balance(board, chess.WHITE) == 0 or (None if any(board.is_capture(m) for m in board.legal_moves) else False)
        case "ahead":
            return points(board, claim)
    return None  # the engine's


def main():
    counts, wrong, sentences, moves = collections.defaultdict(collections.Counter), [], 0, 0
    for line in open(sys.argv[1]):
        row = json.loads(line)
        moves += 1
        for sentence in row["prose"]:
            sentences += 1
            for claim in sentence["claims"]:
                claim = {key: value for key, value in claim.items() if value is not None}
                found = judge(row, claim)
                if found is not None:
                    found = bool(found) != claim.get("denied", False)
                counts[claim["predicate"]][found] += 1
                if found is False:
                    wrong.append((row, sentence["text"], claim))
    print(f"{moves} moves, {sentences} sentences")
    total = sum(counts.values(), collections.Counter())
    for name, count in [*sorted(counts.items()), ("all", total)]:
        print(f"{name:<20} {count[True]:6} so {count[False]:6} not so {count[None]:6} open")
    for row, text, claim in wrong:
        print(f"{row['fen']} {row['move']}\n  {text}\n  {json.dumps(claim)}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
