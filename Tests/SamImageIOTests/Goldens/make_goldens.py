"""Writes small PNG and JPEG files of every kind, and what they must decode to.

python make_goldens.py      (Pillow 13.0.0, NumPy 2.4; writes beside itself)

PNG files are put together here, for Pillow writes only some kinds; what Pillow reads exactly is checked
against it. expected.txt: file, width, height, channels, CRC-32 of the pixels. labels.txt: file, width, height,
CRC-32 of the stored gray values or palette indices as 16-bit little-endian numbers. JPEG files come with
NAME.png, the pixels as Pillow decodes and turns them.
"""

import io
import pathlib
import struct
import zlib

import numpy as np
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).parent
W, H = 29, 19
rng = np.random.default_rng(7)
expected, labels = [], []


def chunk(kind, data=b""):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(samples, bits):
    """Rows of samples (height, width · channels) as scanlines without a filter."""
    rows = []
    for row in samples:
        if bits == 16:
            data = row.astype(">u2").tobytes()
        elif bits == 8:
            data = row.astype(np.uint8).tobytes()
        else:
            flags = (row[:, None] >> np.arange(bits - 1, -1, -1)) & 1
            data = np.packbits(flags.astype(np.uint8)).tobytes()
        rows.append(b"\0" + data)
    return b"".join(rows)


ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def png(samples, bits, color, interlaced=False, before=b"", size=None, tail=chunk(b"IEND")):
    """A PNG of samples (height, width, channels); `before` are chunks ahead of the pixels."""
    h, w, c = samples.shape
    passes = [samples[y::dy, x::dx] for x, y, dx, dy in ADAM7] if interlaced else [samples]
    raw = b"".join(packed(p.reshape(p.shape[0], -1), bits) for p in passes if p.size)
    head = struct.pack(">IIBBBBB", *(size or (w, h)), bits, color, 0, 0, int(interlaced))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + before + chunk(b"IDAT", zlib.compress(raw, 9)) + tail


def eight(samples, bits):
    """To 8 bits, rounded to nearest."""
    return ((samples.astype(np.int64) * 255 * 2 + (2**bits - 1)) // (2 * (2**bits - 1))).astype(np.uint8)


def rgba(gray_alpha):
    return np.concatenate([np.repeat(gray_alpha[:, :, :1], 3, 2), gray_alpha[:, :, 1:]], 2)


def keep(name, data, pixels, with_pillow=True):
    (HERE / name).write_bytes(data)
    pixels = np.ascontiguousarray(pixels)
    h, w, c = pixels.shape
    expected.append(f"{name} {w} {h} {c} {zlib.crc32(pixels.tobytes()):08x}")
    if with_pillow:
        mode = {1: "L", 3: "RGB", 4: "RGBA"}[c]
        read = np.asarray(Image.open(io.BytesIO(data)).convert(mode)).reshape(h, w, c)
        assert (read == pixels).all(), name


def keep_labels(name, samples):
    h, w, _ = samples.shape
    labels.append(f"{name} {w} {h} {zlib.crc32(samples.astype('<u2').tobytes()):08x}")


def noise(bits, channels):
    return rng.integers(0, 2**bits, (H, W, channels))


# PNG: every colour type at every depth, plain and interlaced. The decoder is not exact where 16 bits, alpha
# and interlacing meet; there the test compares with the plain file of the same samples.
deep = {c: noise(16, c) for c in (2, 4)}
for interlaced in (False, True):
    mark = "_interlaced" if interlaced else ""
    for bits in (1, 2, 4, 8, 16):
        s = noise(bits, 1)
        keep(f"gray{bits}{mark}.png", png(s, bits, 0, interlaced), eight(s, bits), bits < 16)
        keep_labels(f"gray{bits}{mark}.png", s)
    for bits in (8, 16):
        s = noise(bits, 3)
        keep(f"rgb{bits}{mark}.png", png(s, bits, 2, interlaced), eight(s, bits), bits == 8)
        for color, c, name in ((4, 2, "gray_alpha"), (6, 4, "rgba")):
            s = deep[c] if bits == 16 else noise(8, c)
            data = png(s, bits, color, interlaced)
            if bits == 16 and interlaced:
                (HERE / f"{name}16_interlaced.png").write_bytes(data)
                continue
            keep(f"{name}{bits}{mark}.png", data, rgba(eight(s, bits)) if c == 2 else eight(s, bits), bits == 8)
    for bits in (1, 2, 4, 8):
        s = noise(bits, 1)
        colors = rng.integers(0, 256, (2**bits, 3)).astype(np.uint8)
        plte = chunk(b"PLTE", colors.tobytes())
        keep(f"palette{bits}{mark}.png", png(s, bits, 3, interlaced, plte), colors[s[:, :, 0]])
        alpha = rng.integers(0, 256, 2**bits).astype(np.uint8)
        both = np.concatenate([colors, alpha[:, None]], 1)
        keep(
            f"palette{bits}_transparent{mark}.png",
            png(s, bits, 3, interlaced, plte + chunk(b"tRNS", alpha.tobytes())), both[s[:, :, 0]])
        keep_labels(f"palette{bits}{mark}.png", s)
        keep_labels(f"palette{bits}_transparent{mark}.png", s)

# One transparent colour.
s = noise(2, 1)
keep("gray2_transparent.png", png(s, 2, 0, before=chunk(b"tRNS", struct.pack(">H", 2))),
     rgba(np.concatenate([eight(s, 2), np.where(s == 2, 0, 255).astype(np.uint8)], 2)), False)
keep_labels("gray2_transparent.png", s)
s = noise(8, 3)
s[3:9, 4:11] = (10, 20, 30)
hidden = (s == (10, 20, 30)).all(2)
keep("rgb8_transparent.png", png(s, 8, 2, before=chunk(b"tRNS", struct.pack(">HHH", 10, 20, 30))),
     np.concatenate([s, np.where(hidden, 0, 255)[:, :, None]], 2).astype(np.uint8))

# Gamma and profiles change nothing.
s = noise(8, 3)
for name, gamma in (("linear", 100000), ("srgb", 45455), ("odd", 30000)):
    keep(f"gamma_{name}.png", png(s, 8, 2, before=chunk(b"gAMA", struct.pack(">I", gamma))), s.astype(np.uint8))
keep("srgb_chunk.png", png(s, 8, 2, before=chunk(b"sRGB", b"\0") + chunk(b"gAMA", struct.pack(">I", 45455))),
     s.astype(np.uint8))
s16 = noise(16, 3)
keep("gamma_linear16.png", png(s16, 16, 2, before=chunk(b"gAMA", struct.pack(">I", 100000))), eight(s16, 16), False)
gray16 = deep[2][:, :, :1]
keep("gamma_gray16.png", png(gray16, 16, 0, before=chunk(b"gAMA", struct.pack(">I", 45455))), eight(gray16, 16), False)
keep_labels("gamma_gray16.png", gray16)
keep("bad_profile.png", png(s, 8, 2, before=chunk(b"iCCP", b"none\0\0" + zlib.compress(b"nothing"))),
     s.astype(np.uint8), False)

# Turned by an eXIf chunk; one pixel; one row; one column.
exif = Image.Exif()
exif[0x0112] = 6
keep("turned.png", png(s, 8, 2, before=chunk(b"eXIf", exif.tobytes()[6:])), np.rot90(s.astype(np.uint8), -1), False)
keep("one_pixel.png", png(s[:1, :1], 8, 2), s[:1, :1].astype(np.uint8))
keep("one_row_interlaced.png", png(s[:1], 8, 2, True), s[:1].astype(np.uint8))
keep("one_column_interlaced.png", png(s[:, :1], 8, 2, True), s[:, :1].astype(np.uint8))

# Faulty files.
good = png(s, 8, 2)
bad = {
    "zero_width.png": png(s, 8, 2, size=(0, H)),
    "zero_height.png": png(s, 8, 2, size=(W, 0)),
    "too_many_pixels.png": png(s, 8, 2, size=(20000, 20000)),
    "too_wide.png": png(s, 8, 2, size=(2**31 - 1, 1)),
    "half_the_rows.png": png(s, 8, 2, size=(W, H * 2)),
    "no_end.png": png(s, 8, 2, tail=b""),
    "no_pixels.png": good[:33] + chunk(b"IEND"),
    "no_header.png": good[:8] + good[33:],
    "no_palette.png": png(noise(8, 1), 8, 3),
    "bad_depth.png": png(noise(8, 3), 3, 2),
    "bad_checksum.png": good[:60] + bytes([good[60] ^ 1]) + good[61:],
    "bad_length.png": good[:33] + b"\xff\xff\xff\xff" + good[37:],
    "two_headers.png": good[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)) + good[8:],
}

# JPEG.
y, x = np.mgrid[0:H, 0:W]
photo = np.stack([x * 8, y * 13, 255 - x * 4 - y * 5], 2).astype(np.uint8)
photo[4:9, 3:9] = (230, 30, 40)
image = Image.fromarray(photo)


def jpeg(picture, **options):
    out = io.BytesIO()
    picture.save(out, "JPEG", **{"quality": 90, **options})
    return out.getvalue()


def keep_jpeg(name, data):
    (HERE / name).write_bytes(data)
    read = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
    read.convert("L" if read.mode == "L" else "RGB").save(HERE / (name + ".png"), optimize=True)


keep_jpeg("gray.jpg", jpeg(image.convert("L")))
keep_jpeg("gray_progressive.jpg", jpeg(image.convert("L"), progressive=True))
for sampling, name in ((0, "444"), (1, "422"), (2, "420")):
    keep_jpeg(f"color_{name}.jpg", jpeg(image, subsampling=sampling))
keep_jpeg("progressive.jpg", jpeg(image, progressive=True))
keep_jpeg("restarts.jpg", jpeg(image, restart_marker_blocks=1))
keep_jpeg("stored_rgb.jpg", jpeg(image, keep_rgb=True))
keep_jpeg("one_pixel.jpg", jpeg(image.crop((0, 0, 1, 1))))
keep_jpeg("one_row.jpg", jpeg(image.crop((0, 0, W, 1))))
ink = np.concatenate([255 - photo, (y * 6)[:, :, None]], 2).astype(np.uint8)
keep_jpeg("cmyk.jpg", jpeg(Image.fromarray(ink, "CMYK")))
keep_jpeg("cmyk_progressive.jpg", jpeg(Image.fromarray(ink, "CMYK"), progressive=True))
# YCCK: the inks as luma and chroma, under an Adobe marker that says so. Pillow inverts what it writes.
ycc = 255 - np.asarray(Image.fromarray(ink[:, :, :3]).convert("YCbCr"))
ycck = jpeg(Image.fromarray(np.concatenate([ycc, ink[:, :, 3:]], 2), "CMYK"))
adobe = ycck.index(b"Adobe") + 11
assert ycck[adobe] == 0
keep_jpeg("ycck.jpg", ycck[:adobe] + b"\x02" + ycck[adobe + 1 :])

for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    block = exif.tobytes()  # Big-endian after "Exif\0\0".
    if orientation % 2:
        little = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
        block = b"Exif\0\0" + little
    keep_jpeg(f"orientation{orientation}.jpg", jpeg(image, subsampling=0, exif=block))

data = jpeg(image)
frame = data.index(b"\xff\xc0")
progressive = jpeg(image, progressive=True)
scan = progressive.index(b"\xff\xda")
following = scan + 2
while not (progressive[following] == 0xFF and progressive[following + 1] not in (0, *range(0xD0, 0xD8))):
    following += 1
bad |= {
    "too_many_pixels.jpg": data[: frame + 5] + struct.pack(">HH", 60000, 60000) + data[frame + 9 :],
    "zero_height.jpg": data[: frame + 5] + b"\0\0" + data[frame + 7 :],
    "zero_width.jpg": data[: frame + 7] + b"\0\0" + data[frame + 9 :],
    "twelve_bits.jpg": data[: frame + 4] + b"\x0c" + data[frame + 5 :],
    "lossless.jpg": data[:frame] + b"\xff\xc3" + data[frame + 2 :],
    "many_scans.jpg": progressive[:following] + progressive[scan:following] * 101 + progressive[following:],
    "no_scan.jpg": data[: data.index(b"\xff\xda")] + b"\xff\xd9",
    "taller_than_its_data.jpg": data[: frame + 5] + struct.pack(">H", H * 8) + data[frame + 7 :],
}
for name, contents in bad.items():
    (HERE / ("bad_" + name)).write_bytes(contents)
(HERE / "expected.txt").write_text("\n".join(expected) + "\n")
(HERE / "labels.txt").write_text("\n".join(labels) + "\n")
