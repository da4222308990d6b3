"""Where a picture lies in the model's frame."""

import cv2
import numpy as np
import torch
import torch.nn.functional as F

FRAME = 512
PAD_MULTIPLE = 32
MEAN = np.array([123.675, 116.28, 103.53], np.float32)
DEVIATION = np.array([58.395, 57.12, 57.375], np.float32)


class Framed:
    """A picture (height, width, 3; blue, green, red) resized, normalised and padded: `pixels` (1, 3, H, W)."""

    def __init__(self, picture, frame=FRAME):
        self.height, self.width = picture.shape[:2]
        self.scale = frame / max(self.height, self.width)
        self.resized = int(self.height * self.scale + 0.5), int(self.width * self.scale + 0.5)
        method = cv2.INTER_AREA if self.scale < 1 else cv2.INTER_LINEAR
        rgb = cv2.resize(picture, self.resized[::-1], interpolation=method)[:, :, ::-1].astype(np.float32)
        padded = [-(-side // PAD_MULTIPLE) * PAD_MULTIPLE for side in self.resized]
        values = np.zeros((*padded, 3), np.float32)
        values[: self.resized[0], : self.resized[1]] = (rgb - MEAN) / DEVIATION
        self.pixels = torch.from_numpy(values.transpose(2, 0, 1).copy())[None]

    def mask(self, logits):
        """Low-resolution logits as a mask of the picture's size (height, width; bool)."""
        whole = F.interpolate(logits.float()[None, None], scale_factor=4, mode="bilinear", align_corners=False)
        cropped = whole[0, 0, : self.resized[0], : self.resized[1]].numpy()
        return cv2.resize(cropped, (self.width, self.height), interpolation=cv2.INTER_LINEAR) > 0
