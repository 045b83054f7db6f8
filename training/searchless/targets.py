"""What a model of values is trained to say, in K equal bins of 0 to 1 (src/chessbench/bins.rs)."""

import torch
import torch.nn.functional as F


def edges(bins):
    """The K + 1 edges, in double precision."""
    found = torch.arange(bins + 1, dtype=torch.float64) * (1.0 / bins)
    found[-1] = 1.0  # as NumPy's linspace has it, whatever the rounding
    return found


def bin_of(values, bins):
    """The bin of each value; one on an edge belongs to the bin below it: 50 % of 128 to number 63."""
    return (torch.searchsorted(edges(bins), values.double(), right=False) - 1).clamp(0, bins - 1)


def hl_gauss(values, bins):
    """The shares of a normal distribution around each value, σ = 0.75 / K, cut off at 0 and 1."""
    below = torch.erf((edges(bins) - values.double()[:, None]) / (0.75 / bins * 2**0.5))
    return (below[:, 1:] - below[:, :-1]) / (below[:, -1:] - below[:, :1])


def expected(outputs, loss):
    """The value that outputs stand for: the mean over the bins, or with `l2` the output itself."""
    if loss == "l2":
        return outputs[:, 0].double()
    bins = outputs.shape[1]
    return outputs.double().softmax(1) @ ((torch.arange(bins, dtype=torch.float64, device=outputs.device) + 0.5) / bins)


def loss_of(shape, outputs, wanted):
    """The mean loss of outputs, nats or squares; `wanted` are values, or actions where behavior is cloned."""
    if shape.kind == "behavioral_cloning":
        return F.cross_entropy(outputs, wanted)
    if shape.loss == "l2":
        return F.mse_loss(outputs[:, 0], wanted.to(outputs))
    target = hl_gauss(wanted, shape.bins) if shape.loss == "hl_gauss" else bin_of(wanted, shape.bins)
    return F.cross_entropy(outputs, target.to(outputs) if shape.loss == "hl_gauss" else target.to(outputs.device))
