"""The file that Kibitz reads: safetensors with one line of metadata, `kibitz-searchless`. README.md says what is in it."""

import json
import os

import torch
import torch.nn.functional as F
from model import ROWS, Shape, Transformer
from safetensors import safe_open
from safetensors.torch import save_file

KEY = "kibitz-searchless"
SCHEMA = "kibitz-searchless-1"


class ModelFileError(ValueError):
    """The file is no model of ours."""


def write_model(path, model, dtype=torch.float16, **origin):
    """Writes a model's weights; `origin` is name, games, boards, points, samples, seed and the like.

    The file is there whole or not at all. Weights that 16 bits cannot hold are refused.
    """
    tensors = {name: value.detach().to("cpu", dtype).contiguous() for name, value in model.state_dict().items()}
    tensors["embedding"] = tensors["embedding"][: model.shape.rows].contiguous()
    for name, value in tensors.items():
        if not torch.isfinite(value).all():
            raise ModelFileError(f"{name} holds what is no number in {dtype}")
    header = {"schema": SCHEMA, **model.shape.header(), **origin}
    part = f"{path}.part"
    save_file(tensors, part, metadata={KEY: json.dumps(header, ensure_ascii=False)})
    os.replace(part, path)


def read_model(path):
    """The model, its weights widened to 32 bits, and the header."""
    with safe_open(path, "pt") as file:
        text = (file.metadata() or {}).get(KEY)
        if text is None:
            raise ModelFileError(f"{path}: no {KEY} in its metadata")
        header = json.loads(text)
        if header.get("schema") != SCHEMA:
            raise ModelFileError(f"{path}: not of the shape {SCHEMA}")
        shape = Shape(*(header[field] for field in ("kind", "layers", "heads", "width", "bins", "loss")))
        if any(header.get(field, value) != value for field, value in shape.header().items()):
            raise ModelFileError(f"{path}: the fields of its header contradict each other")
        model = Transformer(shape)
        tensors = {name: file.get_tensor(name).float() for name in file.keys()}
        # Rows that the model never comes upon are not in the file.
        tensors["embedding"] = F.pad(tensors["embedding"], (0, 0, 0, ROWS - len(tensors["embedding"])))
        model.load_state_dict(tensors)
    return model.eval(), header
