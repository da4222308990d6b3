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
from random_weights import fill  # noqa: E402

# What is not set below keeps its initial values, which the first seed makes; the second makes the rest.
INITIAL_SEED, SEED = 20261130, 7


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
