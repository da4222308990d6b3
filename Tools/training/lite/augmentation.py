"""Training pictures out of photographs: pasted objects, moved, scaled and stretched, other colours."""

import cv2
import numpy as np

from .frame import DEVIATION, MEAN
from .photographs import labels_between, pick


def paste_objects(photographs, picture, labels, count, rng):
    """Pastes objects of other photographs, each under a label of its own."""
    picture, labels = picture.copy(), labels.astype(np.uint16)
    height, width = labels.shape
    for _ in range(count):
        cut = photographs.draw_object(rng)
        if cut is None:
            continue
        colours, alpha = cut
        if rng.random() < 0.5:
            colours, alpha = colours[:, ::-1], alpha[:, ::-1]
        longest = np.exp(rng.uniform(np.log(0.12), np.log(0.6))) * max(height, width)
        scale = longest / max(alpha.shape)
        if scale > 2.5:
            continue
        size = max(8, int(alpha.shape[1] * scale)), max(8, int(alpha.shape[0] * scale))
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        colours = cv2.resize(np.ascontiguousarray(colours), size, interpolation=method).astype(np.float32)
        alpha = cv2.resize(np.ascontiguousarray(alpha).astype(np.float32), size, interpolation=method)
        colours = colours * rng.uniform(0.75, 1.25) + rng.uniform(-15, 15)
        # A third may lie outside.
        x = int(rng.integers(-size[0] // 3, max(1, width - 2 * size[0] // 3)))
        y = int(rng.integers(-size[1] // 3, max(1, height - 2 * size[1] // 3)))
        left, top, right, bottom = max(0, x), max(0, y), min(width, x + size[0]), min(height, y + size[1])
        if right - left < 8 or bottom - top < 8:
            continue
        part = np.s_[top - y : bottom - y, left - x : right - x]
        place = np.s_[top:bottom, left:right]
        soft = cv2.GaussianBlur(alpha[part], (0, 0), 0.7)[..., None]
        picture[place] = np.clip(picture[place] * (1 - soft) + colours[part] * soft, 0, 255).astype(np.uint8)
        labels[place][alpha[part] > 0.5] = labels.max() + 1
    return picture, labels


def augment(picture, labels, size, rng):
    """A normalised square (3, size, size) and its label map."""
    height, width = labels.shape
    scale, x, y = size / max(height, width), 0.0, 0.0
    # Three in ten lie in the frame as they do when the model is used.
    if rng.random() >= 0.3:
        scale *= np.exp(rng.uniform(-0.15, 0.9))
        x = rng.uniform(min(0, size - width * scale), max(0, size - width * scale))
        y = rng.uniform(min(0, size - height * scale), max(0, size - height * scale))
    stretch = np.exp(rng.uniform(-0.12, 0.12))
    scale_x, scale_y = scale * stretch, scale / stretch
    if rng.random() < 0.5:
        matrix = np.array([[-scale_x, 0, x + width * scale_x], [0, scale_y, y]], np.float32)
    else:
        matrix = np.array([[scale_x, 0, x], [0, scale_y, y]], np.float32)
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    moved = cv2.warpAffine(
        picture, matrix, (size, size), flags=method, borderMode=cv2.BORDER_CONSTANT,
        borderValue=MEAN[::-1].tolist())
    moved_labels = cv2.warpAffine(
        labels.astype(np.uint16), matrix, (size, size), flags=cv2.INTER_NEAREST,
        borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    colours = recoloured(moved[:, :, ::-1].astype(np.float32), rng)
    return ((colours - MEAN) / DEVIATION).transpose(2, 0, 1), moved_labels


def recoloured(colours, rng):
    """Other light, contrast, saturation and tint; now and then gray or blurred."""
    if rng.random() < 0.8:
        colours = colours * rng.uniform(0.6, 1.4) + rng.uniform(-25, 25)
        gray = colours.mean(2, keepdims=True)
        colours = gray + (colours - gray) * rng.uniform(0.4, 1.5)
        if rng.random() < 0.1:
            colours = np.repeat(colours.mean(2, keepdims=True), 3, 2)
        colours = colours * rng.uniform(0.9, 1.1, 3).astype(np.float32)
    if rng.random() < 0.15:
        colours = cv2.GaussianBlur(colours, (0, 0), rng.uniform(0.4, 1.5))
    return np.clip(colours, 0, 255)


def draw_masks(labels, count, merge, rng):
    """Masks of objects, larger ones more often; now and then two that touch as one."""
    fitting = labels_between(labels, 0.004, 0.85)
    if not fitting:
        return []
    weights = np.array([(labels == label).sum() ** 0.5 for label in fitting])
    masks = []
    for label in rng.choice(fitting, count, p=weights / weights.sum()):
        mask = labels == label
        if len(fitting) > 1 and rng.random() < merge:
            ring = cv2.dilate(mask.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool) & ~mask
            touching = [v for v in np.unique(labels[ring]) if v > 0]
            if touching:
                mask = mask | (labels == pick(rng, touching))
        masks.append(mask)
    return masks


def draw_batch(photographs, pictures, objects, size, paste, rng):
    """Pictures (N, 3, size, size), masks (N · objects, size, size), and which picture each mask belongs to."""
    frames, masks, owners = [], [], []
    while len(frames) < pictures:
        photograph, labels = photographs.draw(rng)
        picture = photograph.picture
        if rng.random() < paste:
            picture, labels = paste_objects(photographs, picture, labels, int(rng.integers(1, 4)), rng)
        frame, labels = augment(picture, labels, size, rng)
        drawn = draw_masks(labels, objects, photographs.sources[photograph.source].merge, rng)
        if drawn:
            owners += [len(frames)] * len(drawn)
            frames.append(frame.astype(np.float32))
            masks += drawn
    return np.stack(frames), np.stack(masks), np.array(owners)
