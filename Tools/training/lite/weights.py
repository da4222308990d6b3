"""Weights on disk: PyTorch's state dict while training, safetensors for use."""

import json
import os

import torch
from safetensors.torch import load_file, save

from .model import CONFIGURATION, Lite


def load(path):
    """The network with the weights of a .pt or .safetensors file, ready to be used."""
    model = Lite()
    path = str(path)
    if path.endswith(".safetensors"):
        stored = {key: value.float() for key, value in load_file(path).items()}
    else:
        stored = torch.load(path, weights_only=True)
    # BatchNorm's counters are not needed to use the network, and not stored in half precision.
    missing, unexpected = model.load_state_dict(stored, strict=False)
    missing = [key for key in missing if not key.endswith("num_batches_tracked")]
    if missing or unexpected:
        raise SystemExit(f"{path}: missing {missing}, unexpected {unexpected}")
    return model.eval()


def save_checkpoint(model, path):
    """Writes a state dict beside its place and renames it: an interrupted run leaves the old one whole."""
    torch.save(model.state_dict(), f"{path}.part")
    os.replace(f"{path}.part", path)


def export(model, path):
    """Writes half-precision weights with the configuration that SamSwift reads."""
    tensors = {
        key: value.half().contiguous()
        for key, value in model.state_dict().items()
        if not key.endswith("num_batches_tracked")
    }
    write(tensors, path, {"samswift.config": json.dumps(CONFIGURATION), "format": "pt"})


def write(tensors, path, metadata):
    """Writes safetensors beside its place and renames it, readable for everybody as other files are."""
    with open(f"{path}.part", "wb") as file:
        file.write(save(tensors, metadata))
    os.replace(f"{path}.part", path)
