"""How the model is measured; `samswift eval` follows the same protocol.

Objects: every label that covers 1 % to 80 % of its photograph. Box: the tight one, one decode, mask 0. Clicks: the
first at the object's innermost point, answered by the best of masks 1 to 3 by predicted IoU; each next one at the
innermost point of the largest error, missed or wrongly covered, with all earlier clicks and the previous logits
(clamped to ±32), mask 0. Masks are compared at the photograph's size.
"""

from pathlib import Path

import cv2
import numpy as np
import torch

from .frame import FRAME, Framed
from .photographs import labels_between, read_labels
from .pointing import Prompt, innermost, largest_error, tensors, tight_box
from .prompts import INCLUDE

COLUMNS = ("box", "click1", "click3", "click5")
CLICKS = 5


def iou(found, truth):
    return (found & truth).sum() / max(1, (found | truth).sum())


@torch.no_grad()
def measure_object(model, features, framed, truth, frame):
    """The IoU after the box and after each click."""

    def decode(prompt, previous):
        points, labels = tensors([prompt])
        return model.decode(features, points * framed.scale, labels, previous, frame)

    logits, _ = decode(Prompt(box=tight_box(truth)), None)
    scores = {"box": iou(framed.mask(logits[0, 0]), truth)}
    prompt, previous = Prompt(), None
    _, x, y = innermost(truth)
    prompt.add((float(x), float(y)), INCLUDE)
    for click in range(1, CLICKS + 1):
        logits, predicted = decode(prompt, previous)
        best = 1 + int(predicted[0, 1:].argmax()) if click == 1 else 0
        found = framed.mask(logits[0, best])
        scores[f"click{click}"] = iou(found, truth)
        error = largest_error(found, truth)
        if error is None:
            scores |= {f"click{later}": scores[f"click{click}"] for later in range(click, CLICKS + 1)}
            break
        previous = logits[:, best : best + 1].clamp(-32, 32)
        prompt.add(error[:2], error[2])
    return scores


@torch.no_grad()
def measure(model, folder, frame=FRAME, limit=None, per_photograph=None):
    """A row for every object of a folder of NAME.jpg with NAME.png, or of its first `limit` photographs."""
    was_training = model.training
    model.eval()
    rows = []
    for path in sorted(Path(folder).rglob("*.jpg"))[:limit]:
        picture, labels = cv2.imread(str(path)), read_labels(path.with_suffix(".png"))
        if picture is None or labels is None:
            continue
        framed = Framed(picture, frame)
        features = model.encode(framed.pixels)
        for label in labels_between(labels, 0.01, 0.8)[:per_photograph]:
            scores = measure_object(model, features, framed, labels == label, frame)
            rows.append({"file": path.name, "source": path.name.split("-")[0], "label": int(label), **scores})
    model.train(was_training)
    return rows


def figures(rows):
    """The means that are published."""

    def means(some):
        return {c: round(100 * float(np.mean([row[c] for row in some])), 2) for c in COLUMNS}

    sources = sorted({row["source"] for row in rows})
    return {
        "photographs": len({row["file"] for row in rows}),
        "objects": len(rows),
        "mean_iou_percent": means(rows),
        "share_at_0.8": {
            c: round(100 * float(np.mean([row[c] >= 0.8 for row in rows])), 1) for c in COLUMNS
        },
        "by_source": {
            s: {"objects": len(some := [row for row in rows if row["source"] == s]), **means(some)} for s in sources
        },
    }
