"""Trains a language model on games and writes the file that Kibitz reads; goes on where it was stopped.

    python training/blindfold/train.py --train train-s.tokens --dev dev.tokens --notation rap25 --run RUN --out MODEL.safetensors

RUN is a folder: `checkpoint.pt`, from which the same command goes on to the same bytes on the same machine, and `log.jsonl`.
The model is written whenever an epoch's dev loss is the best so far. As in the authors' code a type that comes by chance (RAP)
costs nothing, and training stops when the dev loss rises.
"""

import argparse
import json
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from games import FIRST_SQUARE, FIRST_TYPE, PAD, batches, read_games, share_of, written
from model import KINDS, Shape, build
from model_file import write_model


def loss_of(logits, targets, types_cost):
    """The sum of −ln p over targets, in nats, and how many count: no padding, and types only where they cost."""
    counted = targets != PAD
    if not types_cost:
        counted &= (targets < FIRST_TYPE) | (targets >= FIRST_SQUARE)
    return F.cross_entropy(logits[counted], targets[counted], reduction="sum"), counted.sum()


def dev_nats(model, games, types_may_come, most_tokens, device):
    """All nats of games, and their moves, ends included: what canonical perplexity is made of.

    Where no type may come (UCI, and RAP when it is tested), types have no probability.
    """
    model.eval()
    nats = 0.0
    with torch.no_grad():
        for batch in batches(games, most_tokens):
            tokens = torch.from_numpy(batch).long().to(device)
            logits = model(tokens[:, :-1])
            if not types_may_come:
                logits[..., FIRST_TYPE:FIRST_SQUARE] = -math.inf
            nats += F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:], ignore_index=PAD, reduction="sum").item()
    model.train()
    # Two squares a move, whatever stands between; the end is one more.
    squares = sum(int(((game >= FIRST_SQUARE) & (game < FIRST_SQUARE + 64)).sum()) for game in games)
    moves = squares // 2 + len(games)
    return nats, moves


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
    parser.add_argument("--train", required=True, help="train-s.tokens and its like")
    parser.add_argument("--dev", required=True, help="dev.tokens")
    parser.add_argument("--run", required=True, type=Path, help="folder of checkpoint and log")
    parser.add_argument("--out", required=True, type=Path, help="the model")
    parser.add_argument("--name", help="what the model is called; without it the name of its file")
    parser.add_argument("--notation", default="rap25", help="uci, ap, or rap1 to rap100")
    parser.add_argument("--types-cost", action="store_true", help="the loss counts RAP's types too")
    parser.add_argument("--kind", choices=KINDS, default="transformer")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--context", type=int, default=512, help="tokens; of an LSTM what its longest game may have")
    parser.add_argument("--window", type=int, help="how many tokens back a token sees")
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--batch", type=int, default=8192, help="tokens of a batch, padding included")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rate", type=float, default=2e-3, help="the highest, after the first tenth of the steps")
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save-every", type=int, default=100, help="steps between checkpoints")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def epoch_batches(games, share, seed, epoch, most_tokens):
    """The batches of an epoch; seed and epoch alone decide, so that a run that goes on draws the same."""
    random = np.random.default_rng([seed, epoch])
    return list(batches([written(game, share, random) for game in games], most_tokens, random))


def main():
    args = options()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    share = share_of(args.notation)
    types_cost = args.types_cost or share == 1.0
    games, header = read_games(args.train)
    if args.epochs < 1 or args.batch < 1:
        raise SystemExit("epochs and batch are at least 1")
    if max(map(len, games)) > args.context:
        raise SystemExit(f"a game has {max(map(len, games))} tokens, types included: give a larger --context")
    tested = 1.0 if args.notation == "ap" else 0.0
    dev_games, _ = read_games(args.dev)
    dev_games = [written(game, tested, np.random.default_rng(0)) for game in dev_games]

    is_lstm = args.kind == "lstm"
    heads = 0 if is_lstm else args.heads
    context = max(map(len, games)) if is_lstm else args.context
    shape = Shape(args.kind, args.layers, heads, args.width, context, args.window, args.dropout)
    model = build(shape).to(args.device)
    decayed = [value for value in model.parameters() if value.ndim > 1]
    others = [value for value in model.parameters() if value.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": args.decay}, {"params": others, "weight_decay": 0.0}], args.rate
    )
    # RAP's epochs differ by a few batches: the first one's count stands for all.
    steps = args.epochs * len(epoch_batches(games, share, args.seed, 1, args.batch))
    warm = max(1, steps // 10)

    # What a run depends on; a checkpoint of another run is refused. Threads and places may change.
    told = {name: value for name, value in vars(args).items() if name not in ("run", "out", "threads", "save_every", "device")}
    told |= {"tokens": int(sum(map(len, games))), "games": len(games), "dev_games": len(dev_games), "split": header["split"]}
    args.run.mkdir(parents=True, exist_ok=True)
    checkpoint = args.run / "checkpoint.pt"
    epoch, at, step, best, lines = 1, 0, 0, math.inf, 0
    told_nats, told_count, seconds, ended = 0.0, 0, 0.0, False
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=args.device, weights_only=True)
        if state["told"] != told:
            raise SystemExit(f"{checkpoint} is of a run with other options or games: give another --run")
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        torch.set_rng_state(state["random"].cpu())
        if args.device == "cuda":
            torch.cuda.set_rng_state(state["cuda_random"].cpu())
        epoch, at, step, best, lines = (state[name] for name in ("epoch", "at", "step", "best", "lines"))
        told_nats, told_count, seconds, ended = (state[name] for name in ("nats", "count", "seconds", "ended"))
    log = Log(args.run / "log.jsonl", lines)
    if not lines:
        numbers = sum(value.numel() for value in model.parameters())
        log.add(**told, steps=steps, parameters=numbers, device=args.device, threads=args.threads, torch=torch.__version__)

    begun = time.monotonic() - seconds

    def save():
        save_checkpoint(
            checkpoint, told=told, model=model.state_dict(), optimiser=optimiser.state_dict(), random=torch.get_rng_state(),
            cuda_random=torch.cuda.get_rng_state() if args.device == "cuda" else None, epoch=epoch, at=at, step=step,
            best=best, lines=log.lines, nats=told_nats, count=told_count, seconds=time.monotonic() - begun, ended=ended,
        )  # fmt: skip

    while epoch <= args.epochs and not ended:
        todo = epoch_batches(games, share, args.seed, epoch, args.batch)
        for batch in todo[at:]:
            rate = min((step + 1) / warm, max(0.0, (steps - step) / (steps - warm + 1)))
            for group in optimiser.param_groups:
                group["lr"] = args.rate * rate
            tokens = torch.from_numpy(batch).long().to(args.device)
            nats, count = loss_of(model(tokens[:, :-1]), tokens[:, 1:], types_cost)
            optimiser.zero_grad()
            (nats / count).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            told_nats, told_count = told_nats + nats.item(), told_count + count.item()
            at, step = at + 1, step + 1
            if step % args.save_every == 0:
                log.add(step=step, epoch=epoch, loss=told_nats / told_count, seconds=round(time.monotonic() - begun, 1))
                save()
        nats, moves = dev_nats(model, dev_games, tested == 1.0, args.batch, args.device)
        loss = nats / moves
        ended = not loss < best
        log.add(
            epoch=epoch, step=step, train_loss=told_nats / told_count, dev_nats_a_move=loss,
            dev_perplexity=math.exp(loss), kept=not ended, seconds=round(time.monotonic() - begun, 1),
        )  # fmt: skip
        if not ended:
            best = loss
            name = args.name or args.out.stem
            origin = {"notation": args.notation, "name": name, "games": len(games), "split": header["split"]}
            args.out.parent.mkdir(parents=True, exist_ok=True)
            write_model(args.out, model, **origin, epochs=epoch, seed=args.seed)
        epoch, at, told_nats, told_count = epoch + 1, 0, 0.0, 0
        save()


if __name__ == "__main__":
    main()
