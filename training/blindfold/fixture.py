"""Writes tests/data/lm: three small models of random weights, and what PyTorch says of three texts in each.

    python training/blindfold/fixture.py
"""

import json
from pathlib import Path

import torch
from model import VOCABULARY, Shape, build
from model_file import read_model, write_model

FOLDER = Path(__file__).resolve().parents[2] / "tests/data/lm"
LENGTHS = (1, 17, 60)  # tokens; the last is longer than the window, and nearly the context
SHAPES = {
    "tiny-transformer": Shape("transformer", 2, 2, 16, 64),
    "tiny-window": Shape("transformer", 2, 2, 16, 64, window=5),
    "tiny-lstm": Shape("lstm", 2, 0, 16, 64),
}
SEED = 19


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    for name, shape in SHAPES.items():
        torch.manual_seed(SEED)
        model = build(shape)
        # Norms that are not 1 and biases that are not 0, so that a reader that leaves one out is found out.
        with torch.no_grad():
            for tensor, value in model.named_parameters():
                centre = 1.0 if "norm" in tensor and tensor.endswith("weight") else 0.0
                value.copy_(centre + 0.4 * torch.randn_like(value))
        path = FOLDER / f"{name}.safetensors"
        origin = {"notation": "rap25", "name": name, "games": 0, "split": "none", "epochs": 0, "seed": SEED}
        write_model(path, model, torch.float32, **origin)
        model, _ = read_model(path)
        # Any tokens but the filling one, after the one that begins a game.
        texts = [[1, *torch.randint(1, VOCABULARY, (length - 1,)).tolist()] for length in LENGTHS]
        with torch.no_grad():
            logits = [model(torch.tensor([text]))[0] for text in texts]
        rounded = [[[round(number, 6) for number in row] for row in of_text.tolist()] for of_text in logits]
        record = {"tokens": texts, "logits": rounded, "torch": torch.__version__}
        (FOLDER / f"{name}.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")
        print(name, "largest logit", max(of_text.abs().max().item() for of_text in logits))


if __name__ == "__main__":
    main()
