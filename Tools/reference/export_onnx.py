#!/usr/bin/env python3
"""Exports a MobileSAM checkpoint for ONNX Runtime and OpenVINO, which the benchmarks compare with.

    python export_onnx.py mobile_sam_synthetic.pt mobile_sam_synthetic

Writes OUT.encoder.onnx (`image`, 1×3×1024×1024, normalised and padded, to `embedding`, 1×256×64×64) and
OUT.decoder.onnx (the inputs of SAM's own export; four masks).
"""

import argparse
import warnings

import torch

warnings.filterwarnings("ignore")
from mobile_sam import sam_model_registry  # noqa: E402
from mobile_sam.utils.onnx import SamOnnxModel  # noqa: E402

OPSET = 17


def main():
    parser = argparse.ArgumentParser(description="Exports a MobileSAM checkpoint to ONNX.")
    parser.add_argument("checkpoint", help="a MobileSAM .pt file")
    parser.add_argument("output", help="what the two files' names begin with")
    arguments = parser.parse_args()
    model = sam_model_registry["vit_t"](arguments.checkpoint).eval()
    torch.onnx.export(
        model.image_encoder, (torch.randn(1, 3, 1024, 1024),), f"{arguments.output}.encoder.onnx",
        input_names=["image"], output_names=["embedding"], opset_version=OPSET, dynamo=False)
    inputs = {
        "image_embeddings": torch.randn(1, 256, 64, 64),
        "point_coords": torch.randint(0, 1024, (1, 5, 2)).float(),
        "point_labels": torch.randint(0, 4, (1, 5)).float(),
        "mask_input": torch.randn(1, 1, 256, 256),
        "has_mask_input": torch.tensor([1.0]),
        "orig_im_size": torch.tensor([1500.0, 2250.0]),
    }
    torch.onnx.export(
        SamOnnxModel(model, return_single_mask=False), tuple(inputs.values()), f"{arguments.output}.decoder.onnx",
        input_names=list(inputs), output_names=["masks", "iou_predictions", "low_res_masks"], opset_version=OPSET,
        dynamo=False, dynamic_axes={"point_coords": {1: "n"}, "point_labels": {1: "n"}})


if __name__ == "__main__":
    main()
