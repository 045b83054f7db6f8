"""Trains Kibitz's default network on packed records (`lab training-set`) and writes its weights as safetensors.

The network reads the position alone: our and their men, castling rights and a plane of ones. Its weights for the other
planes of Lc0's 112 (history, colour, half-move clock) are zero, so that it says the same of a position however it was
reached. It never sees a concept label.
"""

import argparse
import copy
import json
import math
import time

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import nn

MEN, CASTLING, ONES = range(0, 12), range(104, 108), 111
PLANES = [*MEN, *CASTLING, ONES]  # the planes that are read, of Lc0's 112
RECORD = np.dtype(
    [
        ("men", "u1", 96), ("castling", "u1", 4), ("wdl", "<u2", 3), ("count", "u1"), ("zero", "u1"),
        ("moves", "<u2", 8), ("shares", "<u2", 8), ("game", "<u4"),
    ]
)  # fmt: skip


class Block(nn.Module):
    """Two convolutions with squeeze-excitation before the skip."""

    def __init__(self, filters, squeeze):
        super().__init__()
        self.conv1 = nn.Conv2d(filters, filters, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(filters)
        self.conv2 = nn.Conv2d(filters, filters, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(filters)
        self.se = nn.ModuleDict({"squeeze": nn.Linear(filters, squeeze), "excite": nn.Linear(squeeze, 2 * filters)})

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        scale, shift = self.se["excite"](F.relu(self.se["squeeze"](y.mean((2, 3))))).chunk(2, 1)
        return F.relu(torch.sigmoid(scale)[:, :, None, None] * y + shift[:, :, None, None] + x)


class Network(nn.Module):
    """Lc0's squeeze-excitation residual network with a convolutional policy and a win-draw-loss value."""

    def __init__(self, filters, blocks, squeeze):
        super().__init__()
        self.input = nn.ModuleDict(
            {"conv": nn.Conv2d(len(PLANES), filters, 3, padding=1, bias=False), "bn": nn.BatchNorm2d(filters)}
        )
        self.blocks = nn.ModuleList(Block(filters, squeeze) for _ in range(blocks))
        self.policy = nn.ModuleDict(
            {
                "conv1": nn.Conv2d(filters, filters, 3, padding=1, bias=False),
                "bn1": nn.BatchNorm2d(filters),
                "conv2": nn.Conv2d(filters, 80, 3, padding=1),
            }
        )
        self.value = nn.ModuleDict(
            {
                "conv": nn.Conv2d(filters, 32, 1, bias=False),
                "bn": nn.BatchNorm2d(32),
                "hidden": nn.Linear(32 * 64, 128),
                "output": nn.Linear(128, 3),
            }
        )

    def forward(self, x):
        x = F.relu(self.input["bn"](self.input["conv"](x)))
        for block in self.blocks:
            x = block(x)
        p = self.policy["conv2"](F.relu(self.policy["bn1"](self.policy["conv1"](x))))
        v = F.relu(self.value["bn"](self.value["conv"](x))).flatten(1)
        return p.flatten(1), self.value["output"](F.relu(self.value["hidden"](v)))

    def lc0_tensors(self):
        """The state dict with the input's weights put among Lc0's 112 planes."""
        tensors = {name: value.detach().contiguous() for name, value in self.state_dict().items()}
        tensors = {name: value for name, value in tensors.items() if not name.endswith("num_batches_tracked")}
        narrow = tensors["input.conv.weight"]
        wide = torch.zeros(narrow.shape[0], 112, 3, 3)
        wide[:, PLANES] = narrow
        tensors["input.conv.weight"] = wide
        return tensors

    def load_lc0_tensors(self, tensors):
        """Takes up what `lc0_tensors` gave."""
        tensors = dict(tensors)
        tensors["input.conv.weight"] = tensors["input.conv.weight"][:, PLANES]
        missing, unexpected = self.load_state_dict(tensors, strict=False)
        assert not unexpected and all(name.endswith("num_batches_tracked") for name in missing), (missing, unexpected)


def policy_planes():
    """Where each of Lc0's 1858 moves is among 80 × 64 outputs: plane × 64 + from-square."""
    directions = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    planes = []
    for start in range(64):
        for end in range(64):
            files, ranks = end % 8 - start % 8, end // 8 - start // 8
            if (files, ranks) in jumps:
                planes.append((56 + jumps.index((files, ranks))) * 64 + start)
                continue
            steps = max(abs(files), abs(ranks))
            if steps and (not files or not ranks or abs(files) == abs(ranks)):
                direction = directions.index((files // steps, ranks // steps))
                planes.append((direction * 7 + steps - 1) * 64 + start)
    for file in range(8):
        for step in range(3):
            if 0 <= file + step - 1 < 8:
                # The index has queen, rook, bishop; the planes have rook, bishop, queen.
                planes += [(64 + step * 3 + kind) * 64 + 48 + file for kind in (2, 0, 1)]
    assert len(planes) == 1858
    return np.array(planes)


PLANE_OF_MOVE = policy_planes()


def mirrored_planes():
    """Each of the 80 × 64 outputs with the files mirrored."""
    plane = list(range(80))
    for direction in range(8):
        for steps in range(7):
            plane[direction * 7 + steps] = (-direction % 8) * 7 + steps
    for jump in range(8):
        plane[56 + jump] = 56 + 7 - jump
    for step in range(3):
        for kind in range(3):
            plane[64 + step * 3 + kind] = 64 + (2 - step) * 3 + kind
    return np.array([plane[i // 64] * 64 + (i % 64 ^ 7) for i in range(80 * 64)])


MIRRORED = mirrored_planes()


def batch(records, mirror=None):
    """Inputs, the policy's places and shares, and the value of some records; those of `mirror` with files mirrored."""
    bits = np.unpackbits(records["men"].reshape(-1, 12, 8), axis=2, bitorder="little").reshape(-1, 12, 8, 8)
    planes = np.empty((len(records), len(PLANES), 8, 8), np.float32)
    planes[:, :12] = bits
    planes[:, 12:16] = records["castling"][:, :, None, None]
    planes[:, 16] = 1
    places = PLANE_OF_MOVE[records["moves"]]
    if mirror is not None:
        # A mirrored position with castling rights would not be a legal position.
        mirror = mirror & (records["castling"].max(1) == 0)
        planes[mirror] = planes[mirror][..., ::-1]
        places[mirror] = MIRRORED[places[mirror]]
    shares = records["shares"].astype(np.float32)
    shares /= shares.sum(1, keepdims=True)
    wdl = records["wdl"].astype(np.float32)
    wdl /= wdl.sum(1, keepdims=True)
    x = torch.from_numpy(planes).contiguous(memory_format=torch.channels_last)
    return x, torch.from_numpy(places), torch.from_numpy(shares), torch.from_numpy(wdl)


def losses(outputs, places, shares, wdl):
    """Cross-entropies of policy and value."""
    policy, value = outputs
    policy = -(policy.log_softmax(1).gather(1, places) * shares).sum(1).mean()
    value = -(value.log_softmax(1) * wdl).sum(1).mean()
    return policy, value


def evaluate(model, records):
    """Losses and the share of positions in which the best of all outputs is the teacher's best move."""
    model.eval()
    sums = np.zeros(3)
    with torch.no_grad():
        for i in range(0, len(records), 1024):
            some = records[i : i + 1024]
            x, places, shares, wdl = batch(some)
            outputs = model(x)
            policy, value = losses(outputs, places, shares, wdl)
            top = (outputs[0].argmax(1) == places[:, 0]).float().mean()
            sums += np.array([policy.item(), value.item(), top.item()]) * len(some)
    model.train()
    return sums / len(records)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records")
    parser.add_argument("--out", required=True)
    parser.add_argument("--init", help="weights of an earlier run to go on from")
    parser.add_argument("--filters", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--squeeze", type=int, default=16)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--decay", type=float, default=1e-4)
    parser.add_argument("--held-out", type=float, default=0.02, help="share of the games kept for validation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--compile", action="store_true", help="a fifth faster; needs a C++ compiler")
    parser.add_argument("--save-every", type=int, default=500)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    random = np.random.default_rng(args.seed)
    records = np.fromfile(args.records, RECORD)
    games = np.unique(records["game"])
    held_out = np.isin(records["game"], random.permutation(games)[: max(1, int(len(games) * args.held_out))])
    validation, records = records[held_out], records[~held_out]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Network(args.filters, args.blocks, args.squeeze)
    if args.init:
        model.load_lc0_tensors(load_file(args.init))
    model = model.to(device, memory_format=torch.channels_last)
    forward = torch.compile(model) if args.compile else model
    average = copy.deepcopy(model)  # an average of the weights over the last steps is better than any of them
    decayed = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": args.decay}, {"params": others, "weight_decay": 0}], args.rate
    )
    warm = min(300, args.steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser,
        lambda step: min((step + 1) / warm, 0.01 + 0.99 * (1 + math.cos(math.pi * step / args.steps)) / 2),
    )
    print(json.dumps({"train": len(records), "validation": len(validation), "device": device, **vars(args)}), flush=True)

    begun, told, order, at = time.time(), np.zeros(2), random.permutation(len(records)), 0
    for step in range(1, args.steps + 1):
        if at + args.batch > len(order):
            order, at = random.permutation(len(records)), 0
        some = records[order[at : at + args.batch]]
        at += args.batch
        x, places, shares, wdl = (t.to(device) for t in batch(some, random.random(args.batch) < 0.5))
        policy, value = losses(forward(x), places, shares, wdl)
        optimiser.zero_grad()
        (policy + value).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        told += [policy.item(), value.item()]
        with torch.no_grad():
            keep = min(0.998, step / (step + 20))
            for mean, new in zip(average.state_dict().values(), model.state_dict().values()):
                if mean.is_floating_point():
                    mean.lerp_(new, 1 - keep)
        if step % 100 == 0:
            left = (time.time() - begun) / step * (args.steps - step)
            print(f"step {step}: policy {told[0] / 100:.4f} value {told[1] / 100:.4f}, {left:.0f} s to go", flush=True)
            told[:] = 0
        if step % args.save_every == 0 or step == args.steps:
            save_file(copy.deepcopy(average).cpu().lc0_tensors(), args.out)
            policy, value, top = evaluate(average.cpu() if device == "cpu" else copy.deepcopy(average).cpu(), validation)
            print(json.dumps({"step": step, "policy": policy, "value": value, "top1": top}), flush=True)


if __name__ == "__main__":
    main()
