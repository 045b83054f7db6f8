"""The language models of the blindfold laboratory, and their file.

A model's file is safetensors with a header as JSON under "kibitz-lm" in its metadata; `src/lm/file.rs` reads it and lists
the tensors. The modules here have the same names.
"""

import json
import math

import torch
import torch.nn.functional as F
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

VOCABULARY = 77
PAD, BEGIN, END = 0, 1, 2
TYPES = range(3, 9)


class Block(nn.Module):
    """Normalised before attention and before the dense part, as in GPT-2."""

    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, seen):
        batch, length, width = x.shape
        parts = self.attention(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        queries, keys, values = parts.permute(2, 0, 3, 1, 4)
        # A mask where there is a window; PyTorch is quicker when it knows that it need not look at one.
        attended = F.scaled_dot_product_attention(queries, keys, values, attn_mask=seen, is_causal=seen is None)
        x = x + self.drop(self.out(attended.transpose(1, 2).reshape(batch, length, width)))
        return x + self.drop(self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh")))

    def drop(self, x):
        return F.dropout(x, self.dropout, self.training)


class Transformer(nn.Module):
    """A decoder with learned positions whose output is held against its own embedding."""

    def __init__(self, layers, heads, width, context, window=None, dropout=0.0):
        super().__init__()
        self.header = {
            "kind": "transformer", "layers": layers, "heads": heads, "width": width, "context": context, "window": window,
        }  # fmt: skip
        self.window = window
        self.embedding = nn.Parameter(torch.randn(VOCABULARY, width) * 0.02)
        self.position = nn.Parameter(torch.randn(context, width) * 0.02)
        self.blocks = nn.ModuleList(Block(width, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        for block in self.blocks:
            for layer in (block.attention, block.out, block.up, block.down):
                nn.init.normal_(layer.weight, std=0.02)
                nn.init.zeros_(layer.bias)
            # What is added to the flow is made smaller the more often it is added to.
            for layer in (block.out, block.down):
                nn.init.normal_(layer.weight, std=0.02 / math.sqrt(2 * layers))

    def forward(self, tokens):
        length = tokens.shape[1]
        x = F.embedding(tokens, self.embedding) + self.position[:length]
        seen = None
        if self.window is not None:
            behind = torch.arange(length)[:, None] - torch.arange(length)[None]
            seen = ((behind >= 0) & (behind <= self.window)).to(tokens.device)
        for block in self.blocks:
            x = block(x, seen)
        return self.norm(x) @ self.embedding.T


class Lstm(nn.Module):
    """A recurrent network whose output is held against its own embedding."""

    def __init__(self, layers, width, context, dropout=0.0):
        super().__init__()
        self.header = {"kind": "lstm", "layers": layers, "heads": 0, "width": width, "context": context, "window": None}
        self.embedding = nn.Parameter(torch.randn(VOCABULARY, width) * 0.02)
        self.lstm = nn.LSTM(width, width, layers, batch_first=True, dropout=dropout if layers > 1 else 0.0)

    def forward(self, tokens):
        return self.lstm(F.embedding(tokens, self.embedding))[0] @ self.embedding.T


def build(kind, layers, heads, width, context, window, dropout):
    """A model that knows nothing yet."""
    if kind == "lstm":
        return Lstm(layers, width, context, dropout)
    return Transformer(layers, heads, width, context, window, dropout)


def save(model, path, dtype, **said):
    """Writes the model's file; `said` goes into its header: name, notation, games, split, seed."""
    header = {"schema": "kibitz-lm-1", "vocabulary": VOCABULARY, **model.header, **said}
    tensors = {name: value.detach().to("cpu", dtype).contiguous() for name, value in model.state_dict().items()}
    save_file(tensors, path, {"kibitz-lm": json.dumps(header)})


def load(path):
    """The model in a file, and its header."""
    with safe_open(path, "pt") as file:
        header = json.loads(file.metadata()["kibitz-lm"])
        tensors = {name: file.get_tensor(name).float() for name in file.keys()}
    shape = {key: header[key] for key in ("kind", "layers", "heads", "width", "context", "window")}
    model = build(**shape, dropout=0.0)
    model.load_state_dict(tensors)
    return model.eval(), header
