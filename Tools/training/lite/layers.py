"""Layers that several parts share. Attribute names are the keys of the weights file."""

import torch
from torch import nn


class ConvNorm(nn.Module):
    """A convolution without bias, BatchNorm, and an optional activation."""

    def __init__(self, inputs, outputs, kernel=1, stride=1, groups=1, activation=None):
        super().__init__()
        self.c = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
        self.bn = nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.01)
        self.activation = activation
        self.is_depthwise = groups > 1

    def forward(self, x):
        if self.is_depthwise and self.training and torch.is_grad_enabled():
            # The gradient of a depthwise convolution is slow in bfloat16 on a CPU.
            with torch.autocast("cpu", enabled=False):
                x = self.c(x.float())
        else:
            x = self.c(x)
        x = self.bn(x)
        return self.activation(x) if self.activation else x


class LayerNorm2d(nn.Module):
    """Layer normalisation over the channels of a map (N, C, H, W), in float32."""

    def __init__(self, channels, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.eps = eps

    def forward(self, x):
        x = x.float()
        mean = x.mean(1, keepdim=True)
        variance = (x - mean).pow(2).mean(1, keepdim=True)
        normalised = (x - mean) / torch.sqrt(variance + self.eps)
        return self.weight[:, None, None] * normalised + self.bias[:, None, None]
