"""Golden masks for the post-processing (design trap 9), by PyTorch's own bilinear resize.

    python make_masks.py OUT.safetensors       needs torch 2.15, safetensors

Each case is a small frame: a random grid of logits, enlarged to the padded frame, cropped to the
resized picture, resized to the picture, all with align_corners=False. Keys: CASE.grid, CASE.frame,
CASE.picture; the metadata holds each case's geometry and the seed.
"""

import json
import sys

import torch
from safetensors.torch import save_file
from torch.nn.functional import interpolate

SEED = 20260
CASES = {
    # name: (picture width, height, frame size, pad multiple or 0 for a square, stride)
    "enlarged": (113, 75, 64, 0, 4),
    "reduced": (37, 61, 64, 0, 4),
    "same": (64, 40, 64, 32, 4),
    "flat": (151, 3, 64, 32, 4),
    "one": (1, 1, 64, 0, 4),
}


def main(path):
    generator = torch.Generator().manual_seed(SEED)
    tensors, metadata = {}, {"seed": str(SEED), "torch": torch.__version__}
    for name, (width, height, frame, multiple, stride) in CASES.items():
        scale = frame / max(width, height)
        resized = [max(1, int(side * scale + 0.5)) for side in (height, width)]
        padded = [-(-side // multiple) * multiple if multiple else frame for side in resized]
        grid = 6 * torch.randn(1, 1, padded[0] // stride, padded[1] // stride, generator=generator)
        whole = interpolate(grid, tuple(padded), mode="bilinear", align_corners=False)
        cropped = whole[..., : resized[0], : resized[1]]
        picture = interpolate(cropped, (height, width), mode="bilinear", align_corners=False)
        for key, value in (("grid", grid), ("frame", cropped), ("picture", picture)):
            tensors[f"{name}.{key}"] = value[0, 0].contiguous()
        metadata[name] = json.dumps(
            {"width": width, "height": height, "frame": frame, "multiple": multiple, "stride": stride})
    save_file(tensors, path, metadata=metadata)


main(sys.argv[1])
