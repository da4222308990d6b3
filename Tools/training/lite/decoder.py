"""SAM's mask decoder with two skip connections from the encoder."""

import torch
import torch.nn.functional as F
from torch import nn

from .layers import LayerNorm2d


class CrossAttention(nn.Module):
    def __init__(self, channels, heads, downsample=1):
        super().__init__()
        inner = channels // downsample
        self.heads = heads
        self.q_proj = nn.Linear(channels, inner)
        self.k_proj = nn.Linear(channels, inner)
        self.v_proj = nn.Linear(channels, inner)
        self.out_proj = nn.Linear(inner, channels)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def forward(self, query, key, value):
        query = self.split(self.q_proj(query))
        key, value = self.split(self.k_proj(key)), self.split(self.v_proj(value))
        weights = ((query * query.shape[-1] ** -0.5) @ key.transpose(-2, -1)).softmax(-1)
        return self.out_proj((weights.to(value.dtype) @ value).transpose(1, 2).flatten(2))


class TokenMLP(nn.Module):
    def __init__(self, channels, hidden):
        super().__init__()
        self.lin1 = nn.Linear(channels, hidden)
        self.lin2 = nn.Linear(hidden, channels)

    def forward(self, x):
        return self.lin2(F.relu(self.lin1(x)))


class TwoWayBlock(nn.Module):
    """Tokens attend to each other, then to the picture; then the picture attends to the tokens."""

    def __init__(self, channels, heads, hidden, is_first):
        super().__init__()
        self.is_first = is_first
        self.self_attn = CrossAttention(channels, heads)
        self.norm1 = nn.LayerNorm(channels)
        self.cross_attn_token_to_image = CrossAttention(channels, heads, 2)
        self.norm2 = nn.LayerNorm(channels)
        self.mlp = TokenMLP(channels, hidden)
        self.norm3 = nn.LayerNorm(channels)
        self.norm4 = nn.LayerNorm(channels)
        self.cross_attn_image_to_token = CrossAttention(channels, heads, 2)

    def forward(self, tokens, image, token_positions, image_positions):
        if self.is_first:
            # The first block's tokens are their own positions: nothing is added to them.
            tokens = self.self_attn(tokens, tokens, tokens)
        else:
            placed = tokens + token_positions
            tokens = tokens + self.self_attn(placed, placed, tokens)
        tokens = self.norm1(tokens)
        seen = self.cross_attn_token_to_image(tokens + token_positions, image + image_positions, image)
        tokens = self.norm2(tokens + seen)
        tokens = self.norm3(tokens + self.mlp(tokens))
        told = self.cross_attn_image_to_token(image + image_positions, tokens + token_positions, tokens)
        return tokens, self.norm4(image + told)


class TwoWayTransformer(nn.Module):
    def __init__(self, depth, channels, heads, hidden):
        super().__init__()
        self.layers = nn.ModuleList([TwoWayBlock(channels, heads, hidden, i == 0) for i in range(depth)])
        self.final_attn_token_to_image = CrossAttention(channels, heads, 2)
        self.norm_final_attn = nn.LayerNorm(channels)

    def forward(self, image, positions, prompt):
        image = image.flatten(2).transpose(1, 2)
        positions = positions.flatten(2).transpose(1, 2)
        tokens = prompt
        for layer in self.layers:
            tokens, image = layer(tokens, image, prompt, positions)
        seen = self.final_attn_token_to_image(tokens + prompt, image + positions, image)
        return self.norm_final_attn(tokens + seen), image


class MLP(nn.Module):
    def __init__(self, inputs, hidden, outputs, depth):
        super().__init__()
        sizes = [inputs] + [hidden] * (depth - 1) + [outputs]
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)


class MaskDecoder(nn.Module):
    """Four masks for each prompt: mask 0 for a clear prompt, 1 to 3 for the readings of a single click."""

    def __init__(self, channels, heads=8, hidden=512, depth=2, masks=4):
        super().__init__()
        self.masks = masks
        self.transformer = TwoWayTransformer(depth, channels, heads, hidden)
        self.iou_token = nn.Embedding(1, channels)
        self.mask_tokens = nn.Embedding(masks, channels)
        self.output_upscaling = nn.Sequential(
            nn.ConvTranspose2d(channels, channels // 4, 2, 2),
            LayerNorm2d(channels // 4),
            nn.GELU(),
            nn.ConvTranspose2d(channels // 4, channels // 8, 2, 2),
            nn.GELU(),
        )
        self.output_hypernetworks_mlps = nn.ModuleList(
            [MLP(channels, channels, channels // 8, 3) for _ in range(masks)]
        )
        self.iou_prediction_head = MLP(channels, channels, masks, 3)

    def forward(self, embedding, positions, prompt, dense, stride4, stride8):
        """Logits (N, 4, H/4, W/4) and predicted IoUs (N, 4)."""
        batch = prompt.shape[0]
        own = torch.cat([self.iou_token.weight, self.mask_tokens.weight])[None].expand(batch, -1, -1)
        tokens, image = self.transformer(
            embedding + dense, positions.expand(batch, -1, -1, -1), torch.cat([own, prompt], 1)
        )
        image = image.transpose(1, 2).reshape(batch, -1, *embedding.shape[-2:])
        first, norm, gelu, second, last = self.output_upscaling
        features = gelu(norm(first(image) + stride8))
        features = last(second(features) + stride4)
        weights = torch.stack(
            [mlp(tokens[:, 1 + i]) for i, mlp in enumerate(self.output_hypernetworks_mlps)], 1
        )
        logits = (weights @ features.flatten(2)).view(batch, self.masks, *features.shape[-2:])
        return logits, self.iou_prediction_head(tokens[:, 0])
