#!/usr/bin/env python3
"""Makes the small checkpoints that the tests of SamCheckpoint read.

    python make_checkpoints.py ../../Tests/SamCheckpointTests/Goldens

Needs PyPI's torch (2.15) and safetensors (0.8). Every NAME.pt has a twin NAME.expected.safetensors,
written by the safetensors library: the tensors that SamSwift must find in it, under its names.
"""

import collections
import io
import struct
import sys
import zipfile
from pathlib import Path

import torch
from safetensors.torch import save_file

torch.manual_seed(20261130)
folder = Path(sys.argv[1])


def save(name, value, expected, **options):
    torch.save(value, folder / f"{name}.pt", **options)
    expect(name, expected)


def expect(name, tensors):
    copies = {key: tensor.detach().clone().contiguous() for key, tensor in tensors.items()}
    save_file(copies, folder / f"{name}.expected.safetensors")


def types():
    """Every element type, a scalar, an empty tensor, numbers at the edges of each type."""
    edges = torch.tensor([0.0, -0.0, 1.0, -1.0, 65504.0, 6e-8, 6.1e-5, float("inf"), float("-inf"), float("nan")])
    return collections.OrderedDict(
        [
            ("f32", torch.randn(3, 4, 2)),
            ("f32.edges", torch.cat([edges, torch.tensor([3.4e38, 1e-45])])),
            ("f16", torch.randn(5, 3).half()),
            ("f16.edges", edges.half()),
            ("bf16", torch.randn(7).bfloat16()),
            ("bf16.edges", torch.cat([edges, torch.tensor([3.3e38, 1e-40])]).bfloat16()),
            ("i64", torch.tensor([[0, 1, -1], [2**62, -(2**63), 2**63 - 1]])),
            ("scalar", torch.tensor(2.5)),
            ("count", torch.tensor(17)),
            ("empty", torch.zeros(0, 4)),
        ]
    )


def strided():
    """Tensors that are not row-major in their storage."""
    base = torch.arange(120, dtype=torch.float32).reshape(4, 5, 6)
    halves = torch.arange(60).half().reshape(3, 4, 5)
    return {
        "transposed": base.transpose(0, 2),
        "permuted": halves.permute(2, 0, 1),
        "sliced": base[1:3, ::2, 1:5],
        "column": base[:, 2, 3],
        "offset": base[2],
        "expanded": torch.tensor([1.0, 2.0, 3.0]).reshape(3, 1).expand(3, 4),
        "channels_last": torch.randn(2, 3, 4, 5).contiguous(memory_format=torch.channels_last),
        "ones": torch.randn(1, 6, 1).transpose(0, 1),
    }


def shared():
    """Several tensors over one storage."""
    storage = torch.randn(24)
    return {
        "whole": storage,
        "matrix": storage.reshape(4, 6),
        "tail": storage[20:],
        "again": storage,
        "even": storage[::2],
    }


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)
        self.norm = torch.nn.BatchNorm2d(4)
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.GELU(), torch.nn.Linear(4, 2))


def zip64(source, target):
    """The same archive with every size and offset in its zip64 field, as beyond 4 GB."""
    body, directory, count = io.BytesIO(), io.BytesIO(), 0
    with zipfile.ZipFile(source) as archive:
        for info in archive.infolist():
            data, name = archive.read(info), info.filename.encode()
            offset = body.tell()
            sizes = struct.pack("<HHQQ", 1, 16, len(data), len(data))
            big = 0xFFFFFFFF
            body.write(struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, 0, 0, 0, 0, info.CRC, big, big, len(name), 20))
            body.write(name + sizes + data)
            extra = struct.pack("<HHQQQ", 1, 24, len(data), len(data), offset)
            directory.write(
                struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45, 0, 0, 0, 0, info.CRC, big, big,
                            len(name), len(extra), 0, 0, 0, 0, big))
            directory.write(name + extra)
            count += 1
    start, length = body.tell(), directory.tell()
    end = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, length, start)
    locator = struct.pack("<IIQI", 0x07064B50, 0, start + length, 1)
    tail = struct.pack("<IHHHHIIH", 0x06054B50, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, big, big, 0)
    target.write_bytes(body.getvalue() + directory.getvalue() + end + locator + tail)


class Evil:
    def __reduce__(self):
        import os

        return (os.system, ("echo this must never run > samswift-was-here",))


kinds = types()
save_file(kinds, folder / "library.safetensors",
          metadata={"format": "pt", "text": 'quotes " and \\ and é and 🍵\n'})
for protocol in (2, 3, 4, 5):
    save(f"types_protocol{protocol}", kinds, kinds, pickle_protocol=protocol)
for name, value in (("strided", strided()), ("shared", shared())):
    save(name, value, value)

state = Block().state_dict()
save("module", state, state)
parameters = {key: torch.nn.Parameter(torch.randn(2, 3)) for key in ("first", "second")}
save("parameters", parameters, parameters)
save("nested", {"encoder": {"a": torch.ones(2), "deep": {"b": torch.zeros(1, 2)}}, "blocks": [torch.ones(1), {"c": torch.ones(3)}]},
     {"encoder.a": torch.ones(2), "encoder.deep.b": torch.zeros(1, 2), "blocks.0": torch.ones(1), "blocks.1.c": torch.ones(3)})
wrapped = {"epoch": 12, "lr": 0.5, "name": "tiny", "best": True, "none": None, "size": torch.Size([3, 4]),
           "optimizer": {"state": {0: {"step": torch.tensor(3.0)}}, "param_groups": [{"lr": 0.1, "betas": (0.9, 0.999), "params": list(range(40))}]}}
save("state_dict", {"state_dict": state, **wrapped}, state)
save("model", {**wrapped, "model": state}, state)

# What `weights convert --dtype` must give for module.pt, as PyTorch rounds.
for name, dtype in (("f16", torch.float16), ("bf16", torch.bfloat16)):
    expect(f"module_{name}", {key: value.to(dtype) if value.is_floating_point() else value for key, value in state.items()})

zip64(folder / "module.pt", folder / "zip64.pt")
expect("zip64", state)
torch.save({"weight": torch.ones(2), "callback": Evil()}, folder / "hostile_global.pt")
torch.save(Block(), folder / "hostile_module.pt")
torch.save({"weight": torch.ones(2)}, folder / "legacy.pt", _use_new_zipfile_serialization=False)
torch.save({"weight": torch.ones(2, dtype=torch.float64)}, folder / "double.pt")
for path in folder.iterdir():
    path.chmod(0o644)
