"""Chooses positions and moves for the labelled claim corpus and asks an engine about them.

    python positions.py POSITIONS.tsv.gz GAMES.pgn ../../claims/positions.jsonl      (from tests/data/prepare/claims)

POSITIONS.tsv.gz is public/networks/positions.tsv.gz (game, FEN); GAMES.pgn the self-play games of seed 3 that Kibitz's
networks are trained on (`lab games`). Both are Kibitz's own. The first line of the output says what it came from. Moves
are sampled from the legal ones, weighted towards those that do something; quotas see to it that what is rare is there.
Games are dealt to the two halves, so that no position of one half comes from a game of the other.
"""

import argparse
import collections
import gzip
import json
import random
import subprocess

import chess
import chess.pgn
import definitions as d

SEED = 20261121
NODES = 40_000
LINES_BEFORE, LINES_AFTER, PLIES = 3, 2, 8
HALVES = ("dev", "heldout")
# How many positions of each sort a half must have, rarest first.
QUOTAS = {
    "stalemate": 9,
    "underpromotion": 3,
    "mate": 12,
    "enpassant": 2,
    "skewer": 12,
    "long": 6,
    "promotes": 12,
    "outpost": 9,
    "canpromote": 8,
    "discovered": 12,
    "backward": 10,
    "fork": 14,
    "battery": 12,
    "short": 9,
    "cancastle": 12,
    "matethreat": 12,
    "trade": 16,
    "relpin": 8,
    "pin": 12,
    "develops": 22,
    "makes_passed": 6,
    "opens": 8,
    "check": 18,
    "hanging": 14,
    "capture": 12,
    "up": 26,
    "played": 50,
    "quiet": 26,
}


def tags(board, move):
    """What is to be seen in this move and the position after it."""
    found = set()
    if board.is_castling(move):
        found.add("long" if chess.square_file(move.to_square) == 2 else "short")
    if move.promotion:
        found.add("promotes" if move.promotion == chess.QUEEN else "underpromotion")
    if board.is_en_passant(move):
        found.add("enpassant")
    capture = board.is_capture(move) and not board.is_en_passant(move)
    moved = board.piece_at(move.from_square)
    after = board.copy(stack=False)
    after.push(move)
    if after.is_checkmate():
        return found | {"mate"}
    if after.is_stalemate():
        return found | {"stalemate"}
    if after.is_game_over():
        return set()
    if after.is_check():
        found.add("check")
    if capture:
        found.add("capture")
        if d.VALUE[moved.piece_type] == d.worth(board, move.to_square) > 1:
            if any(m.to_square == move.to_square for m in after.legal_moves):
                found.add("trade")
    if any(m.promotion for m in after.legal_moves):
        found.add("canpromote")
    if any(after.is_castling(m) for m in after.legal_moves):
        found.add("cancastle")
    if d.clearly_forks(after, move.to_square):
        found.add("fork")
    if any(True for _ in d.skewers(after)):
        found.add("skewer")
    if any(True for _ in d.discoveries(board, move, after)):
        found.add("discovered")
    for _, _, back in d.pins(after):
        found.add("pin" if after.piece_type_at(back) == chess.KING else "relpin")
    if any(True for _ in d.batteries(after)):
        found.add("battery")
    for square, piece in d.men(after):
        if piece.piece_type == chess.KNIGHT and d.clear_outpost(after, square):
            found.add("outpost")
        if piece.piece_type == chess.PAWN and d.clearly_backward(after, square):
            found.add("backward")
        if piece.piece_type != chess.KING and d.clearly_hanging(after, square):
            found.add("hanging")
    if move.from_square in d.HOME.get((moved.color, moved.piece_type), ()):
        found.add("develops")
    if moved.piece_type == chess.PAWN and not move.promotion:
        if d.clearly_passed(after, move.to_square) and not d.is_passed(board, move.from_square):
            found.add("makes_passed")
    for file in range(8):
        column = chess.BB_FILES[file]
        if board.pawns & column and not after.pawns & column:
            found.add("opens")
    if d.surplus(after, chess.WHITE):
        found.add("up")
    if not after.is_check() and d.threatens_mate(after):
        found.add("matethreat")
    if not found:
        found.add("quiet")
    return found


def interesting(board, dice):
    """A few legal moves, those that do something first."""
    legal = list(board.legal_moves)
    dice.shuffle(legal)

    def interest(move):
        moved = board.piece_type_at(move.from_square)
        return (
            4 * bool(move.promotion)
            + 3 * board.is_castling(move)
            + 2 * board.gives_check(move)
            + 1.5 * board.is_capture(move)
            + (moved != chess.KING)
            + dice.random() * 2
        )

    return sorted(legal, key=interest, reverse=True)[:5] + legal[:2]


def candidates(tsv, pgn, dice):
    """(game, board, move, tags)."""
    with gzip.open(tsv, "rt") as rows:
        rows = [row.rstrip("\n").split("\t") for row in rows]
    dice.shuffle(rows)
    for game, fen in rows[:2300]:
        board = chess.Board(fen)
        if not board.is_valid():
            continue
        for move in dict.fromkeys(interesting(board, dice)):
            yield f"a{game}", board, move, tags(board, move)
    with open(pgn) as games:
        for number in range(230):
            game = chess.pgn.read_game(games)
            if game is None:
                break
            nodes = list(game.mainline())
            for node in dice.sample(nodes[8:], min(8, len(nodes[8:]))) + nodes[-1:]:
                board = node.parent.board()
                found = tags(board, node.move)
                if found:
                    yield f"b{number}", board, node.move, found | {"played"}
                if board.fullmove_number > 40:
                    # Ends of games are where stalemates are.
                    for move in list(board.legal_moves):
                        rare = tags(board, move)
                        if rare & {"stalemate", "underpromotion"}:
                            yield f"b{number}", board, move, rare


def choose(found, dice):
    """Fills the quotas of each half; at most three positions a game, no position twice."""
    halves = {}
    for turn, half in enumerate(HALVES):
        here = [c for c in found if sum(c[0].encode()) % 2 == turn]
        dice.shuffle(here)
        have, games, boards, chosen = collections.Counter(), collections.Counter(), set(), []
        for tag, quota in QUOTAS.items():
            for candidate in here:
                if have[tag] >= quota:
                    break
                game, board, _, its = candidate
                if tag in its and games[game] < 3 and board.board_fen() not in boards:
                    have.update(its)
                    games[game] += 1
                    boards.add(board.board_fen())
                    chosen.append(candidate)
        halves[half] = chosen
        print(half, len(chosen), {tag: have[tag] for tag in QUOTAS})
    return halves


class Engine:
    """Stockfish over its own text protocol; keeps the last complete set of lines."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = None
        self.tell("uci")
        for line in self.until("uciok"):
            if line.startswith("id name "):
                self.name = line[8:]
        self.tell("setoption name Threads value 1")
        self.tell("setoption name Hash value 64")

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        for line in self.process.stdout:
            yield line.strip()
            if line.startswith(word):
                return

    def search(self, fen, lines, nodes):
        """[{"score", "depth", "pv"}], best first, the side to move's view, and the nodes searched.

        A search that stops amid an iteration has lines of two depths, which don't compare, and may have a move twice:
        the deeper ones before that are kept.
        """
        self.tell("ucinewgame")
        self.tell(f"setoption name MultiPV value {lines}")
        self.tell("isready")
        list(self.until("readyok"))
        self.tell(f"position fen {fen}")
        self.tell(f"go nodes {nodes}")
        found, searched = {}, 0
        for line in self.until("bestmove"):
            words = line.split()
            if words[0] != "info" or "multipv" not in words or "lowerbound" in words or "upperbound" in words:
                continue
            at = words.index("score")
            searched = int(words[words.index("nodes") + 1])
            found[int(words[words.index("multipv") + 1])] = {
                "score": " ".join(words[at + 1 : at + 3]),
                "depth": int(words[words.index("depth") + 1]),
                "pv": " ".join(words[words.index("pv") + 1 :][:PLIES]),
            }
        lines, first_moves = [], set()
        for line in (found[n] for n in sorted(found)):
            first = line["pv"].split()[0]
            if line["depth"] != found[1]["depth"] or first in first_moves:
                break
            first_moves.add(first)
            lines.append(line)
        return lines, searched


def rows(tsv, pgn):
    """The chosen positions, without the engine's lines."""
    dice = random.Random(SEED)
    for half, chosen in choose(list(candidates(tsv, pgn, dice)), dice).items():
        for number, (_, board, move, _) in enumerate(chosen, 1):
            yield {"id": f"{half[0]}{number:03}", "half": half, "fen": board.fen(), "move": move.uci()}


def evaluated(row, engine, nodes=NODES):
    """The row with the engine's lines before and after the move."""
    before = chess.Board(row["fen"])
    after = before.copy(stack=False)
    after.push_uci(row["move"])
    lines_before, nodes_before = engine.search(before.fen(), LINES_BEFORE, nodes)
    lines_after, nodes_after = ([], 0) if after.is_game_over() else engine.search(after.fen(), LINES_AFTER, nodes)
    return {**row, "nodes": nodes_before + nodes_after, "before": lines_before, "after": lines_after}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tsv")
    parser.add_argument("pgn")
    parser.add_argument("out")
    parser.add_argument("--engine", default="/usr/games/stockfish")
    options = parser.parse_args()
    engine = Engine(options.engine)
    origin = (
        "Positions of Kibitz's own self-play games (public/networks/positions.tsv.gz and the training games of seed 3) "
        "with sampled legal moves, by tests/data/prepare/claims/positions.py. Engine lines best first, scores in the "
        "view of the side to move where the line starts."
    )
    with open(options.out, "w") as out:

        def write(row):
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
            out.flush()

        write({"origin": origin, "engine": engine.name, "nodes": NODES, "seed": SEED})
        for row in list(rows(options.tsv, options.pgn)):
            write(evaluated(row, engine))
    engine.tell("quit")


if __name__ == "__main__":
    main()
