"""Trains the network that proposes claims.

    python train.py EXAMPLES.json OUT.safetensors [--epochs N] [--held FRACTION]

Input: the features of a sentence's chunks. Output: where a claim is anchored, and which; its slots, each a chunk or none; whether it is
denied, said of the other side, of the past, only supposed, and a qualifier. `docs/claims.md` says what came of it.
"""

import argparse
import collections
import json
import math
import random

import numpy as np
import torch
from torch import nn
from torch.nn import functional

SLOTS = "SOBWMFNP"
FLAGS = ["denied", "other", "only", "was"]
MODES = ["asserted", "supposed", "wished", "asked"]
QUALIFIERS = (
    "none slight clear winning more_than less_than about good inaccuracy mistake blunder kingside queenside opening middlegame endgame"
).split()
WIDTH, HEADS, HIDDEN, LAYERS, KEY = 128, 4, 256, 3, 32
REACH = 12
LONGEST = 72
# How often what is learnt of a word itself is left out.
UNLEARNT = 0.3


class Layer(nn.Module):
    def __init__(self, drop):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, HIDDEN), nn.Linear(HIDDEN, WIDTH)
        self.near = nn.Parameter(torch.zeros(HEADS, 2 * REACH + 1))
        self.drop = nn.Dropout(drop)

    def forward(self, x, mask, distance):
        b, t, _ = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        score = q @ k.transpose(-1, -2) / math.sqrt(WIDTH // HEADS) + self.near[:, distance]
        score = score.masked_fill(~mask[:, None, None, :], -1e4)
        mixed = (score.softmax(-1) @ v).transpose(1, 2).reshape(b, t, WIDTH)
        x = x + self.drop(self.out(mixed))
        return x + self.drop(self.down(functional.gelu(self.up(self.norm2(x)), approximate="tanh")))


class Proposer(nn.Module):
    def __init__(self, features, predicates, drop=0.2, like=None):
        super().__init__()
        # What words are like, where that is known of them, and what is learnt of each feature beside it.
        like = torch.zeros(features + 1, 1) if like is None else like
        self.register_buffer("like", like, persistent=False)
        self.project = nn.Linear(like.shape[1], WIDTH, bias=False)
        self.embed = nn.Embedding(features + 1, WIDTH, padding_idx=0)
        nn.init.normal_(self.embed.weight, std=0.3)
        with torch.no_grad():
            self.embed.weight[0] = 0
        self.layers = nn.ModuleList(Layer(drop) for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.anchor = nn.Linear(WIDTH, predicates)
        self.claim = nn.Embedding(predicates, WIDTH)
        self.ask = nn.Linear(WIDTH, WIDTH)
        self.query = nn.Linear(WIDTH, len(SLOTS) * KEY)
        self.key = nn.Linear(WIDTH, len(SLOTS) * KEY)
        self.nothing = nn.Linear(WIDTH, len(SLOTS))
        self.near = nn.Parameter(torch.zeros(len(SLOTS), 2 * REACH + 1))
        self.flags = nn.Linear(WIDTH, len(FLAGS))
        self.mode = nn.Linear(WIDTH, len(MODES))
        self.qualifier = nn.Linear(WIDTH, len(QUALIFIERS))
        self.drop = nn.Dropout(drop)
        nn.init.constant_(self.anchor.bias, -4.0)

    def encode(self, bags, mask, unlearnt=None):
        learnt = bags if unlearnt is None else bags.masked_fill(unlearnt, 0)
        x = self.drop(self.embed(learnt).sum(2) + self.project(self.like[bags].sum(2)))
        t = x.shape[1]
        places = torch.arange(t, device=x.device)
        distance = (places[None, :] - places[:, None]).clamp(-REACH, REACH) + REACH
        for layer in self.layers:
            x = layer(x, mask, distance)
        x = self.norm(x)
        return x, distance

    def ask_of(self, x, mask, distance, rows, at, predicate):
        """For claims: rows of the batch, where they are anchored, which they are. Scores of each slot's chunks, the last for none."""
        ask = torch.tanh(self.ask(self.drop(x[rows, at])) + self.claim(predicate))
        query = self.query(ask).view(-1, len(SLOTS), KEY)
        keys = self.key(x).view(x.shape[0], x.shape[1], len(SLOTS), KEY)[rows]
        score = torch.einsum("nsk,ntsk->nst", query, keys) / math.sqrt(KEY) + self.near[:, distance[at]].transpose(0, 1)
        score = score.masked_fill(~mask[rows][:, None, :], -1e4)
        score = torch.cat([score, self.nothing(ask)[:, :, None]], 2)
        return score, self.flags(ask), self.mode(ask), self.qualifier(ask)


def vocabulary(examples, least):
    counted = collections.Counter(f for e in examples for chunk in e["chunks"] for f in set(chunk))
    kept = sorted(f for f, n in counted.items() if n >= least)
    return {"start": 1, **{f: n + 2 for n, f in enumerate(kept)}}


def joined(one, other, dice):
    """Two sentences as one."""
    glue = dice.choice([[["kind:break", "sign:,"], word("and")], [word("and")], [["kind:break", "sign:;"]], [["kind:break", "sign:,"], word("but")], [word("while")], [["kind:break", "sign:."]]])
    first = one["chunks"][:-1] if one["chunks"][-1][0] == "kind:break" else one["chunks"]
    shift = len(first) + len(glue)

    def moved(claim):
        at = claim["at"]
        return {**claim, "at": at + shift if at else 0, "slots": {s: c + shift for s, c in claim["slots"].items()}}

    if len(first) + len(glue) + len(other["chunks"]) >= LONGEST:
        return one
    keep = [c for c in one["claims"] if all(p <= len(first) for p in [c["at"], *c["slots"].values()])]
    return {
        "source": one["source"],
        "chunks": first + glue + other["chunks"],
        "claims": keep + [moved(c) for c in other["claims"]],
        "unsure": one["unsure"] + other["unsure"],
    }


def word(text):
    return ["kind:word", f"word:{text}", f"begins:{text[:4]}", f"begins:{text[:6]}", f"ends:{text[-3:]}"]


class Batches:
    """Examples as padded tensors."""

    def __init__(self, examples, vocabulary, predicates, device):
        self.bags, self.places, self.unsure = [], [], []
        most = max(len(set(c)) for e in examples for c in e["chunks"])
        t = LONGEST + 1
        bags = np.zeros((len(examples), t, most), np.int16)
        mask = np.zeros((len(examples), t), bool)
        target = np.zeros((len(examples), t, len(predicates)), np.uint8)
        unsure = np.zeros((len(examples), len(predicates)), bool)
        claims = []
        for n, e in enumerate(examples):
            bags[n, 0, 0] = vocabulary["start"]
            chunks = e["chunks"][:LONGEST]
            mask[n, : len(chunks) + 1] = True
            for c, chunk in enumerate(chunks):
                known = sorted({vocabulary[f] for f in chunk if f in vocabulary})
                bags[n, c + 1, : len(known)] = known
            for p in e["unsure"]:
                unsure[n, predicates[p]] = True
            for claim in e["claims"]:
                if any(place > LONGEST for place in [claim["at"], *claim["slots"].values()]):
                    continue
                p = predicates[claim["p"]]
                target[n, claim["at"], p] = 1
                unsure_of = claim["unsure"]
                claims.append(
                    [n, claim["at"], p]
                    + [-100 if s in unsure_of else claim["slots"].get(s, t) for s in SLOTS]
                    + [int(bool(claim.get(f))) for f in FLAGS]
                    + [-100 if "m" in unsure_of else MODES.index(claim["mode"])]
                    + [-100 if "q" in unsure_of else QUALIFIERS.index(claim.get("q", "none"))]
                )
        put = lambda a, dtype: torch.from_numpy(a).to(device=device, dtype=dtype)
        self.bags, self.mask = put(bags, torch.int32), put(mask, torch.bool)
        self.target, self.unsure = put(target, torch.bool), put(unsure, torch.bool)
        claims = np.array(sorted(claims), np.int64).reshape(-1, 3 + len(SLOTS) + len(FLAGS) + 2)
        self.first = torch.from_numpy(np.searchsorted(claims[:, 0], np.arange(len(examples) + 1)))
        self.claims = put(claims, torch.long)
        self.length = mask.sum(1)

    def __len__(self):
        return len(self.bags)


def step(model, data, chosen, drop_words, words, lexical, device):
    chosen = torch.as_tensor(chosen, device=device)
    mask = data.mask[chosen]
    t = int(mask.sum(1).max())
    mask, bags = mask[:, :t], data.bags[chosen, :t].long()
    # A word may be one that was never seen: nothing of it, or no more than what it is like.
    draw = torch.rand(bags.shape[:2], device=device)
    bags = bags.masked_fill((draw < drop_words)[:, :, None] & words[bags], 0)
    unlearnt = (draw < UNLEARNT)[:, :, None] & lexical[bags]
    x, distance = model.encode(bags, mask, unlearnt)
    logits = model.anchor(x)
    target = data.target[chosen, :t].float()
    weight = (mask[:, :, None] & ~data.unsure[chosen][:, None, :]).float()
    anchor = (functional.binary_cross_entropy_with_logits(logits, target, reduction="none") * weight).sum()
    # The claims of these examples.
    counts = data.first[chosen.cpu() + 1] - data.first[chosen.cpu()]
    index = torch.cat([torch.arange(data.first[c], data.first[c + 1]) for c in chosen.cpu()]).to(device)
    rows = torch.repeat_interleave(torch.arange(len(chosen)), counts).to(device)
    claims = data.claims[index]
    slots, flags, mode, qualifier = model.ask_of(x, mask, distance, rows, claims[:, 1], claims[:, 2])
    wanted = claims[:, 3 : 3 + len(SLOTS)].clone()
    wanted[wanted >= t] = t
    loss = anchor
    loss = loss + functional.cross_entropy(slots.reshape(-1, t + 1), wanted.reshape(-1), ignore_index=-100, reduction="sum")
    at = 3 + len(SLOTS)
    loss = loss + functional.binary_cross_entropy_with_logits(flags, claims[:, at : at + len(FLAGS)].float(), reduction="sum")
    at += len(FLAGS)
    loss = loss + functional.cross_entropy(mode, claims[:, at], ignore_index=-100, reduction="sum")
    loss = loss + 0.5 * functional.cross_entropy(qualifier, claims[:, at + 1], ignore_index=-100, reduction="sum")
    return loss / len(chosen)


@torch.no_grad()
def judge(model, data, device, threshold=0.5):
    """Of claims: how many are found, and how many of those found are wholly right (predicate, slots that are known, denied, other)."""
    model.eval()
    hit = whole = found = wanted = 0
    for first in range(0, len(data), 256):
        chosen = torch.arange(first, min(first + 256, len(data)), device=device)
        mask = data.mask[chosen]
        t = int(mask.sum(1).max())
        mask = mask[:, :t]
        x, distance = model.encode(data.bags[chosen, :t].long(), mask)
        said = (model.anchor(x).sigmoid() > threshold) & mask[:, :, None] & ~data.unsure[chosen][:, None, :]
        target = data.target[chosen, :t]
        hit += int((said & target).sum())
        found += int(said.sum())
        wanted += int(target.sum())
        index = torch.cat([torch.arange(data.first[c], data.first[c + 1]) for c in chosen.cpu()]).to(device)
        if len(index) == 0:
            continue
        claims = data.claims[index]
        rows = claims[:, 0] - first
        slots, flags, mode, qualifier = model.ask_of(x, mask, distance, rows, claims[:, 1], claims[:, 2])
        want = claims[:, 3 : 3 + len(SLOTS)].clone()
        want[want >= t] = t
        right = ((slots.argmax(2) == want) | (want == -100)).all(1)
        right &= ((flags > 0)[:, :2] == claims[:, 3 + len(SLOTS) : 5 + len(SLOTS)].bool()).all(1)
        right &= said[rows, claims[:, 1], claims[:, 2]]
        whole += int(right.sum())
    return {"wanted": wanted, "found": found, "recall": hit / max(1, wanted), "precision": hit / max(1, found), "whole": whole / max(1, wanted)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("examples")
    parser.add_argument("out")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--held", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--drop", type=float, default=0.2)
    parser.add_argument("--template-weight", type=float, default=0.34)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--vectors")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=3)
    options = parser.parse_args()
    global WIDTH, HIDDEN, LAYERS
    WIDTH, HIDDEN, LAYERS = options.width, 2 * options.width, options.layers
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dice = random.Random(options.seed)
    torch.manual_seed(options.seed)
    examples = json.load(open(options.examples))
    fromwriters = [e for e in examples if e["source"] != "template"]
    wordings = [e for e in examples if e["source"] == "template"]
    split = int(len(fromwriters) * options.held)
    held, fromwriters = fromwriters[:split], fromwriters[split:]
    names = sorted({c["p"] for e in examples for c in e["claims"]} | {p for e in examples for p in e["unsure"]})
    predicates = {name: n for n, name in enumerate(names)}
    known = vocabulary(fromwriters + wordings[:: 3], 2)
    like = None
    if options.vectors:
        file = np.load(options.vectors)
        for name in file["words"]:
            known.setdefault(f"word:{name}", len(known) + 1)
        like = torch.zeros(max(known.values()) + 1, file["vectors"].shape[1])
        for name, vector in zip(file["words"], file["vectors"]):
            like[known[f"word:{name}"]] = torch.from_numpy(vector) * 0.3
    print(len(fromwriters), "writers' sentences,", len(wordings), "wordings,", len(known), "features,", len(names), "predicates", flush=True)
    pool = fromwriters + [joined(dice.choice(fromwriters), dice.choice(fromwriters), dice) for _ in range(len(fromwriters))]
    pool += wordings + [joined(dice.choice(wordings), dice.choice(fromwriters + wordings), dice) for _ in range(len(wordings) // 3)]
    data = Batches(pool, known, predicates, device)
    held_data = Batches(held, known, predicates, device) if held else None
    model = Proposer(max(known.values()), len(names), options.drop, like).to(device)
    words = torch.zeros(max(known.values()) + 1, dtype=torch.bool, device=device)
    lexical = words.clone()
    for f, n in known.items():
        words[n] = f.startswith("word:")
        lexical[n] = f.startswith(("word:", "begins:", "ends:"))
    print(sum(p.numel() for p in model.parameters()), "parameters", flush=True)
    # Writers' sentences are shown more often than wordings.
    weights = np.array([1.0 if n < 2 * len(fromwriters) else options.template_weight for n in range(len(pool))])
    a_step = int(weights.sum()) // options.batch
    steps = a_step * options.epochs
    optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.02, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, options.rate, total_steps=steps + 1, pct_start=0.1)
    rng = np.random.default_rng(options.seed)
    weights /= weights.sum()
    total = 0.0
    for n in range(steps):
        model.train()
        chosen = rng.choice(len(pool), options.batch, p=weights)
        loss = step(model, data, chosen, 0.05, words, lexical, device)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        total += float(loss.detach()) if n % 10 == 0 else 0
        if (n + 1) % a_step == 0:
            epoch = (n + 1) // a_step
            line = f"epoch {epoch} loss {total / (a_step / 10):.3f}"
            total = 0.0
            if held_data and (epoch % 3 == 0 or epoch == options.epochs):
                line += " " + json.dumps({k: round(v, 3) for k, v in judge(model, held_data, device).items()})
            print(line, flush=True)
    if held_data:
        for threshold in (0.3, 0.7, 0.9):
            print(threshold, judge(model, held_data, device, threshold), flush=True)
    import weights as w

    w.write(options.out, model, known, names)


if __name__ == "__main__":
    main()
