"""Writes tests/data/searchless: small models of random weights, and what PyTorch says of some boards in each.

    python training/searchless/fixture.py
"""

import json
from pathlib import Path

import torch
from data import ACTION_OF, symbols_of
from model import Shape, Transformer
from model_file import read_model, write_model

FOLDER = Path(__file__).resolve().parents[2] / "tests/data/searchless"
SHAPES = {
    "tiny-av": Shape("action_value", 2, 2, 8, 16),
    "tiny-av-l2": Shape("action_value", 1, 1, 4, 16, "l2"),
    "tiny-sv": Shape("state_value", 2, 2, 6, 16),
    "tiny-bc": Shape("behavioral_cloning", 2, 3, 6, 0, "log"),
}
BOARDS = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ("e2e4", "g1f3", "a2a3")),
    ("rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", ("e5d6", "e1e2")),
    ("8/1P4k1/8/8/8/8/6K1/8 w - - 12 104", ("b7b8q", "b7b8n", "g2g1")),
    ("r3k2r/8/8/8/8/8/8/4K2R b Kkq - 99 60", ("e8g8", "e8c8")),
)
SEED = 20


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    for name, shape in SHAPES.items():
        torch.manual_seed(SEED)
        model = Transformer(shape)
        # Norms that are not 1 and biases that are not 0, so that a reader that leaves one out is found out.
        with torch.no_grad():
            for tensor, value in model.named_parameters():
                scale = "norm" in tensor and not tensor.endswith("bias")
                value.copy_((1.0 if scale else 0.0) + 0.4 * torch.randn_like(value))
        path = FOLDER / f"{name}.safetensors"
        origin = {"name": name, "games": 0, "boards": 0, "points": 0, "samples": 0, "seed": SEED}
        # Of 16 bits, as what ships; what is expected is of those weights.
        write_model(path, model, **origin)
        model, _ = read_model(path)
        cases = []
        for fen, moves in BOARDS if shape.kind != "behavioral_cloning" else BOARDS[1::2]:
            board = symbols_of(fen).tolist()
            for move in moves if shape.kind == "action_value" else (None,):
                row = board if move is None else [*board, ACTION_OF[move]]
                with torch.no_grad():
                    outputs = model(torch.tensor([row]))[0]
                case = {"fen": fen} if move is None else {"fen": fen, "move": move}
                # As the model reads them: the 0, the board, and the action.
                cases.append(case | {"symbols": [0, *row], "outputs": [round(number, 5) for number in outputs.tolist()]})
        record = {"cases": cases, "torch": torch.__version__}
        (FOLDER / f"{name}.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")
        print(name, "largest output", max(abs(number) for case in cases for number in case["outputs"]))


if __name__ == "__main__":
    main()
