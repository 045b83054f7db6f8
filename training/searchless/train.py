"""Trains a model on annotated boards and writes the file that Kibitz reads; goes on where it was stopped.

    python training/searchless/train.py --kind action_value --train train.jsonl --dev dev.jsonl --test test.jsonl \
        --run RUN --out MODEL.safetensors

RUN is a folder: `checkpoint.pt`, from which the same command goes on to the same bytes on the same machine, and `log.jsonl`.
Boards of the dev and the test set are no part of training. With `--successors` state values are learnt from the boards that moves lead
to, whose value is one less the move's; with `--begin` a model takes over what another has learnt, as far as tensors fit. The rate climbs over the first steps and falls along half a cosine to
nothing, so that the model written is the last one, or the best on the dev set with `--keep-best`.
"""

import argparse
import json
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
from data import read_boards, symbols_after
from model import KINDS, LOSSES, Shape, Transformer
from model_file import read_model, write_model
from targets import loss_of


class Points:
    """What a kind of model learns from: rows of symbols without the 0 in front, and what is wanted of each."""

    def __init__(self, boards, kind, successors=False):
        self.symbols = torch.from_numpy(boards.symbols)
        self.actions = None
        self.fens = boards.fens if successors else None
        if kind == "action_value" or successors:
            self.owners = torch.from_numpy(boards.owners)
            self.actions = torch.from_numpy(boards.actions)
            values = torch.from_numpy(boards.action_values)
            self.wanted = 1.0 - values if successors else values
        elif kind == "state_value":
            self.owners = torch.from_numpy(np.flatnonzero(~np.isnan(boards.values)))
            self.wanted = torch.from_numpy(boards.values)[self.owners]
        else:
            self.owners = torch.from_numpy(np.flatnonzero(boards.best >= 0))
            self.wanted = torch.from_numpy(boards.best)[self.owners]

    def __len__(self):
        return len(self.owners)

    def of(self, places, device):
        """Rows and what is wanted of the points at these places."""
        if self.fens is not None:
            # The moves are made only when they are drawn: there are far more than training asks for.
            pairs = zip(self.owners[places].tolist(), self.actions[places].tolist(), strict=True)
            rows = torch.from_numpy(np.array([symbols_after(self.fens[i], action) for i, action in pairs])).long()
            return rows.to(device), self.wanted[places]
        rows = self.symbols[self.owners[places]].long()
        if self.actions is not None:
            rows = torch.cat([rows, self.actions[places, None]], 1)
        return rows.to(device), self.wanted[places]


class Order:
    """The points in the order in which training draws them: all of them, then all of them otherwise, by the seed alone."""

    def __init__(self, count, seed):
        self.count, self.seed, self.epoch, self.drawn = count, seed, None, None

    def at(self, begin, end):
        """The places of the points number `begin` to `end`, from 0."""
        found = []
        while begin < end:
            epoch, place = divmod(begin, self.count)
            if epoch != self.epoch:
                self.epoch = epoch
                self.drawn = torch.from_numpy(np.random.default_rng([self.seed, epoch]).permutation(self.count))
            part = self.drawn[place : place + end - begin]
            found.append(part)
            begin += len(part)
        return torch.cat(found)


def take_over(model, path):
    """Puts in what another model has learnt; places that this one has not are left out. The names of what was taken."""
    other, _ = read_model(path)
    taken, own = [], model.state_dict()
    for name, value in other.state_dict().items():
        if name == "positions":
            value = value[: len(own[name])]
        if name in own and own[name].shape == value.shape:
            own[name].copy_(value)
            taken.append(name)
    return taken


def dev_loss(model, points, places, batch, device):
    """The mean loss over the points at `places`."""
    model.eval()
    sum_of = 0.0
    with torch.no_grad():
        for some in places.split(batch):
            rows, wanted = points.of(some, device)
            sum_of += loss_of(model.shape, model(rows), wanted.to(device)).item() * len(some)
    model.train()
    return sum_of / len(places)


class Log:
    """Lines of JSON in a file and on standard output; what was written after a checkpoint is taken back."""

    def __init__(self, path, lines):
        self.path = path
        kept = path.read_text().splitlines()[:lines] if path.exists() else []
        self.lines = len(kept)
        path.write_text("".join(line + "\n" for line in kept))

    def add(self, **fields):
        line = json.dumps(fields)
        with self.path.open("a") as file:
            file.write(line + "\n")
        self.lines += 1
        print(line, flush=True)


def save_checkpoint(path, **state):
    """There whole or not at all."""
    part = path.with_suffix(".part")
    torch.save(state, part)
    os.replace(part, path)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", required=True, help="a folder of .bag files, or JSON lines")
    parser.add_argument("--dev", required=True, help="the same, of other boards")
    parser.add_argument("--test", help="boards that training may not see either")
    parser.add_argument("--run", required=True, type=Path, help="folder of checkpoint and log")
    parser.add_argument("--out", required=True, type=Path, help="the model")
    parser.add_argument("--name", help="what the model is called; without it the name of its file")
    parser.add_argument("--games", type=int, default=0, help="how many games the boards are from, for the file's header")
    parser.add_argument("--boards", type=int, help="only the first so many boards")
    parser.add_argument("--points", type=int, help="only so many points, drawn by lot")
    parser.add_argument("--kind", choices=KINDS, default="action_value")
    parser.add_argument("--successors", action="store_true", help="state values of the boards that moves lead to")
    parser.add_argument("--begin", help="a model whose weights this one begins with")
    parser.add_argument("--loss", choices=LOSSES, default="hl_gauss", help="of values")
    parser.add_argument("--bins", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--batch", type=int, default=16, help="points of a batch")
    parser.add_argument("--samples", type=int, default=260_000, help="points that are drawn in all")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="the highest")
    parser.add_argument("--warm", type=float, default=0.05, help="the share of the steps in which the rate climbs")
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--dev-points", type=int, default=2000, help="points of the dev set that are looked at")
    parser.add_argument("--keep-best", action="store_true", help="write the model whenever the dev loss is the lowest so far")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save-every", type=int, default=200, help="steps between checkpoints")
    parser.add_argument("--dev-every", type=int, default=1000, help="steps between looks at the dev set")
    parser.add_argument("--device", default="cpu")
    return parser.parse_args()


def main():
    args = options()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    cloning = args.kind == "behavioral_cloning"
    shape = Shape(
        args.kind, args.layers, args.heads, args.width, 0 if cloning else args.bins, "log" if cloning else args.loss
    )  # fmt: skip
    dev_boards = read_boards(args.dev)
    unseen = {*dev_boards.fens, *(read_boards(args.test).fens if args.test else ())}
    boards = read_boards(args.train, unseen, args.boards)
    if args.successors and args.kind != "state_value":
        raise SystemExit("only state values are learnt from successors")
    points, dev_points = (Points(some, args.kind, args.successors) for some in (boards, dev_boards))
    if not len(points) or not len(dev_points) or args.samples < args.batch:
        raise SystemExit("nothing to learn from, nothing to look at, or fewer samples than a batch")
    # The same draw for every epoch, as though there were no others.
    kept = np.random.default_rng([args.seed, 0, 0]).permutation(len(points))[: args.points]
    kept = torch.from_numpy(np.sort(kept))
    order = Order(len(kept), args.seed)
    looked_at = torch.from_numpy(np.random.default_rng(0).permutation(len(dev_points))[: args.dev_points])

    model = Transformer(shape)
    if args.begin and not take_over(model, args.begin):
        raise SystemExit(f"nothing of {args.begin} fits")
    model.to(args.device)
    decayed = [value for value in model.parameters() if value.ndim > 1]
    others = [value for value in model.parameters() if value.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": args.decay}, {"params": others, "weight_decay": 0.0}], args.rate
    )
    steps = args.samples // args.batch
    warm = max(1, round(steps * args.warm))

    # What a run depends on; a checkpoint of another run is refused. Threads and places may change.
    told = {name: value for name, value in vars(args).items() if name not in ("run", "out", "threads", "save_every", "device")}
    told |= {"boards": len(boards), "points": len(kept)}
    args.run.mkdir(parents=True, exist_ok=True)
    checkpoint = args.run / "checkpoint.pt"
    step, best, lines, told_loss, told_count, seconds = 0, math.inf, 0, 0.0, 0, 0.0
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=args.device, weights_only=True)
        if state["told"] != told:
            raise SystemExit(f"{checkpoint} is of a run with other options or boards: give another --run")
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        step, best, lines, told_loss, told_count, seconds = (
            state[name] for name in ("step", "best", "lines", "loss", "count", "seconds")
        )  # fmt: skip
    log = Log(args.run / "log.jsonl", lines)
    if not lines:
        numbers = sum(value.numel() for value in model.parameters())
        log.add(**told, steps=steps, parameters=numbers, device=args.device, threads=args.threads, torch=torch.__version__)
    begun = time.monotonic() - seconds

    def save():
        save_checkpoint(
            checkpoint, told=told, model=model.state_dict(), optimiser=optimiser.state_dict(), step=step, best=best,
            lines=log.lines, loss=told_loss, count=told_count, seconds=time.monotonic() - begun,
        )  # fmt: skip

    begin = Path(args.begin).stem if args.begin else None

    def write():
        args.out.parent.mkdir(parents=True, exist_ok=True)
        write_model(
            args.out, model, name=args.name or args.out.stem, games=args.games, boards=len(boards), points=len(kept),
            samples=step * args.batch, seed=args.seed, successors=args.successors, begin=begin,
        )  # fmt: skip

    while step < steps:
        climbed = min(1.0, (step + 1) / warm)
        fallen = max(0.0, (step - warm) / max(1, steps - warm))
        for group in optimiser.param_groups:
            group["lr"] = args.rate * climbed * 0.5 * (1 + math.cos(math.pi * fallen))
        rows, wanted = points.of(kept[order.at(step * args.batch, (step + 1) * args.batch)], args.device)
        loss = loss_of(shape, model(rows), wanted.to(args.device))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        told_loss, told_count, step = told_loss + loss.item(), told_count + 1, step + 1
        if step % args.dev_every == 0 or step == steps:
            value = dev_loss(model, dev_points, looked_at, args.batch, args.device)
            kept_now = value < best or (step == steps and not args.keep_best)
            log.add(
                step=step, samples=step * args.batch, loss=told_loss / told_count, dev_loss=value, kept=kept_now,
                seconds=round(time.monotonic() - begun, 1),
            )  # fmt: skip
            best, told_loss, told_count = min(best, value), 0.0, 0
            if kept_now and (args.keep_best or step == steps):
                write()
            save()
        elif step % args.save_every == 0:
            save()


if __name__ == "__main__":
    main()
