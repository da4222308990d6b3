#!/usr/bin/env python3
"""What the reference predictor computes from a MobileSAM checkpoint, for the tests that need it.

    python make_golden.py mobile_sam_synthetic.pt ../../Tests/SamTestSupport/Photos mobile_sam_golden.safetensors

Float32 tensors; the metadata holds each prompt in pixels of its photograph, and the versions. Keys:

    PHOTOGRAPH.input.stride8               (3, 128, 128)  the normalised, padded frame, every 8th pixel
    PHOTOGRAPH.embedding                   (1, 256, 64, 64)  whole for coffee, else every 4th row and column
    coffee.stage.NAME                      what a part of the encoder gives: maps on a grid of 16 × 16, about 256 tokens
                                           of a sequence
    PHOTOGRAPH.PROMPT.multi|single.low_res (masks, 256, 256) logits; .iou: predicted; .logits.stride4: at the
                                           photograph's size, every 4th pixel
    PHOTOGRAPH.point.refined.low_res|.iou  the best of the three masks fed back, one mask out
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
import PIL
import torch
from PIL import Image
from safetensors.torch import save_file

warnings.filterwarnings("ignore")
from mobile_sam import SamPredictor, sam_model_registry  # noqa: E402

PROMPTS = {
    "coffee.png": {
        "point": ([[300, 180]], [1], None),
        "point_neg": ([[300, 180], [60, 60]], [1, 0], None),
        "box": (None, None, [130, 60, 480, 360]),
        "box_point": ([[300, 180]], [1], [130, 60, 480, 360]),
        "points13": ([[40 * i + 20, 25 * i + 30] for i in range(13)], [1, 0, 1] * 4 + [1], None),
    },
    "rocket.jpg": {"point": ([[320, 200]], [1], None), "box": (None, None, [280, 30, 370, 400])},
    "astronaut.png": {"point": ([[220, 120]], [1], None)},
    "chelsea.png": {"point": ([[230, 120]], [1], None)},
}
# The photograph of which every stage is kept.
WATCHED = "coffee.png"


def watch(encoder):
    """A dictionary that holds each stage's last output."""
    layers = encoder.layers
    modules = {
        "patch_embed": encoder.patch_embed,
        "layer0_block0": layers[0].blocks[0],
        "layer0": layers[0],
        "layer1_block0": layers[1].blocks[0],
        "layer1": layers[1],
        "layer2": layers[2],
        "layer3": layers[3],
        "neck": encoder.neck,
    }
    outputs = {}
    for name, module in modules.items():
        module.register_forward_hook(lambda _, inputs, output, name=name: outputs.update({name: output.detach()}))
    return outputs


def sample(output):
    """Maps (1, C, H, W) on a grid of 16 × 16, sequences (1, N, C) at about 256 tokens."""
    if output.ndim == 4:
        step = output.shape[2] // 16
        return output[:, :, ::step, ::step]
    return output[:, :: max(1, output.shape[1] // 256)]


def main():
    parser = argparse.ArgumentParser(description="Writes what the reference predictor computes.")
    parser.add_argument("checkpoint", help="a MobileSAM .pt file")
    parser.add_argument("photographs", help="the folder of the test photographs")
    parser.add_argument("output", help="the .safetensors file to write")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    model = sam_model_registry["vit_t"](arguments.checkpoint).eval()
    predictor = SamPredictor(model)
    stages = watch(model.image_encoder)
    values = {}
    metadata = {
        "torch": torch.__version__,
        "pillow": PIL.__version__,
        "checkpoint": Path(arguments.checkpoint).name,
    }

    def keep(key, array):
        values[key] = torch.as_tensor(array).contiguous().clone()

    for file, prompts in PROMPTS.items():
        name = file.split(".")[0]
        pixels = np.array(Image.open(Path(arguments.photographs) / file).convert("RGB"))
        predictor.set_image(pixels)
        resized = torch.from_numpy(predictor.transform.apply_image(pixels)).permute(2, 0, 1)[None].float()
        keep(f"{name}.input.stride8", model.preprocess(resized)[0, :, ::8, ::8])
        embedding = predictor.get_image_embedding()
        keep(f"{name}.embedding", embedding if file == WATCHED else embedding[:, :, ::4, ::4])
        if file == WATCHED:
            for stage, output in stages.items():
                keep(f"{name}.stage.{stage}", sample(output))
        for prompt, (points, labels, box) in prompts.items():
            given = {
                "point_coords": None if points is None else np.array(points, np.float32),
                "point_labels": None if labels is None else np.array(labels),
                "box": None if box is None else np.array(box, np.float32),
                "return_logits": True,
            }
            metadata[f"{name}.{prompt}"] = json.dumps({"points": points, "labels": labels, "box": box})
            for kind, is_multi in (("multi", True), ("single", False)):
                masks, scores, logits = predictor.predict(**given, multimask_output=is_multi)
                key = f"{name}.{prompt}.{kind}"
                keep(f"{key}.low_res", logits)
                keep(f"{key}.iou", scores)
                keep(f"{key}.logits.stride4", masks[:, ::4, ::4])
                if prompt == "point" and is_multi:
                    best = logits[int(scores.argmax())][None]
                    _, scores, logits = predictor.predict(**given, mask_input=best, multimask_output=False)
                    keep(f"{name}.point.refined.low_res", logits)
                    keep(f"{name}.point.refined.iou", scores)
    save_file(values, arguments.output, metadata=metadata)
    print(f"{len(values)} tensors, {Path(arguments.output).stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
