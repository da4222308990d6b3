"""Golden distances for the clicks of an evaluation, by OpenCV's 5x5 chamfer.

    python make_chamfer.py ../../Tests/SamEvaluationTests/Goldens/chamfer.safetensors

Needs opencv-python-headless 5.0, numpy, safetensors. Keys: NAME.mask (0 and 1), NAME.distance: the
distance of each pixel to the nearest one outside, the picture's edge counting as outside;
NAME.innermost: x and y of the first largest distance.
"""

import sys

import cv2
import numpy as np
from safetensors.numpy import save_file

SEED = 20261130


def blobs(rng, height, width, size):
    """A mask of smooth shapes of about the stated size."""
    return cv2.GaussianBlur(rng.random((height, width)).astype(np.float32), (0, 0), size) > 0.5


def masks(rng):
    y, x = np.mgrid[:41, :57]
    return {
        "large_shapes": blobs(rng, 73, 61, 6),
        "small_shapes": blobs(rng, 37, 50, 1),
        "noise": rng.random((23, 29)) < 0.7,
        "disc": (x - 30) ** 2 + (y - 19) ** 2 < 17**2,
        "cut_by_the_edge": (x + 2 * y) > 60,
        "whole": np.ones((9, 31), bool),
        "row": rng.random((1, 40)) < 0.9,
        "column": rng.random((40, 1)) < 0.9,
        "pixel": np.ones((1, 1), bool),
        "equal_peaks": (x % 14 > 2) & (y % 14 > 2),
    }


def main(path):
    tensors = {}
    for name, mask in masks(np.random.default_rng(SEED)).items():
        padded = np.pad(mask.astype(np.uint8), 1)
        distance = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1]
        first = int(distance.argmax())
        tensors[f"{name}.mask"] = mask.astype(np.float32)
        tensors[f"{name}.distance"] = np.ascontiguousarray(distance)
        tensors[f"{name}.innermost"] = np.array([first % mask.shape[1], first // mask.shape[1]], np.float32)
    save_file(tensors, path, metadata={"seed": str(SEED), "opencv": cv2.__version__})


main(sys.argv[1])
