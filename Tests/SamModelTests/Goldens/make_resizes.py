"""Resizes pictures with Pillow and OpenCV and writes checksums of the results.

python make_resizes.py > resizes.txt      (Pillow 13.0.0, OpenCV 5.0.0, NumPy 2.4)

The pictures are noise from a generator that the test repeats: byte i is table[i % 65521], the table
the upper bytes of x = x * 1664525 + 1013904223 (mod 2^32) from x = 1. Each line: method, input width,
height and channels, output width and height, CRC-32 of the RGB bytes, and the first six of them.
"""

import zlib

import cv2
import numpy as np
from PIL import Image

SIZES = [
    (1, 1), (2, 2), (1, 2), (2, 1), (1, 5000), (5000, 1), (3, 5000), (5000, 7), (5120, 1), (1, 5120),
    (600, 400), (512, 512), (511, 300), (1024, 1024), (1024, 683), (1024, 100), (1025, 1023), (1023, 1025),
    (2048, 1365), (1536, 1024), (3072, 512), (512, 3072), (640, 480), (480, 640), (451, 300), (300, 451),
    (1200, 800), (37, 53), (500, 1500), (643, 1538), (4000, 3000),
]
OTHER_CHANNELS = [(451, 300), (300, 451), (1536, 1024), (500, 1500), (1024, 683), (2048, 1365), (37, 53)]

state, table = 1, []
for _ in range(65521):
    state = (state * 1664525 + 1013904223) % 2**32
    table.append(state >> 24)
table = np.array(table, np.uint8)


def noise(width, height, channels):
    return np.resize(table, width * height * channels).reshape(height, width, channels)


def frame(width, height, size):
    scale = size / max(width, height)
    return max(1, int(width * scale + 0.5)), max(1, int(height * scale + 0.5))


for method, size in (("pillow", 1024), ("opencv", 512)):
    for w, h, c in [(w, h, 3) for w, h in SIZES] + [(w, h, c) for w, h in OTHER_CHANNELS for c in (1, 4)]:
        picture = noise(w, h, c)
        rgb = np.ascontiguousarray(np.repeat(picture, 3, 2) if c == 1 else picture[:, :, :3])
        out = frame(w, h, size)
        if method == "pillow":
            resized = np.asarray(Image.fromarray(rgb).resize(out, Image.Resampling.BILINEAR))
        else:
            shrinks = size < max(w, h)
            resized = cv2.resize(rgb, out, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
        first = ",".join(str(v) for v in resized.reshape(-1)[:6])
        print(method, w, h, c, *out, f"{zlib.crc32(resized.tobytes()):08x}", first)
