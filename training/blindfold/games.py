"""Games as tokens: the files of `lab blindfold data`, and batches of them."""

import json

import numpy as np
import torch
from model import BEGIN, END, PAD, TYPES


class Games:
    """The games of a `.tokens` file that holds every type (UCI + AP)."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.header = json.loads(file.readline())
            tokens = np.frombuffer(file.read(), np.uint8)
        assert self.header["notation"] == "ap", f"{path} holds no types: make it without --notation"
        assert len(tokens) == self.header["tokens"], f"{path} is cut off"
        ends = np.flatnonzero(tokens == END) + 1
        self.games = np.split(tokens, ends)[:-1]
        assert len(self.games) == self.header["games"] and all(game[0] == BEGIN for game in self.games)

    def written(self, notation, rng):
        """The games in a notation; of RAP the types are drawn anew."""
        if notation == "ap":
            return self.games
        share = 0 if notation == "uci" else int(notation.removeprefix("rap")) / 100
        of = lambda game: game[~np.isin(game, TYPES) | (rng.random(len(game)) < share)]
        return [of(game) for game in self.games]


def batches(games, most_tokens, rng):
    """Batches of games of like length, in an order by lot: tokens (games × length, padded at the end)."""
    # Like lengths go together, not always the same games.
    order = np.argsort([len(game) + rng.integers(0, 8) for game in games], kind="stable")
    groups, group, longest = [], [], 0
    for index in order:
        length = max(longest, len(games[index]))
        if group and length * (len(group) + 1) > most_tokens:
            groups.append(group)
            group, length = [], len(games[index])
        group.append(index)
        longest = length
    if group:
        groups.append(group)
    for number in rng.permutation(len(groups)):
        own = [games[index] for index in groups[number]]
        padded = np.full((len(own), max(map(len, own))), PAD, np.int64)
        for row, game in zip(padded, own):
            row[: len(game)] = game
        yield torch.from_numpy(padded)
