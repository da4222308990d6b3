"""The prompt encoder: SAM's tokens for points and box corners, and a dense map of what is pointed at."""

import math

import torch
from torch import nn

from .layers import LayerNorm2d

# Labels of points.
PADDING, EXCLUDE, INCLUDE, UPPER_LEFT, LOWER_RIGHT = -1, 0, 1, 2, 3
# A click's spot in the dense map is exp(-d² / 8), d in cells of stride 4.
SPOT_DENOMINATOR = 8


class PositionEncoding(nn.Module):
    """SAM's random Fourier features of a position (..., 2) in 0...1."""

    def __init__(self, channels):
        super().__init__()
        self.register_buffer("positional_encoding_gaussian_matrix", torch.randn(2, channels // 2))

    def forward(self, positions):
        phases = (2 * positions - 1) @ self.positional_encoding_gaussian_matrix * (2 * math.pi)
        return torch.cat([phases.sin(), phases.cos()], -1)


class PromptEncoder(nn.Module):
    def __init__(self, channels, mask_channels=32):
        super().__init__()
        self.pe_layer = PositionEncoding(channels)
        self.point_embeddings = nn.ModuleList([nn.Embedding(1, channels) for _ in range(4)])
        self.not_a_point_embed = nn.Embedding(1, channels)
        self.mask_downscaling = nn.Sequential(
            nn.Conv2d(4, mask_channels // 2, 2, 2),
            LayerNorm2d(mask_channels // 2),
            nn.GELU(),
            nn.Conv2d(mask_channels // 2, mask_channels, 2, 2),
            LayerNorm2d(mask_channels),
            nn.GELU(),
            nn.Conv2d(mask_channels, channels, 1),
        )
        self.prompt_s0 = nn.Conv2d(4, channels // 8, 1)

    def grid_positions(self, height, width):
        """(1, C, height, width): the encoding of every cell's centre; the frame's long side is 1."""
        longest = max(height, width)
        y, x = torch.meshgrid(
            (torch.arange(height) + 0.5) / longest, (torch.arange(width) + 0.5) / longest, indexing="ij"
        )
        return self.pe_layer(torch.stack([x, y], -1)).permute(2, 0, 1)[None]

    def dense_map(self, points, labels, previous, frame, height, width):
        """(N, 4, height, width) at stride 4: the previous mask's probability, include clicks, exclude clicks, and
        the box's interior with the share of each cell that it covers."""
        cells = points / (frame / max(height, width))
        y, x = torch.arange(height) + 0.5, torch.arange(width) + 0.5
        squares = (x.view(1, 1, 1, -1) - cells[..., 0, None, None]) ** 2 + (
            y.view(1, 1, -1, 1) - cells[..., 1, None, None]
        ) ** 2
        spots = torch.exp(-squares / SPOT_DENOMINATOR)
        included = (spots * (labels == INCLUDE)[..., None, None]).amax(1)
        excluded = (spots * (labels == EXCLUDE)[..., None, None]).amax(1)
        if (labels[:, -1] == LOWER_RIGHT).all():

            def covered(centres, axis):
                low, high = cells[:, -2, axis, None], cells[:, -1, axis, None]
                return (centres[None] - low + 0.5).clamp(0, 1) * (high - centres[None] + 0.5).clamp(0, 1)

            box = covered(x, 0)[:, None, :] * covered(y, 1)[:, :, None]
        else:
            box = torch.zeros_like(included)
        mask = torch.zeros_like(included) if previous is None else previous.float().sigmoid()[:, 0]
        return torch.stack([mask, included, excluded, box], 1)

    def forward(self, points, labels, previous, frame, height, width):
        """Tokens (N, P, C), what is added to the embedding, and what is added to the stride-4 features.

        points (N, P, 2) in pixels of a frame whose long side is `frame`; labels (N, P), box corners last;
        previous (N, 1, height, width) logits or None; height and width at stride 4.
        """
        with torch.autocast("cpu", enabled=False):
            tokens = self.pe_layer((points.float() + 0.5) / frame)
            is_padding = (labels == PADDING)[..., None]
            tokens = torch.where(is_padding, self.not_a_point_embed.weight.expand_as(tokens), tokens)
            for label, embedding in enumerate(self.point_embeddings):
                tokens = tokens + (labels == label)[..., None] * embedding.weight
            dense = self.dense_map(points.float(), labels, previous, frame, height, width)
        return tokens, self.mask_downscaling(dense), self.prompt_s0(dense)
