"""The two kinds of language models: a small GPT-2 and an LSTM, both with the output tied to the embedding.

Tensors bear the names of the file that Kibitz reads (README.md), so that a state dict is that file's content.
"""

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import nn

VOCABULARY = 77
KINDS = ("transformer", "lstm")


@dataclass(frozen=True)
class Shape:
    """What a model is made of; an LSTM has no heads and no window, and its context bounds nothing."""

    kind: str
    layers: int
    heads: int
    width: int
    context: int  # tokens
    window: int | None = None  # how many tokens back a token sees: i − j ≤ window
    dropout: float = 0.0

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"a model is one of {KINDS}, not {self.kind!r}")
        if self.kind == "transformer" and self.width % self.heads:
            raise ValueError(f"{self.heads} heads do not share a width of {self.width} evenly")

    def header(self):
        """The fields of the file's header."""
        fields = asdict(self)
        del fields["dropout"]
        return fields


class Block(nn.Module):
    """Attention and a layer of 4 × width, each behind a norm and beside a skip."""

    def __init__(self, shape):
        super().__init__()
        width = shape.width
        self.heads, self.window, self.share = shape.heads, shape.window, shape.dropout
        self.norm1 = nn.LayerNorm(width)
        self.attention = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x, seen):
        games, length, width = x.shape
        parts = self.attention(self.norm1(x)).view(games, length, 3, self.heads, width // self.heads)
        queries, keys, values = parts.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(
            queries, keys, values, attn_mask=seen, is_causal=seen is None, dropout_p=self.share if self.training else 0.0
        )
        x = x + self.dropout(self.out(mixed.transpose(1, 2).reshape(games, length, width)))
        return x + self.dropout(self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh")))


class Transformer(nn.Module):
    """GPT-2 at a small size: pre-norm, learned positions, GELU by tanh."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.embedding = nn.Parameter(torch.empty(VOCABULARY, shape.width))
        self.position = nn.Parameter(torch.empty(shape.context, shape.width))
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.width)
        self.dropout = nn.Dropout(shape.dropout)
        # GPT-2's: 0.02, and less for what is added to the skip in each layer.
        for name, value in self.named_parameters():
            if value.ndim > 1:
                added = name.endswith(("out.weight", "down.weight"))
                nn.init.normal_(value, std=0.02 / (2 * shape.layers) ** 0.5 if added else 0.02)
            elif name.endswith("bias"):
                nn.init.zeros_(value)

    def forward(self, tokens):
        """Logits [games, length, 77]; what stands behind a game's end changes nothing before it."""
        length = tokens.shape[1]
        if length > self.shape.context:
            raise ValueError(f"{length} tokens are more than the context of {self.shape.context}")
        seen = None
        if self.shape.window is not None:
            at = torch.arange(length, device=tokens.device)
            back = at[:, None] - at[None, :]
            seen = (back >= 0) & (back <= self.shape.window)
        x = self.dropout(F.embedding(tokens, self.embedding) + self.position[:length])
        for block in self.blocks:
            x = block(x, seen)
        return self.norm(x) @ self.embedding.T


class Lstm(nn.Module):
    """PyTorch's LSTM between the embedding and the same embedding."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.embedding = nn.Parameter(torch.empty(VOCABULARY, shape.width))
        nn.init.normal_(self.embedding, std=0.1)
        self.dropout = nn.Dropout(shape.dropout)
        between = shape.dropout if shape.layers > 1 else 0.0
        self.lstm = nn.LSTM(shape.width, shape.width, shape.layers, batch_first=True, dropout=between)

    def forward(self, tokens):
        """Logits [games, length, 77]."""
        states, _ = self.lstm(self.dropout(F.embedding(tokens, self.embedding)))
        return self.dropout(states) @ self.embedding.T


def build(shape):
    """A model with weights drawn from PyTorch's generator."""
    return Transformer(shape) if shape.kind == "transformer" else Lstm(shape)
