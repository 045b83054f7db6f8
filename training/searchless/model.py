"""The transformer that says what a board or a move is worth, as the released code of "Amortized planning" builds it.

Tensors bear the names of the file that Kibitz reads (README.md), so that a state dict is that file's content.
"""

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 1968  # of the one table of embeddings, for characters and actions alike; as many as there are actions
CHARACTERS = 31  # of them stand for characters, and are all that a model needs which reads no actions
BOARD = 77  # symbols of a board
KINDS = ("action_value", "state_value", "behavioral_cloning")
LOSSES = ("hl_gauss", "log", "l2")
EPSILON = 1e-5  # of the layer norms: Haiku's default


@dataclass(frozen=True)
class Shape:
    """What a model is made of. `local` of the released code is 4 layers, 4 heads and a width of 64."""

    kind: str
    layers: int = 4
    heads: int = 4
    width: int = 64
    bins: int = 128  # of a value; 0 where behavior is cloned
    loss: str = "hl_gauss"  # what it was trained for; "log" where behavior is cloned

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"a model is one of {KINDS}, not {self.kind!r}")
        if self.loss not in LOSSES or (self.kind == "behavioral_cloning" and self.loss != "log"):
            raise ValueError(f"a loss is one of {LOSSES}, and log where behavior is cloned, not {self.loss!r}")
        if (self.bins < 1) != (self.kind == "behavioral_cloning"):
            raise ValueError("values have one bin or more, cloned behavior has none")
        if min(self.layers, self.heads, self.width) < 1 or self.width % self.heads:
            raise ValueError(f"{self.heads} heads do not share a width of {self.width} evenly")

    @property
    def symbols(self):
        """How many symbols the model reads: a 0, the board, and for action values the action."""
        return BOARD + 2 if self.kind == "action_value" else BOARD + 1

    @property
    def rows(self):
        """How many rows of the table of embeddings the model can come upon: its file holds no others."""
        return ROWS if self.kind == "action_value" else CHARACTERS

    @property
    def hidden(self):
        """The width between the two halves of a block's second part."""
        return 4 * self.width

    @property
    def outputs(self):
        """How many numbers the model says."""
        if self.kind == "behavioral_cloning":
            return ROWS
        return 1 if self.loss == "l2" else self.bins

    def header(self):
        """The fields of the file's header."""
        own = {name: getattr(self, name) for name in ("hidden", "symbols", "rows", "outputs")}
        return {**asdict(self), **own}


class Block(nn.Module):
    """Attention from everywhere to everywhere, and SwiGLU, each behind a norm and beside a skip."""

    def __init__(self, shape):
        super().__init__()
        width, hidden = shape.width, shape.hidden
        self.heads = shape.heads
        self.norm1, self.norm1_bias = ones(width), zeros(width)
        self.q, self.k, self.v, self.o = (drawn(width, width) for _ in range(4))
        self.norm2, self.norm2_bias = ones(width), zeros(width)
        self.gate, self.up, self.down = drawn(hidden, width), drawn(hidden, width), drawn(width, hidden)

    def forward(self, x, asked=slice(None)):
        """What the block makes of the places `asked`, which look at all places."""
        seen = F.layer_norm(x, self.norm1.shape, self.norm1, self.norm1_bias, EPSILON)
        queries = self.split(F.linear(seen[:, asked], self.q))
        keys, values = (self.split(F.linear(seen, matrix)) for matrix in (self.k, self.v))
        mixed = F.scaled_dot_product_attention(queries, keys, values)
        x = x[:, asked] + F.linear(mixed.transpose(1, 2).flatten(2), self.o)
        seen = F.layer_norm(x, self.norm2.shape, self.norm2, self.norm2_bias, EPSILON)
        return x + F.linear(F.silu(F.linear(seen, self.gate)) * F.linear(seen, self.up), self.down)

    def split(self, x):
        """[boards, places, width] as [boards, heads, places, width / heads]."""
        return x.unflatten(2, (self.heads, -1)).transpose(1, 2)


class Transformer(nn.Module):
    """No causal mask, learned positions, pre-norm blocks and a last norm, no biases but the head's and the norms'."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        # So that symbols, which are multiplied by √width, and places weigh the same at first.
        self.embedding = nn.Parameter(nn.init.trunc_normal_(torch.empty(ROWS, shape.width), std=0.5 * shape.width**-0.5))
        self.positions = nn.Parameter(nn.init.trunc_normal_(torch.empty(shape.symbols, shape.width), std=0.5))
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm, self.norm_bias = ones(shape.width), zeros(shape.width)
        self.head, self.head_bias = drawn(shape.outputs, shape.width), zeros(shape.outputs)

    def forward(self, symbols):
        """Outputs [boards, outputs] for symbols [boards, 77, or 78 with the action], before any softmax.

        The 0 in front is put there here. Only the last place is asked, so that the last block computes no other.
        """
        if symbols.shape[1] != self.shape.symbols - 1:
            raise ValueError(f"{self.shape.kind} reads {self.shape.symbols - 1} symbols behind the 0, not {symbols.shape[1]}")
        x = F.embedding(F.pad(symbols, (1, 0)), self.embedding) * self.shape.width**0.5 + self.positions
        for block in self.blocks[:-1]:
            x = block(x)
        x = self.blocks[-1](x, slice(-1, None))[:, 0]
        return F.linear(F.layer_norm(x, self.norm.shape, self.norm, self.norm_bias, EPSILON), self.head, self.head_bias)


def ones(width):
    return nn.Parameter(torch.ones(width))


def zeros(width):
    return nn.Parameter(torch.zeros(width))


def drawn(outputs, inputs):
    """A matrix as Haiku's linear layers begin: 1 / √inputs, cut off at two deviations."""
    std = inputs**-0.5
    return nn.Parameter(nn.init.trunc_normal_(torch.empty(outputs, inputs), std=std, a=-2 * std, b=2 * std))
