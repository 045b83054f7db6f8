"""Annotated boards: symbols, actions, and the files that `lab chessbench export` writes.

A board is 77 of 31 characters and an action one of 1,968, both in the order of the released code (docs/chessbench.md).
"""

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np

CHARACTERS = "0123456789abcdefghpnrkqPBNRQKw."
NUMBER_OF = {character: number for number, character in enumerate(CHARACTERS)}
BOARD = 77
FILES = "abcdefgh"
BAGS = {name: f"{name}_data.bag" for name in ("action_value", "state_value", "behavioral_cloning")}


class DataError(ValueError):
    """A file, a board or a move that is not as it should be."""


def all_actions():
    """The 1,968 moves: queen's, then knight's destinations from each square, both ascending; promotions last."""
    moves = []
    squares = [(file, rank) for rank in range(8) for file in range(8)]
    name = {square: FILES[square[0]] + str(square[1] + 1) for square in squares}
    for origin in squares:
        steps = [(to, abs(to[0] - origin[0]), abs(to[1] - origin[1])) for to in squares if to != origin]
        moves += [name[origin] + name[to] for to, dx, dy in steps if dx == dy or 0 in (dx, dy)]
        moves += [name[origin] + name[to] for to, dx, dy in steps if {dx, dy} == {1, 2}]
    for rank, target in (("2", "1"), ("7", "8")):
        for at, file in enumerate(FILES):
            for to in (at, at - 1, at + 1):
                if 0 <= to < 8:
                    moves += [file + rank + FILES[to] + target + piece for piece in "qrbn"]
    return moves


ACTIONS = all_actions()
ACTION_OF = {move: number for number, move in enumerate(ACTIONS)}


def symbols_of(fen):
    """The 77 symbols of a FEN, by their numbers."""
    fields = fen.split(" ")
    if len(fields) != 6:
        raise DataError(f"a FEN has six fields: {fen}")
    placement, side, castling, en_passant, clock, number = fields
    squares = "".join("." * int(c) if c.isdigit() else c for c in placement.replace("/", ""))
    rest = [field.replace("-", ".").ljust(length, ".") for field, length in ((castling, 4), (en_passant, 2))]
    text = side + squares + "".join(rest) + clock.ljust(3, ".") + number.ljust(3, ".")
    if len(text) != BOARD or not set(text) <= NUMBER_OF.keys():
        raise DataError(f"{fen} does not fit the symbols")
    return np.array([NUMBER_OF[c] for c in text], np.uint8)


def symbols_after(fen, action):
    """The symbols of the board that a move leads to."""
    board = chess.Board(fen)
    board.push_uci(ACTIONS[action])
    return symbols_of(board.fen())


def read_bag(path):
    """The records of a `.bag` file: they come first, then for each where it ends, as 64-bit numbers."""
    content = Path(path).read_bytes()
    if not content:
        return []
    if len(content) < 8:
        raise DataError(f"{path} is too short for the end of a record")
    (begin,) = struct.unpack("<q", content[-8:])
    if not 0 <= begin <= len(content) - 8 or (len(content) - begin) % 8:
        raise DataError(f"{path} does not say where its records end")
    ends = struct.unpack(f"<{(len(content) - begin) // 8}q", content[begin:])
    starts = (0, *ends[:-1])
    if any(end < start for start, end in zip(starts, ends, strict=True)):
        raise DataError(f"{path}: a record ends before it begins")
    return [content[start:end] for start, end in zip(starts, ends, strict=True)]


def fields_of(record, count):
    """A record's parts, as Beam's tuple coder writes them: a varint of its length before each but the last."""
    parts, at = [], 0
    for _ in range(count - 1):
        length, shift = 0, 0
        while True:
            if at >= len(record) or shift > 63:
                raise DataError("a record is cut off")
            byte = record[at]
            length |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                break
        if at + length > len(record):
            raise DataError("a record is cut off")
        parts.append(record[at : at + length])
        at += length
    return [*parts, record[at:]]


def value_of(part):
    """A value between 0 and 1."""
    if len(part) != 8:
        raise DataError(f"a value has 8 bytes, not {len(part)}")
    (value,) = struct.unpack(">d", part)
    if not 0.0 <= value <= 1.0:
        raise DataError(f"{value} is no chance of winning")
    return value


def records_of_bags(folder):
    """What a folder's three `.bag` files say: FEN -> [value, [(move, value)], best]."""
    found = {}
    paths = {kind: Path(folder) / name for kind, name in BAGS.items()}
    for record in read_bag(paths["state_value"]):
        fen, value = fields_of(record, 2)
        found.setdefault(fen.decode(), [None, [], None])[0] = value_of(value)
    for record in read_bag(paths["action_value"]):
        fen, move, value = fields_of(record, 3)
        found.setdefault(fen.decode(), [None, [], None])[1].append((move.decode(), value_of(value)))
    for record in read_bag(paths["behavioral_cloning"]):
        fen, move = fields_of(record, 2)
        found.setdefault(fen.decode(), [None, [], None])[2] = move.decode()
    return found


def records_of_lines(path):
    """The same of a run of `lab chessbench annotate`, or of its JSON lines."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            fields = json.loads(line)
            if fields.get("line") not in ("record", "row"):
                continue
            record = fields.get("record", fields)
            # A board without a legal move has no actions.
            moves = [(action["move"], action["value"]) for action in record.get("actions", ())]
            found[record["fen"]] = [record.get("value"), moves, record.get("best")]
    return found


@dataclass(frozen=True)
class Boards:
    """Annotated boards in arrays; the moves of board i are those from `first[i]` to `first[i + 1]`."""

    fens: list[str]
    symbols: np.ndarray  # [boards, 77], numbers of characters
    values: np.ndarray  # [boards], NaN where there is none
    best: np.ndarray  # [boards], an action, −1 where there is none
    first: np.ndarray  # [boards + 1]
    actions: np.ndarray  # [moves]
    action_values: np.ndarray  # [moves]

    def __len__(self):
        return len(self.fens)

    @property
    def owners(self):
        """The board of each move."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))


def boards_of(records):
    """Arrays of records; the moves of a board are put in the order of actions, which is the order of all metrics."""
    fens, symbols, values, best, counts, actions, action_values = [], [], [], [], [], [], []
    for fen, (value, moves, best_move) in records.items():
        numbered = sorted((ACTION_OF[move], move_value) for move, move_value in moves)
        fens.append(fen)
        symbols.append(symbols_of(fen))
        values.append(np.nan if value is None else value)
        best.append(-1 if best_move is None else ACTION_OF[best_move])
        counts.append(len(numbered))
        actions += [action for action, _ in numbered]
        action_values += [move_value for _, move_value in numbered]
    return Boards(
        fens, np.array(symbols, np.uint8).reshape(-1, BOARD), np.array(values), np.array(best, np.int64),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), np.array(actions, np.int64), np.array(action_values),
    )  # fmt: skip


def read_boards(path, but_not=(), first=None):
    """The boards of a folder of `.bag` files or of JSON lines, without the FENs `but_not`; the first so many."""
    records = records_of_bags(path) if Path(path).is_dir() else records_of_lines(path)
    left = [(fen, record) for fen, record in records.items() if fen not in but_not]
    return boards_of(dict(left[:first]))
