"""Goldens for everything-mode: what SamAutomaticMaskGenerator finds with the reference weights.

    python make_everything.py mobile_sam_synthetic.pt PHOTO OUT_FOLDER

Needs torch, timm, mobilesam-mirror 1.0, pillow, pycocotools. The photograph is shrunk to 96 × 64 pixels
(small.png), so that the masks of weights that mean nothing stay small. Each run has its options and its
records. The weights predict IoUs below 0, which no threshold would let pass: that filter is off.
"""

import json
import os
import sys
import warnings

warnings.filterwarnings("ignore")

import numpy as np
import torch
from mobile_sam import SamAutomaticMaskGenerator, sam_model_registry
from PIL import Image

RUNS = {
    "every mask": dict(points_per_side=4, pred_iou_thresh=0.0, stability_score_thresh=0.02, box_nms_thresh=1.0),
    "overlaps suppressed": dict(points_per_side=5, pred_iou_thresh=0.0, stability_score_thresh=0.01, box_nms_thresh=0.97),
    "crops": dict(points_per_side=3, pred_iou_thresh=0.0, stability_score_thresh=0.0001, box_nms_thresh=1.0,
                  crop_n_layers=1, crop_nms_thresh=1.0),
    "small regions removed": dict(points_per_side=3, pred_iou_thresh=0.0, stability_score_thresh=0.02,
                                  box_nms_thresh=1.0, crop_nms_thresh=1.0, min_mask_region_area=40),
}


def main(checkpoint, photo, folder):
    torch.set_num_threads(1)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "small.png")
    Image.open(photo).convert("RGB").resize((96, 64), Image.Resampling.LANCZOS).save(path)
    image = np.array(Image.open(path))
    model = sam_model_registry["vit_t"](checkpoint=checkpoint).eval()
    runs = []
    for name, options in RUNS.items():
        generator = SamAutomaticMaskGenerator(model, output_mode="coco_rle", **options)
        records = generator.generate(image)
        print(name, len(records), flush=True)
        runs.append({"name": name, "options": options, "records": records})
    with open(os.path.join(folder, "everything.json"), "w") as file:
        json.dump(runs, file, separators=(",", ":"))


main(*sys.argv[1:])
