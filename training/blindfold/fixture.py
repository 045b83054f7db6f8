"""Writes what the Rust forward pass is held against: small models of random weights, and PyTorch's logits of them.

    training/blindfold/fixture.py tests/data/lm
"""

import json
import sys
from pathlib import Path

import torch
from model import VOCABULARY, Lstm, Transformer, save

LENGTHS = (1, 17, 60)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    models = {
        "transformer": lambda: Transformer(layers=2, heads=2, width=16, context=64),
        "window": lambda: Transformer(layers=2, heads=2, width=16, context=64, window=5),
        "lstm": lambda: Lstm(layers=2, width=16, context=64),
    }
    for name, build in models.items():
        torch.manual_seed(19)
        model = build().eval()
        # As trained weights are: nothing near 0, norms that are not 1.
        with torch.no_grad():
            for value in model.parameters():
                value.add_(torch.randn_like(value) * 0.3)
        tokens = [torch.randint(0, VOCABULARY, (length,)).tolist() for length in LENGTHS]
        with torch.no_grad():
            logits = [model(torch.tensor([own]))[0].tolist() for own in tokens]
        save(model, folder / f"{name}.safetensors", torch.float32, name=f"tiny {name}", notation="uci", seed=19)
        rounded = [[[float(f"{logit:.7g}") for logit in row] for row in own] for own in logits]
        text = json.dumps({"torch": torch.__version__, "tokens": tokens, "logits": rounded}, separators=(",", ":"))
        (folder / f"{name}.json").write_text(text + "\n")


main()
