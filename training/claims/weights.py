"""The network's file: weights in eight bits a row's scale, with the names of features and predicates, as safetensors."""

import json
import struct

import numpy as np


def write(path, model, features, predicates):
    tensors = {}
    state = {name: value.detach().cpu().float() for name, value in model.state_dict().items()}
    # What a word is like, and what was learnt of it, in one row.
    state["embed.weight"] = state["embed.weight"] + model.like.cpu() @ state.pop("project.weight").T
    for name, value in state.items():
        value = value.numpy()
        if value.ndim == 2 and value.size > 4096:
            scale = np.maximum(np.abs(value).max(1), 1e-8) / 127
            tensors[name] = np.clip(np.round(value / scale[:, None]), -127, 127).astype(np.int8)
            tensors[name + ".scale"] = scale.astype(np.float32)
        else:
            tensors[name] = value.astype(np.float32)
    names = [""] * (max(features.values()) + 1)
    for name, at in features.items():
        names[at] = name
    metadata = {"features": "\n".join(names), "predicates": "\n".join(predicates)}
    kinds = {"int8": "I8", "float32": "F32"}
    header, at, blobs = {"__metadata__": metadata}, 0, []
    for name in sorted(tensors):
        blob = np.ascontiguousarray(tensors[name]).tobytes()
        header[name] = {"dtype": kinds[str(tensors[name].dtype)], "shape": list(tensors[name].shape), "data_offsets": [at, at + len(blob)]}
        at += len(blob)
        blobs.append(blob)
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=True).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for blob in blobs:
            file.write(blob)
