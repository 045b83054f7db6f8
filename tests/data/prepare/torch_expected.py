#!/usr/bin/env python3
"""Writes a small network's weights as PyTorch's training leaves them (tests/data/net-torch.safetensors) and what PyTorch
makes of a few positions (tests/data/net-torch-expected.json).

    pip install torch==2.15.0 safetensors==0.8.0 numpy
    python torch_expected.py --out ..

The weights are drawn with a fixed seed; the batch normalisation has been through as much as a training would leave
in it: means, variances, factors and offsets that are not 0 and 1. The input planes are those that Lc0's own encoder gave
(tests/data/net-maia-1500-expected.jsonl). `policy` has every
31st of the 80 × 8 × 8 outputs, `value` the win, draw and loss logits.
"""

import argparse
import json
import pathlib

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

SEED = 20261121
FILTERS, BLOCKS, SQUEEZED, VALUE_PLANES, HIDDEN = 4, 2, 2, 3, 6
POSITIONS = 6
POLICY_STEP = 31


class Normalised(nn.Module):
    """A convolution and its batch normalisation."""

    def __init__(self, inputs, outputs, size):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
        self.bn = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)))


class SqueezeExcitation(nn.Module):
    def __init__(self):
        super().__init__()
        self.squeeze = nn.Linear(FILTERS, SQUEEZED)
        self.excite = nn.Linear(SQUEEZED, 2 * FILTERS)

    def forward(self, x):
        factor, offset = self.excite(F.relu(self.squeeze(x.mean((2, 3))))).chunk(2, 1)
        return x * torch.sigmoid(factor)[:, :, None, None] + offset[:, :, None, None]


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(FILTERS, FILTERS, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(FILTERS)
        self.conv2 = nn.Conv2d(FILTERS, FILTERS, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(FILTERS)
        self.se = SqueezeExcitation()

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.se(self.bn2(self.conv2(out))) + x)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(FILTERS, FILTERS, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(FILTERS)
        self.conv2 = nn.Conv2d(FILTERS, 80, 3, padding=1)

    def forward(self, x):
        return self.conv2(F.relu(self.bn1(self.conv1(x))))


class Value(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(FILTERS, VALUE_PLANES, 1, bias=False)
        self.bn = nn.BatchNorm2d(VALUE_PLANES)
        self.hidden = nn.Linear(VALUE_PLANES * 64, HIDDEN)
        self.output = nn.Linear(HIDDEN, 3)

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x)))
        return self.output(F.relu(self.hidden(x.flatten(1))))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.input = Normalised(112, FILTERS, 3)
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.policy = Policy()
        self.value = Value()

    def forward(self, x):
        x = self.input(x)
        for block in self.blocks:
            x = block(x)
        return self.policy(x), self.value(x)


def planes(entry):
    """The 112 planes out of Lc0's masks; the half-move clock is apart."""
    masks = entry["planes"].split(".")
    masks.insert(109, "")
    x = torch.zeros(112, 64)
    for plane, mask in enumerate(masks):
        bits = int(mask, 16) if mask else 0
        for square in range(64):
            x[plane, square] = bits >> square & 1
    x[109] = entry["clock"]
    return x.reshape(112, 8, 8)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out = parser.parse_args().out
    torch.manual_seed(SEED)
    network = Network().eval()
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.running_mean, -0.3, 0.3)
            nn.init.uniform_(module.running_var, 0.3, 2.0)
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.uniform_(module.bias, -0.3, 0.3)
    save_file(network.state_dict(), out / "net-torch.safetensors")
    lines = (out / "net-maia-1500-expected.jsonl").read_text().splitlines()[1:]
    entries = [entry for entry in map(json.loads, lines) if "planes" in entry]
    entries = entries[:: len(entries) // POSITIONS][:POSITIONS]
    with torch.no_grad():
        policy, value = network(torch.stack([planes(entry) for entry in entries]))
    positions = [
        {
            "fen": entry["fen"],
            "moves": entry["moves"],
            "policy": [round(x, 5) for x in p.flatten()[::POLICY_STEP].tolist()],
            "value": [round(x, 6) for x in v.tolist()],
        }
        for entry, p, v in zip(entries, policy, value)
    ]
    about = f"PyTorch {torch.__version__}, by tests/data/prepare/torch_expected.py"
    text = json.dumps({"about": about, "positions": positions}, separators=(",", ":"))
    (out / "net-torch-expected.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
