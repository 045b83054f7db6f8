"""Reads `.tokens` files of `lab blindfold data`, writes games in a notation and puts them into batches.

A file holds every type (docs/blindfold.md). UCI is the same without them; RAP keeps each with its probability.
"""

import json
from pathlib import Path

import numpy as np

PAD, BEGIN, END = 0, 1, 2
FIRST_TYPE, FIRST_SQUARE = 3, 9
LONGEST_HEADER = 4096


class TokenFileError(ValueError):
    """The file is none of games in tokens."""


def read_games(path):
    """The games, each an array of bytes from BEGIN to END, and the header."""
    line, parted, rest = Path(path).read_bytes().partition(b"\n")
    try:
        header = json.loads(line) if parted and len(line) <= LONGEST_HEADER else None
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("blindfold_tokens") != 1:
        raise TokenFileError(f"{path}: does not begin with the line of a file of tokens")
    tokens = np.frombuffer(rest, np.uint8)
    if len(tokens) != header["tokens"]:
        raise TokenFileError(f"{path}: promises {header['tokens']} tokens, and there are {len(tokens)}")
    games = np.split(tokens, np.flatnonzero(tokens == END) + 1)[:-1]
    if len(games) != header["games"] or sum(map(len, games)) != len(tokens):
        raise TokenFileError(f"{path}: promises {header['games']} games, and there are {len(games)}")
    if header["notation"] != "ap":
        raise TokenFileError(f"{path}: is in {header['notation']}; without types nothing else can be made of it")
    return games, header


def share_of(notation):
    """With which probability a move has its type: 0 of uci, 1 of ap, p / 100 of rap and p."""
    shares = {"uci": 0.0, "ap": 1.0}
    if notation in shares:
        return shares[notation]
    per_cent = notation.removeprefix("rap")
    if per_cent == notation or not per_cent.isdigit() or not 1 <= int(per_cent) <= 100:
        raise ValueError(f"a notation is uci, ap or rap1 to rap100, not {notation!r}")
    return int(per_cent) / 100


def written(game, share, random):
    """The game with each type kept with this probability."""
    types = (game >= FIRST_TYPE) & (game < FIRST_SQUARE)
    return game[~types | (random.random(len(game)) < share)]


def batches(games, most_tokens, random=None):
    """Games of like length together, at most so many tokens with their padding: arrays [games, length].

    With `random` the batches come in an order that it draws, and games of one length are dealt anew; without, as they are.
    """
    order = np.arange(len(games)) if random is None else random.permutation(len(games))
    order = sorted(order, key=lambda i: len(games[i]))  # stable: equal lengths keep the drawn order
    groups, group = [], []
    for i in order:
        if group and len(games[i]) * (len(group) + 1) > most_tokens:
            groups.append(group)
            group = []
        group.append(i)
    groups.append(group)
    if random is not None:
        random.shuffle(groups)
    for group in groups:
        batch = np.full((len(group), max(len(games[i]) for i in group)), PAD, np.uint8)
        for row, i in enumerate(group):
            batch[row, : len(games[i])] = games[i]
        yield batch
