#!/usr/bin/env python3
"""Makes a MobileSAM checkpoint of random weights, in the layout and file format of the published one.

    python make_synthetic.py mobile_sam_synthetic.pt

The same 439 keys, shapes and types as mobile_sam.pt. Its masks mean nothing; its numbers do: what computes these right
computes the published weights right. Values are scaled so that activations stay of the order of one, and BatchNorm's
statistics, biases and attention biases are not trivial. Prints how large activations get.
"""

import argparse
import warnings

import torch

warnings.filterwarnings("ignore")
from mobile_sam import sam_model_registry  # noqa: E402

# What is not set below keeps its initial values, which the first seed makes; the second makes the rest.
INITIAL_SEED, SEED = 20261130, 7


@torch.no_grad()
def fill(model, generator):
    def uniform(tensor, low, high):
        tensor.copy_(torch.rand(tensor.shape, generator=generator) * (high - low) + low)

    def normal(tensor, deviation):
        tensor.copy_(torch.randn(tensor.shape, generator=generator) * deviation)

    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            uniform(module.weight, 0.6, 1.4)
            normal(module.bias, 0.15)
            normal(module.running_mean, 0.15)
            uniform(module.running_var, 0.6, 1.6)
        elif isinstance(module, (torch.nn.Linear, torch.nn.Conv2d, torch.nn.ConvTranspose2d)):
            is_transposed = isinstance(module, torch.nn.ConvTranspose2d)
            inputs = module.weight.shape[0] if is_transposed else module.weight[0].numel()
            normal(module.weight, (1.6 / inputs) ** 0.5)
            if module.bias is not None:
                normal(module.bias, 0.1)
        elif isinstance(module, torch.nn.LayerNorm) or type(module).__name__ == "LayerNorm2d":
            uniform(module.weight, 0.7, 1.3)
            normal(module.bias, 0.1)
        elif isinstance(module, torch.nn.Embedding):
            normal(module.weight, 1.0)
        if hasattr(module, "attention_biases"):
            normal(module.attention_biases, 0.5)


def main():
    parser = argparse.ArgumentParser(description="Makes a MobileSAM checkpoint of random weights.")
    parser.add_argument("output", help="the .pt file to write")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(INITIAL_SEED)
    model = sam_model_registry["vit_t"]().eval()
    generator = torch.Generator().manual_seed(SEED)
    fill(model, generator)
    # The attention's own copy of its biases is made when it leaves training.
    model.train()
    model.eval()
    with torch.no_grad():
        picture = torch.rand(1, 3, 1024, 1024, generator=generator) * 255
        frame = (picture - model.pixel_mean) / model.pixel_std
        patches = model.image_encoder.patch_embed(frame)
        embedding = model.image_encoder(frame)
    for name, values in (("patches", patches), ("embedding", embedding)):
        print(f"{name}: deviation {values.std():.3g}, largest {values.abs().max():.3g}")
    state = model.state_dict()
    torch.save(state, arguments.output)
    print(f"{len(state)} tensors, {sum(value.numel() for value in state.values())} values")


if __name__ == "__main__":
    main()
