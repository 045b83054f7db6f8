"""Claims that only an engine can judge, with their truth, taken well away from where one word becomes another.

Win probability is Lichess's: 1/(1+exp(−0.00368208·cp)), centipawns held within ±1000, mates 1 and 0.
"""

import math

import chess
import definitions as d
from words import Side


def probability(score, turned):
    """Win probability of a score such as "cp 13" or "mate -2", of the other side where `turned`."""
    kind, number = score.split()
    number = int(number)
    if kind == "mate":
        chance = 1.0 if number > 0 else 0.0
    else:
        chance = 1 / (1 + math.exp(-0.00368208 * max(-1000, min(1000, number))))
    return 1 - chance if turned else chance


def standing(p, dice):
    if p.after.is_game_over():
        return
    for color in chess.COLORS:
        chance = p.chance if color == p.mover else 1 - p.chance
        slots = {"side": Side(color), "enemy": Side(not color)}
        bands = {
            "winning": (chance > 0.93, chance < 0.62),
            "better": (0.70 < chance < 0.80, chance < 0.50),
            "worse": (0.20 < chance < 0.30, chance > 0.50),
            "lost": (chance < 0.07, chance > 0.38),
        }
        for word, (true, false) in bands.items():
            if true or false:
                yield f"evaluation.{word}", slots, true
        if chance < 0.50 or chance > 0.72:
            yield "evaluation.no_edge", slots, chance < 0.50
    if 0.46 < p.chance < 0.54:
        yield "evaluation.equal", {}, True
    elif not 0.25 < p.chance < 0.75:
        yield "evaluation.equal", {}, False


def quality(p, dice):
    if p.after.is_checkmate():
        return
    loss = p.best_chance - p.chance
    first = p.row["before"][0]["pv"].split()[0] == p.row["move"]
    mates = "mate" in p.row["before"][0]["score"] or any("mate" in x["score"] for x in p.row["after"])
    slots = {"side": Side(p.mover), "enemy": Side(not p.mover)}
    # Where the two searches disagree about the first choice, nothing is said.
    good = loss < 0.01 or (first and loss < 0.03)
    if first and not good:
        return
    if mates and not first:
        return
    if good:
        yield "quality.good", slots, True
        for word in ("bad", "blunder", "mistake", "inaccuracy"):
            yield f"quality.{word}", slots, False
    elif loss > 0.20:
        yield "quality.blunder", slots, True
        yield "quality.bad", slots, True
        yield "quality.good", slots, False
    elif 0.11 < loss < 0.14:
        yield "quality.mistake", slots, True
        yield "quality.bad", slots, True
        yield "quality.good", slots, False
    elif 0.06 < loss < 0.09:
        yield "quality.inaccuracy", slots, True
        yield "quality.blunder", slots, False


def best(p, dice):
    lines = p.row["before"]
    own = [probability(line["score"], False) for line in lines]
    moves = [chess.Move.from_uci(line["pv"].split()[0]) for line in lines]
    sans = [p.before.san(m) for m in moves]
    slots = {"side": Side(p.mover), "enemy": Side(not p.mover)}
    clear = len(own) > 1 and own[0] - own[1] > 0.05
    if moves[0] == p.move and p.best_chance - p.chance > 0.03:
        return
    if moves[0] == p.move and clear:
        yield "best.is", slots, True
    elif p.best_chance - p.chance > 0.10:
        yield "best.is", slots, False
        if clear:
            yield "best.was", {**slots, "alt": sans[0]}, True
        if own[0] - p.chance > 0.12 and own[0] < 1:
            yield "best.better", {**slots, "alt": sans[0]}, True
    if p.move in moves and moves[0] == p.move or p.best_chance - p.chance < 0.01:
        for san, move, chance in zip(sans, moves, own):
            if move != p.move and chance < p.chance - 0.10:
                yield "best.better", {**slots, "alt": san}, False
    for san, move, chance in zip(sans, moves, own):
        if move != p.move and own[0] - chance > 0.12:
            yield "best.was", {**slots, "alt": san}, False
    after = p.row["after"]
    if len(after) > 1:
        chances = [probability(line["score"], False) for line in after]
        replies = [p.after.san(chess.Move.from_uci(line["pv"].split()[0])) for line in after]
        if chances[0] - chances[1] > 0.08:
            yield "best.reply", {**slots, "reply": replies[0]}, True
            yield "best.reply", {**slots, "reply": replies[1]}, False


def wins(p, dice):
    """Material won or lost over the expected line: the balance must settle early and stay."""
    if not p.row["after"]:
        return
    after = p.row["after"][0]
    if "mate" in after["score"] or p.move.promotion:
        return
    board, balances = p.after.copy(stack=False), [d.balance(p.after, p.mover)]
    for uci in after["pv"].split():
        move = chess.Move.from_uci(uci)
        if move not in board.legal_moves or move.promotion:
            return
        board.push(move)
        balances.append(d.balance(board, p.mover))
    start = d.balance(p.before, p.mover)
    end = balances[-1]
    if len(balances) < 7 or any(b != end for b in balances[2:]) or board.is_check():
        return
    gain = end - start
    counts = {
        k: len(board.pieces(k, p.mover))
        - len(board.pieces(k, not p.mover))
        - len(p.before.pieces(k, p.mover))
        + len(p.before.pieces(k, not p.mover))
        for k in range(chess.PAWN, chess.KING)
    }
    pawn, minor, rook, queen = counts[1], counts[2] + counts[3], counts[4], counts[5]
    named = {
        (1, 0, 0, 0): "a pawn",
        (0, 1, 0, 0): "a piece",
        (0, -1, 1, 0): "the exchange",
        (0, 0, 1, 0): "a rook",
        (0, 0, 0, 1): "the queen",
    }
    what = ["a pawn", "a piece", "the exchange", "a rook", "the queen"]
    slots = {"side": Side(p.mover), "enemy": Side(not p.mover)}
    here = (pawn, minor, rook, queen)
    lost = tuple(-x for x in here)
    taken = p.before.piece_type_at(p.move.to_square) if p.before.is_capture(p.move) else None
    by_taking = {"a pawn": 1, "a piece": 3, "the exchange": 5, "a rook": 5, "the queen": 9}
    if here in named and taken and d.VALUE[taken] != by_taking[named[here]]:
        # It takes one thing and comes out with another: writers differ in which they name.
        return
    if here in named:
        yield "material.wins", {**slots, "what": named[here]}, True
        yield "material.loses", {**slots, "what": named[here]}, False
        if named[here] != "the queen":
            yield "material.wins", {**slots, "what": "the queen"}, False
    elif lost in named:
        yield "material.loses", {**slots, "what": named[lost]}, True
        yield "material.wins", {**slots, "what": named[lost]}, False
    elif gain == 0 and here == (0, 0, 0, 0):
        yield "material.wins", {**slots, "what": dice.choice(what[:1] + what)}, False
        yield "material.loses", {**slots, "what": dice.choice(what[:1] + what)}, False


def mates(p, dice):
    """In how many moves is said of the opponent's mates only: whether the mover's count the move is quarrelled over."""
    if not p.row["after"]:
        return
    kind, number = p.row["after"][0]["score"].split()
    number = int(number)
    slots = {color: {"side": Side(color), "enemy": Side(not color)} for color in chess.COLORS}
    if kind == "mate":
        winner = (not p.mover) if number > 0 else p.mover
        yield "mate.forced", slots[winner], True
        yield "mate.forced", slots[not winner], False
        yield "mate.in", {**slots[not winner], "n": str(max(2, abs(number)))}, False
        if number >= 2:
            yield "mate.in", {**slots[winner], "n": str(number)}, True
    elif abs(number) < 400:
        for color in chess.COLORS:
            yield "mate.forced", slots[color], False
            yield "mate.in", {**slots[color], "n": dice.choice("234")}, False


def sacrifices(p, dice):
    if p.after.is_game_over() or p.before.is_castling(p.move) or p.moved == chess.KING:
        return
    moved = chess.piece_name(p.moved)
    slots = {"side": Side(p.mover), "role": moved}
    takers = d.attackers(p.after, not p.mover, p.to)
    if p.moved != chess.PAWN and not p.move.promotion:
        net = d.static_exchange(p.after, p.to, not p.mover)
        taken = p.before.piece_type_at(p.move.to_square)
        net -= d.VALUE[taken] if taken else 0
        if (
            net >= 2
            and p.best_chance - p.chance < 0.02
            and 0.45 < p.chance
            and p.reply()
            and p.reply().to_square == p.to
        ):
            yield "sacrifice", slots, True
        elif (
            not takers
            and not taken
            and all(d.clearly_not_hanging(p.after, s) for s, q in d.men(p.after, p.mover) if q.piece_type != chess.KING)
        ):
            yield "sacrifice", slots, False


ENGINE = [standing, quality, best, wins, mates, sacrifices]


def about_the_evaluation(p, dice):
    for of in ENGINE:
        yield from of(p, dice)
