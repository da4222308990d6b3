"""Compares `samswift everything` with SamAutomaticMaskGenerator of mobilesam-mirror, on the same weights.

    python compare_everything.py CHECKPOINT.pt PHOTO [--samswift PATH] [--points-per-side N] …

Needs torch, timm, mobilesam-mirror, pillow, pycocotools. Both sides compute in float32 and are timed in
the same run, from pixels to records, without loading the model; the order is reference, ours, and both
use as many threads as there are cores unless --threads says otherwise.

Each mask of one side is matched with the mask of the other that it overlaps most. The run fails where
less than 98 % of the masks have a match of IoU 0.98 or more, in either direction.

Weights that were never trained predict no IoU near the threshold. --shift-iou D writes a copy of the
checkpoint whose IoU head has D added to its last bias, for both sides to use.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")

import numpy as np
import torch
from mobile_sam import SamAutomaticMaskGenerator, sam_model_registry
from PIL import Image
from pycocotools import mask as coco

BAR = 0.98


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("photo")
    parser.add_argument("--samswift", default=".build/release/samswift")
    parser.add_argument("--points-per-side", type=int, default=32)
    parser.add_argument("--min-score", type=float, default=0.88)
    parser.add_argument("--min-stability", type=float, default=0.95)
    parser.add_argument("--max-overlap", type=float, default=0.7)
    parser.add_argument("--crop-layers", type=int, default=0)
    parser.add_argument("--min-area", type=int, default=0)
    parser.add_argument("--shift-iou", type=float, default=0.0)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    return parser.parse_args()


def shifted(path, shift, folder):
    if shift == 0:
        return path
    weights = torch.load(path, map_location="cpu", weights_only=True)
    last = max(key for key in weights if key.startswith("mask_decoder.iou_prediction_head"))
    name = last.rsplit(".", 1)[0] + ".bias"
    weights[name] = weights[name] + shift
    copy = os.path.join(folder, "shifted.pt")
    torch.save(weights, copy)
    return copy


def reference(options, checkpoint):
    torch.set_num_threads(options.threads)
    model = sam_model_registry["vit_t"](checkpoint=checkpoint).eval()
    generator = SamAutomaticMaskGenerator(
        model,
        points_per_side=options.points_per_side,
        pred_iou_thresh=options.min_score,
        stability_score_thresh=options.min_stability,
        box_nms_thresh=options.max_overlap,
        crop_n_layers=options.crop_layers,
        min_mask_region_area=options.min_area,
        output_mode="coco_rle",
    )
    image = np.array(Image.open(options.photo).convert("RGB"))
    start = time.perf_counter()
    records = generator.generate(image)
    return records, time.perf_counter() - start


def ours(options, checkpoint, folder):
    output = os.path.join(folder, "ours.json")
    command = [
        options.samswift, "everything", options.photo, "--weights", checkpoint, "--precision", "f32",
        "--threads", str(options.threads), "--points-per-side", str(options.points_per_side),
        "--min-score", str(options.min_score), "--min-stability", str(options.min_stability),
        "--max-overlap", str(options.max_overlap), "--crop-layers", str(options.crop_layers),
        "--min-area", str(options.min_area), "--output", output, "--verbose",
    ]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    steps = dict(line.removesuffix(" ms").rsplit(maxsplit=1) for line in run.stderr.splitlines() if line.endswith(" ms"))
    seconds = (float(steps["encode"]) + float(steps["prompt"]) + float(steps["mask"])) / 1000
    with open(output) as file:
        return json.load(file), seconds


def encoded(records):
    return [
        {"size": r["segmentation"]["size"], "counts": r["segmentation"]["counts"].encode()}
        for r in records
    ]


def compare(theirs, mine):
    """Shares of the masks with a match, and the largest differences between matched records."""
    if not theirs or not mine:
        return (1.0, 1.0, {}) if not theirs and not mine else (0.0, 0.0, {})
    iou = coco.iou(encoded(theirs), encoded(mine), [0] * len(mine))
    forward, backward = iou.max(axis=1), iou.max(axis=0)
    worst = {"predicted_iou": 0.0, "stability_score": 0.0, "area share": 0.0, "bbox": 0.0, "points": 0.0, "crop_box": 0.0}
    for index, record in enumerate(theirs):
        if forward[index] < BAR:
            continue
        # Several masks may be alike: the one of the same click counts.
        alike = [m for m in np.flatnonzero(iou[index] >= BAR)]
        other = min((mine[m] for m in alike), key=lambda m: np.abs(np.subtract(m["point_coords"], record["point_coords"])).max())
        for key in ("predicted_iou", "stability_score"):
            worst[key] = max(worst[key], abs(record[key] - other[key]))
        worst["area share"] = max(worst["area share"], abs(record["area"] - other["area"]) / max(1, record["area"]))
        worst["bbox"] = max(worst["bbox"], np.abs(np.subtract(record["bbox"], other["bbox"])).max())
        worst["points"] = max(worst["points"], np.abs(np.subtract(record["point_coords"], other["point_coords"])).max())
        worst["crop_box"] = max(worst["crop_box"], np.abs(np.subtract(record["crop_box"], other["crop_box"])).max())
    return (forward >= BAR).mean(), (backward >= BAR).mean(), worst


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = shifted(options.checkpoint, options.shift_iou, folder)
        theirs, their_time = reference(options, checkpoint)
        mine, my_time = ours(options, checkpoint, folder)
    forward, backward, worst = compare(theirs, mine)
    print(f"masks: reference {len(theirs)}, ours {len(mine)}")
    print(f"matched with IoU ≥ {BAR}: {forward:.4f} of the reference's, {backward:.4f} of ours")
    for key, value in worst.items():
        print(f"largest difference of {key}: {value:.3g}")
    print(f"time: reference {their_time:.2f} s, ours {my_time:.2f} s, ratio {their_time / my_time:.1f}")
    sys.exit(0 if min(forward, backward) >= BAR else 1)


main()
