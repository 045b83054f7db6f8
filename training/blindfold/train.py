"""Trains a language model on games as text, and writes it as Kibitz reads it (see model.py).

    training/blindfold/train.py train-s.tokens dev.tokens --notation rap25 --out rap25.safetensors

Follows the paper's recipe where the machine allows: Adam, one tenth of the steps to warm up, then down in a line; no loss on
types (the authors' code); it stops when the loss on the dev games rises. A run that was cut off goes on at the epoch that it
was in, with the same numbers as though it had not been: each epoch draws from its own seed.
"""

import argparse
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from games import Games, batches
from model import END, PAD, TYPES, VOCABULARY, build, save


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", help="games to learn from, from `lab blindfold data`")
    parser.add_argument("dev", help="games that say when to stop")
    parser.add_argument("--out", required=True, help="the model with the least loss on the dev games, in half precision")
    parser.add_argument("--notation", default="rap25", help="uci, ap, or rap with the chance of a type in per cent")
    parser.add_argument("--kind", choices=["transformer", "lstm"], default="transformer")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--context", type=int, default=512)
    parser.add_argument("--window", type=int, help="tokens that a token sees back; without it all")
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=8192, help="tokens in a batch, padding included")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--loss-on-types", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--name", help="in the model's header; without it the notation and the split")
    parser.add_argument("--checkpoint", help="where the run is kept after each epoch, and goes on from")
    parser.add_argument("--log", help="a line of JSON for each epoch")
    return parser.parse_args()


def loss_of(model, tokens, ignored):
    """The mean cost of the tokens that count, in nats."""
    targets = tokens[:, 1:].clone()
    targets[torch.isin(targets, ignored)] = -100
    logits = model(tokens[:, :-1])
    return F.cross_entropy(logits.reshape(-1, VOCABULARY), targets.reshape(-1), ignore_index=-100)


@torch.no_grad()
def canonical_perplexity(model, games, notation, device):
    """exp(nats / (plies + 1)) over all games. Where a model is tested without types, they have no probability."""
    model.eval()
    tested = "ap" if notation == "ap" else "uci"
    nats, moves = 0.0, 0
    for tokens in batches(games.written(tested, np.random.default_rng(0)), 16384, np.random.default_rng(0)):
        tokens = tokens.to(device)
        logits, targets = model(tokens[:, :-1]).float(), tokens[:, 1:]
        if tested == "uci":
            logits[..., TYPES.start : TYPES.stop] = -torch.inf
        nats += F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=PAD, reduction="sum").item()
    for game in games.games:
        # From, to, and the end: types and promotions are part of a move.
        squares = int(np.sum((game >= 9) & (game <= 72)))
        moves += squares // 2 + 1
        assert squares % 2 == 0 and game[-1] == END
    return math.exp(nats / moves)


def main():
    args = arguments()
    torch.set_num_threads(args.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    train, dev = Games(args.train), Games(args.dev)
    torch.manual_seed(args.seed)
    model = build(args.kind, args.layers, args.heads, args.width, args.context, args.window, args.dropout).to(device)
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.rate, betas=(0.9, 0.95), weight_decay=args.decay)
    ignored = torch.tensor([PAD] if args.loss_on_types else [PAD, *TYPES], device=device)
    said = {
        "name": args.name or f"{args.notation} on {train.header['split']}", "notation": args.notation,
        "games": len(train.games), "split": train.header["split"], "seed": args.seed,
    }  # fmt: skip
    first, best, log = 0, math.inf, []
    checkpoint = Path(args.checkpoint) if args.checkpoint else None
    if checkpoint and checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=False, map_location=device)
        model.load_state_dict(kept["model"])
        optimiser.load_state_dict(kept["optimiser"])
        first, best, log = kept["epoch"], kept["best"], kept["log"]
    for epoch in range(first, args.epochs):
        rng = np.random.default_rng([args.seed, epoch])
        torch.manual_seed(args.seed * 1_000_003 + epoch)
        begun, total = time.time(), 0.0
        model.train()
        whole = list(batches(train.written(args.notation, rng), args.batch, rng))
        for number, tokens in enumerate(whole):
            done = (epoch + number / len(whole)) / args.epochs
            for group in optimiser.param_groups:
                group["lr"] = args.rate * min(done / 0.1 + 1e-3, (1 - done) / 0.9)
            loss = loss_of(model, tokens.to(device), ignored)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            total += loss.item()
        perplexity = canonical_perplexity(model, dev, args.notation, device)
        line = {
            "epoch": epoch + 1, "loss": round(total / len(whole), 4), "dev_perplexity": round(perplexity, 3),
            "seconds": round(time.time() - begun, 1), "batches": len(whole), **said, **model.header,
        }  # fmt: skip
        log.append(line)
        print(json.dumps(line), flush=True)
        rises = perplexity > best
        if not rises:
            best = perplexity
            save(model, args.out, torch.float16, **said, epochs=epoch + 1)
        if args.log:
            Path(args.log).write_text("".join(json.dumps(line) + "\n" for line in log))
        if checkpoint:
            kept = {"model": model.state_dict(), "optimiser": optimiser.state_dict()}
            part = checkpoint.with_suffix(".part")
            torch.save(kept | {"epoch": epoch + 1, "best": best, "log": log}, part)
            part.replace(checkpoint)
        if rises:
            break


main()
