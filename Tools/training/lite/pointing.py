"""Prompts as people give them: boxes, clicks, corrections."""

from dataclasses import dataclass, field

import cv2
import numpy as np
import torch

from .prompts import EXCLUDE, INCLUDE, LOWER_RIGHT, PADDING, UPPER_LEFT

KINDS = {"box": 0.34, "click": 0.36, "clicks": 0.08, "box and click": 0.08, "mixed": 0.14}


@dataclass
class Prompt:
    """Clicks and a box in pixels of the frame."""

    points: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    box: np.ndarray | None = None

    def add(self, point, label):
        self.points.append(tuple(point))
        self.labels.append(float(label))

    def tokens(self):
        """Points and labels as the network takes them: the corners last, or the padding point."""
        if self.box is None:
            return self.points + [(0.0, 0.0)], self.labels + [float(PADDING)]
        x0, y0, x1, y1 = self.box
        return self.points + [(x0, y0), (x1, y1)], self.labels + [float(UPPER_LEFT), float(LOWER_RIGHT)]


def tensors(prompts):
    """Points (N, P, 2) and labels (N, P) of prompts that have equally many."""
    points, labels = zip(*(prompt.tokens() for prompt in prompts))
    return torch.tensor(points, dtype=torch.float32), torch.tensor(labels)


def tight_box(mask):
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], np.float32)


def drawn_box(mask, rng):
    """A box drawn by hand: each side is off by a tenth, 20 pixels at most."""
    box = tight_box(mask)
    size = np.tile(box[2:] - box[:2], 2)
    box = box + np.clip(rng.standard_normal(4) * 0.1 * size, -20, 20)
    lower, upper = np.minimum(box[:2], box[2:] - 2), np.maximum(box[2:], box[:2] + 2)
    return np.clip(np.concatenate([lower, upper]), 0, max(mask.shape)).astype(np.float32)


def depth(mask):
    """The distance of each pixel inside to the nearest one outside; the picture's edge is outside."""
    return cv2.distanceTransform(np.pad(mask.astype(np.uint8), 1), cv2.DIST_L2, 5)[1:-1, 1:-1]


def innermost(mask):
    """Depth, x and y of the deepest pixel, of several the first."""
    depths = depth(mask)
    first = int(depths.argmax())
    return float(depths.flat[first]), first % mask.shape[1], first // mask.shape[1]


def point_in(mask, is_central, rng):
    """A pixel inside, or one of those that are 60 % to 100 % as deep as the deepest."""
    if is_central:
        depths = depth(mask)
        mask = depths >= depths.max() * rng.uniform(0.6, 1.0) - 1e-6
    candidates = np.flatnonzero(mask)
    chosen = int(candidates[rng.integers(len(candidates))])
    return float(chosen % mask.shape[1]), float(chosen // mask.shape[1])


def largest_error(found, truth):
    """The click that corrects most: x, y and label; None where the mask is right."""
    missed, wrong = innermost(truth & ~found), innermost(found & ~truth)
    if missed[0] == 0 and wrong[0] == 0:
        return None
    (_, x, y), label = (missed, INCLUDE) if missed[0] >= wrong[0] else (wrong, EXCLUDE)
    return float(x), float(y), label


def correction(found, truth, rng):
    """A click on an error: six times in ten in the middle of the largest, else anywhere."""
    error = largest_error(found, truth)
    if error is None:
        return (*point_in(truth, True, rng), INCLUDE)
    if rng.random() < 0.6:
        return error
    x, y = point_in(found ^ truth, False, rng)
    return x, y, INCLUDE if truth[int(y), int(x)] else EXCLUDE


def draw_prompts(masks, rng):
    """A kind of prompt, and one of that kind for every mask, all with equally many points."""
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
    included = {"click": 1, "box and click": 1, "clicks": int(rng.integers(2, 7)), "mixed": int(rng.integers(1, 4))}
    excluded = {"mixed": int(rng.integers(1, 4)), "box and click": int(rng.random() < 1 / 3)}
    prompts = []
    for mask in masks:
        prompt = Prompt()
        for _ in range(included.get(kind, 0)):
            prompt.add(point_in(mask, rng.random() < 0.5, rng), INCLUDE)
        for _ in range(excluded.get(kind, 0)):
            # More often near the object than anywhere.
            near = cv2.dilate(mask.astype(np.uint8), np.ones((41, 41), np.uint8)).astype(bool) & ~mask
            prompt.add(point_in(near if rng.random() < 0.6 and near.any() else ~mask, False, rng), EXCLUDE)
        if kind.startswith("box"):
            prompt.box = drawn_box(mask, rng)
        prompts.append(prompt)
    return kind, prompts
