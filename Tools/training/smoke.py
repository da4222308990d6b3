"""A run of everything in under a minute: python smoke.py OUT

Draws a few pictures of coloured shapes, trains on them for some steps, exports the weights, measures them, and writes
golden tensors of a drawn picture. OUT then holds data/SOURCE/, held_out/, smoke.safetensors and, for a reader of the
weights to be checked against, smoke_golden.safetensors (keys as in golden.py) with its picture, picture.png.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

# So little work is done fastest by one thread; several wait for each other most of the time, the more so where other
# programs use the cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np
import torch

import golden
from lite.protocol import figures, measure
from lite.weights import load, write

HERE = Path(__file__).resolve().parent
SEED = 20261130


def draw(rng, width, height):
    """A noisy picture of three shapes, and their label map."""
    picture = np.full((height, width, 3), rng.integers(0, 256, 3), np.uint8)
    labels = np.zeros((height, width), np.uint8)
    for label in range(1, 4):
        x, y = (int(v) for v in rng.integers((0, 0), (width, height)))
        size = [int(v) for v in rng.integers(min(width, height) // 8, min(width, height) // 3, 2)]
        colour = [int(v) for v in rng.integers(0, 256, 3)]
        for target, value in ((picture, colour), (labels, label)):
            if rng.random() < 0.5:
                cv2.ellipse(target, (x, y), size, 0, 0, 360, value, -1)
            else:
                cv2.rectangle(target, (x - size[0], y - size[1]), (x + size[0], y + size[1]), value, -1)
    noise = rng.normal(0, 8, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), labels


def write_pictures(folder, count, rng):
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        picture, labels = draw(rng, 160, 120)
        cv2.imwrite(str(folder / f"{index}.jpg"), picture)
        cv2.imwrite(str(folder / f"{index}.png"), labels)


def main():
    parser = argparse.ArgumentParser(description="Draws pictures, trains, exports and measures, all very small.")
    parser.add_argument("output", help="a folder, made if it does not exist")
    parser.add_argument("--steps", type=int, default=3)
    output = Path((arguments := parser.parse_args()).output)
    rng = np.random.default_rng(SEED)
    write_pictures(output / "data" / "shapes", 6, rng)
    write_pictures(output / "held_out", 2, rng)
    (output / "data" / "sources.json").write_text(json.dumps({"shapes": {"objects": True, "merge": 0.5}}))

    def script(name, *words):
        subprocess.run([sys.executable, str(HERE / name), *map(str, words)], check=True)

    script("train.py", output / "data", output / "held_out", output / "run", "--steps", arguments.steps,
           "--seed", SEED, "--pictures", 2, "--objects", 2, "--sizes", 64, "--late-sizes", 96, "--measured", 1)
    weights = output / "smoke.safetensors"
    script("export.py", output / "run" / "ema.pt", weights)

    model = load(weights)
    rows = measure(model, output / "held_out")
    print(json.dumps(figures(rows)["mean_iou_percent"]))
    torch.set_num_threads(1)
    picture, _ = draw(rng, 200, 140)
    cv2.imwrite(str(output / "picture.png"), picture)
    golden.PROMPTS = {
        "picture.png": {
            "point": ([[90, 70]], [1], None),
            "box_point": ([[90, 70], [20, 100]], [1, 0], [30, 20, 150, 120]),
        }
    }
    values, metadata = golden.golden(model, output)
    write(values, output / "smoke_golden.safetensors", metadata)


if __name__ == "__main__":
    main()
