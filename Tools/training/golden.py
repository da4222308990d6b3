"""Golden tensors of weights: python golden.py WEIGHTS.safetensors PHOTOGRAPHS OUT.safetensors

The weights are used as they are stored, rounded to half precision, in float32. PHOTOGRAPHS is
Tests/SamTestSupport/Photos. Keys, for PHOTOGRAPH without its ending:

    PHOTOGRAPH.input.stride4                   (3, H/4, W/4)  the normalised, padded frame, every 4th pixel
    PHOTOGRAPH.embedding                       (128, H/16, W/16)  whole for the first, else every 4th cell
    PHOTOGRAPH.high_res_s0, .high_res_s1       sampled like the embedding, at strides 4 and 8
    PHOTOGRAPH.PROMPT.low_res, .iou            (4, H/4, W/4) logits and (4) predicted IoUs
    PHOTOGRAPH.point.refined.low_res, .iou     the best of masks 1 to 3 fed back

The metadata holds each prompt in pixels of its photograph.
"""

import argparse
import json
from pathlib import Path

import cv2
import torch

from lite.frame import Framed
from lite.pointing import Prompt, tensors
from lite.weights import load, write

PROMPTS = {
    "coffee.png": {
        "point": ([[300, 180]], [1], None),
        "box": (None, None, [130, 60, 480, 360]),
        "box_point": ([[300, 180]], [1], [130, 60, 480, 360]),
        "include_exclude": ([[300, 180], [60, 60], [330, 240]], [1, 0, 1], None),
    },
    "rocket.jpg": {"box": (None, None, [280, 30, 370, 400])},
    "chelsea.png": {"point": ([[230, 120]], [1], None)},
    "astronaut.png": {"point": ([[220, 120]], [1], None)},
}


@torch.no_grad()
def golden(model, photographs):
    """Tensors and metadata."""
    values, metadata = {}, {"torch": torch.__version__, "opencv": cv2.__version__}
    for index, (file, prompts) in enumerate(PROMPTS.items()):
        picture = cv2.imread(str(Path(photographs) / file))
        if picture is None:
            raise SystemExit(f"{photographs}: no {file}")
        framed, name, step = Framed(picture), file.split(".")[0], 1 if index == 0 else 4
        features = model.encode(framed.pixels)
        values[f"{name}.input.stride4"] = framed.pixels[0, :, ::4, ::4]
        for key, map, every in zip(("embedding", "high_res_s0", "high_res_s1"), features, (1, 4, 2)):
            values[f"{name}.{key}"] = map[0][:, :: every * step, :: every * step]
        for key, (points, labels, box) in prompts.items():
            prompt = Prompt([tuple(p) for p in points or []], [float(l) for l in labels or []], box)
            tokens, kinds = tensors([prompt])
            tokens = tokens * framed.scale
            logits, scores = model.decode(features, tokens, kinds, None)
            values[f"{name}.{key}.low_res"], values[f"{name}.{key}.iou"] = logits[0], scores[0]
            metadata[f"{name}.{key}"] = json.dumps({"points": points, "labels": labels, "box": box})
            if key == "point":
                best = 1 + int(scores[0, 1:].argmax())
                previous = logits[:, best : best + 1].clamp(-32, 32)
                logits, scores = model.decode(features, tokens, kinds, previous)
                values[f"{name}.{key}.refined.low_res"] = logits[0]
                values[f"{name}.{key}.refined.iou"] = scores[0]
    return {key: value.contiguous().float() for key, value in values.items()}, metadata


def main():
    parser = argparse.ArgumentParser(description="Writes what the network must compute, for the tests.")
    parser.add_argument("weights", help="a .safetensors file of export.py")
    parser.add_argument("photographs", help="the folder of the test photographs")
    parser.add_argument("output", help="the .safetensors file to write")
    arguments = parser.parse_args()
    # One thread adds up in one order.
    torch.set_num_threads(1)
    values, metadata = golden(load(arguments.weights), arguments.photographs)
    write(values, arguments.output, metadata)


if __name__ == "__main__":
    main()
