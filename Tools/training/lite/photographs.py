"""Photographs with label maps: DATA/SOURCE/NAME.jpg with NAME.png beside it, and perhaps NAME_b.png, NAME_c.png."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

# Other people's label maps of the same photograph; one is drawn each time.
ENDINGS = (".png", "_b.png", "_c.png")


@dataclass
class Source:
    """What sources.json may say of a folder of photographs."""

    # How often it is drawn, times the square root of its size.
    weight: float = 1.0
    # Whether its labels are whole objects, fit to be cut out and pasted elsewhere.
    objects: bool = False
    # How often two neighbouring regions are taken for one object.
    merge: float = 0.08


@dataclass
class Photograph:
    source: str
    # Blue, green, red, 8 bits.
    picture: np.ndarray
    # Label maps (height, width): 0 is no object.
    maps: list = field(default_factory=list)


def read_labels(path):
    """A gray label map, or None where there is none or it is in colour."""
    # OpenCV complains aloud of a file that is not there.
    labels = cv2.imread(str(path), cv2.IMREAD_UNCHANGED) if path.exists() else None
    return labels if labels is not None and labels.ndim == 2 else None


class Photographs:
    """All photographs of a folder, in memory."""

    def __init__(self, folder):
        folder = Path(folder)
        described = folder / "sources.json"
        described = json.loads(described.read_text()) if described.exists() else {}
        self.by_source = {}
        for path in sorted(folder.glob("*/*.jpg")):
            picture = cv2.imread(str(path))
            if picture is None:
                continue
            found = [read_labels(path.with_name(path.stem + ending)) for ending in ENDINGS]
            maps = [m for m in found if m is not None and m.shape == picture.shape[:2] and m.any()]
            if maps:
                name = path.parent.name
                self.by_source.setdefault(name, []).append(Photograph(name, picture, maps))
        if not self.by_source:
            raise SystemExit(f"{folder}: no SOURCE/NAME.jpg with a label map NAME.png")
        self.sources = {name: Source(**described.get(name, {})) for name in self.by_source}
        names = list(self.by_source)
        weights = np.array([len(self.by_source[n]) ** 0.5 * self.sources[n].weight for n in names])
        self.names, self.shares = names, weights / weights.sum()
        self.cuttable = [n for n in names if self.sources[n].objects]

    def counts(self):
        return {name: len(photographs) for name, photographs in self.by_source.items()}

    def draw(self, rng):
        """A photograph and one of its label maps."""
        name = self.names[rng.choice(len(self.names), p=self.shares)]
        photograph = pick(rng, self.by_source[name])
        return photograph, pick(rng, photograph.maps)

    def draw_object(self, rng):
        """A whole object: its pixels and its mask (0 and 1), cropped to it; None where none was found."""
        for _ in range(10 if self.cuttable else 0):
            photograph = pick(rng, self.by_source[pick(rng, self.cuttable)])
            labels = photograph.maps[0]
            fitting = labels_between(labels, 0.01, 0.6)
            if not fitting:
                continue
            mask = labels == pick(rng, fitting)
            rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
            box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            alpha = mask[box].astype(np.uint8)
            if min(alpha.shape) < 24:
                continue
            # A pixel less all round: the outline holds the old background.
            alpha = cv2.erode(np.pad(alpha, 1), np.ones((3, 3), np.uint8))[1:-1, 1:-1]
            return photograph.picture[box], alpha
        return None


def pick(rng, items):
    return items[int(rng.integers(len(items)))]


def labels_between(labels, low, high):
    """The labels that cover between two shares of the picture."""
    values, counts = np.unique(labels, return_counts=True)
    return [v for v, n in zip(values, counts) if v > 0 and low * labels.size < n < high * labels.size]
