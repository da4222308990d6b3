#!/usr/bin/env python3
"""Makes a MobileSAM of 0.3 million parameters and what it computes: the network's tests without the published weights.

    python make_tiny.py ../../Tests/SamModelTests/Goldens

Needs PyPI's torch 2.15, timm, torchvision, pillow 13, mobilesam-mirror 1.0 and safetensors. The layers are those of
mobilesam-mirror; the weights are random (seeded), rounded to float16, and scaled so that every epsilon matters.

tiny_sam.safetensors         the weights, with their configuration under `samswift.config`
tiny_sam_golden.safetensors  float32 results for two pictures that ``picture`` draws (the Swift tests draw the same)

Keys: PICTURE.input (the frame, every 5th row and column), tall.stage.NAME (every 3rd row and column; neck whole),
PICTURE.PROMPT.low_res (masks 0 to 3) and .iou, tall.point.refined.*. All maps are channels × rows × columns. The
metadata holds each picture's size and each prompt, and under `trap.NAME` how far the result moves (largest difference
in the named tensor) where the trap is fallen into: a test's tolerance has to be far below that.
"""

import copy
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import PIL
import torch
from PIL import Image
from safetensors.torch import save_file

warnings.filterwarnings("ignore")
from mobile_sam.modeling import MaskDecoder, PromptEncoder, Sam, TinyViT, TwoWayTransformer  # noqa: E402
from mobile_sam.modeling.common import LayerNorm2d  # noqa: E402
from mobile_sam.modeling.tiny_vit_sam import Attention, LayerNorm2d as NeckLayerNorm2d  # noqa: E402
from mobile_sam.predictor import SamPredictor  # noqa: E402
import random_weights  # noqa: E402

SEED = 20261130
FRAME, DIM, MLP, MASK_CHANNELS = 256, 64, 128, 16
DIMENSIONS, DEPTHS, HEADS, WINDOWS = [16, 32, 48, 64], [1, 2, 2, 1], [1, 1, 3, 8], [7, 7, 14, 7]
MEAN, DEVIATION = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]
CONFIGURATION = {
    "name": "tiny-sam",
    "version": 1,
    "image_size": FRAME,
    "embedding_stride": 16,
    "mask_stride": 4,
    "pixel_mean": MEAN,
    "pixel_std": DEVIATION,
    "encoder": {
        "dimensions": DIMENSIONS,
        "depths": DEPTHS,
        "heads": HEADS,
        "windows": WINDOWS,
        "merge_strides": [2, 2, 1],
        "expansion": 4,
        "mlp_ratio": 4,
        "neck_channels": DIM,
        "batch_norm_eps": 1e-5,
        "layer_norm_eps": 1e-5,
    },
    "prompt_encoder": {"dim": DIM, "mask_channels": MASK_CHANNELS},
    "mask_decoder": {
        "dim": DIM,
        "depth": 2,
        "heads": 8,
        "mlp_dim": MLP,
        "attention_downsample": 2,
        "mask_tokens": 4,
    },
}
# The tall picture is shrunk to 171 × 256 (170.86 before rounding), the wide one enlarged to 256 × 170 (169.82).
PICTURES = {"tall": (301, 451), "wide": (101, 67)}
PROMPTS = {
    "tall": {
        "point": ([[150.25, 201]], [1], None),
        "point_neg": ([[150.25, 201], [40, 400.5]], [1, 0], None),
        "box": (None, None, [60, 90.5, 240, 380]),
        "box_point": ([[150.25, 201]], [1], [60, 90.5, 240, 380]),
    },
    "wide": {"point": ([[33, 21]], [1], None)},
}


class TinySam(TinyViT):
    """The published forward pass takes a grid of 64 × 64 for granted."""

    def forward(self, x):
        x = self.patch_embed(x)
        for layer in self.layers:
            x = layer(x)
        side = FRAME // 16
        return self.neck(x.view(len(x), side, side, -1).permute(0, 3, 1, 2))


def build():
    encoder = TinySam(
        img_size=FRAME, num_classes=0, embed_dims=DIMENSIONS, depths=DEPTHS, num_heads=HEADS, window_sizes=WINDOWS,
        drop_path_rate=0.0,
    )
    # The published class knows the third downsampling by its 320 channels.
    encoder.layers[2].downsample.conv2.c.stride = (1, 1)
    encoder.neck = torch.nn.Sequential(
        torch.nn.Conv2d(DIMENSIONS[3], DIM, 1, bias=False), NeckLayerNorm2d(DIM),
        torch.nn.Conv2d(DIM, DIM, 3, padding=1, bias=False), NeckLayerNorm2d(DIM),
    )
    side = FRAME // 16
    sam = Sam(
        image_encoder=encoder,
        prompt_encoder=PromptEncoder(DIM, (side, side), (FRAME, FRAME), MASK_CHANNELS),
        mask_decoder=MaskDecoder(
            transformer_dim=DIM,
            transformer=TwoWayTransformer(depth=2, embedding_dim=DIM, num_heads=8, mlp_dim=MLP),
            iou_head_hidden_dim=DIM,
        ),
        pixel_mean=MEAN,
        pixel_std=DEVIATION,
    )
    return sam.eval()


def fill(sam):
    """Random weights of order one, then some made so small that the epsilon beside them counts."""
    random_weights.fill(sam, torch.Generator().manual_seed(SEED))

    encoder, decoder = sam.image_encoder, sam.mask_decoder
    # Batch norm: some variances near its epsilon, inputs as small as them.
    first = encoder.patch_embed.seq[0]
    first.bn.running_var[::3] *= 1e-4
    first.c.weight[::3] *= 1e-2
    first.bn.running_mean[::3] *= 1e-2
    # Layer norm: the second stage's tokens are small, and its first attention adds little.
    merge = encoder.layers[0].downsample.conv3.bn
    merge.weight *= 0.02
    merge.bias *= 0.02
    for block in encoder.layers[1].blocks:
        block.attn.proj.weight *= 0.02
        block.attn.proj.bias *= 0.02
        block.local_conv.bn.bias *= 0.02
        block.local_conv.bn.running_mean *= 0.02
    # LayerNorm2d of the neck, the upscaling and the mask input.
    upscaling, downscaling = decoder.output_upscaling, sam.prompt_encoder.mask_downscaling
    for layer in (encoder.neck[0], encoder.neck[2], upscaling[0], downscaling[0], downscaling[3]):
        layer.weight *= 0.003
        if layer.bias is not None:
            layer.bias *= 0.003
    # The decoder: what goes into the first layer's norms, its image's in the second, and the last norm is small.
    transformer = decoder.transformer
    first, second = transformer.layers
    for out in (
        first.self_attn.out_proj, first.cross_attn_token_to_image.out_proj, first.mlp.lin2,
        second.cross_attn_image_to_token.out_proj, transformer.final_attn_token_to_image.out_proj,
    ):
        out.weight *= 0.01
        out.bias *= 0.01
    for norm in (first.norm1, first.norm2, first.norm4, second.norm3):
        norm.weight *= 0.01
        norm.bias *= 0.01
    # Of the three candidates for a click the last is the best.
    decoder.iou_prediction_head.layers[-1].bias[3] += 1
    # Logits of magnitude 10 or less.
    for network in decoder.output_hypernetworks_mlps:
        network.layers[-1].weight *= 0.7


def stored(sam):
    """The state dict as it is committed; the model goes on with the rounded values."""
    state = {k: v.half() if v.is_floating_point() else v for k, v in sam.state_dict().items()}
    sam.load_state_dict({k: v.float() if v.is_floating_point() else v for k, v in state.items()})
    sam.train().eval()  # lays the attention biases out anew
    return {k: v.contiguous() for k, v in state.items()}


def picture(width, height):
    """Stripes of two widths and a fine texture, in whole numbers only."""
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")

    def triangle(value, period):
        return np.abs(value % (2 * period) - period)

    value = triangle(3 * x + 2 * y + 40 * c, 97) + triangle(x + 5 * y + 13 * c, 61)
    return (value + (37 * x + 91 * y + 17 * c) % 64 + 20).astype(np.uint8)


def sample(tensor, side, step):
    """Channels × rows × columns, every `step`-th of both; tokens are laid out as the grid they stand for."""
    if tensor.ndim == 3:
        tensor = tensor.view(1, side, side, -1).permute(0, 3, 1, 2)
    return tensor[0, :, ::step, ::step].contiguous()


class Run:
    """One model at work; keeps every stage of the last picture."""

    def __init__(self, sam):
        self.predictor = SamPredictor(sam)
        self.stages = {}
        encoder = sam.image_encoder
        modules = {"patch_embed": encoder.patch_embed, "neck": encoder.neck}
        for i, layer in enumerate(encoder.layers):
            modules[f"layer{i}"] = layer
            for j, block in enumerate(layer.blocks):
                modules[f"layer{i}_block{j}"] = block
        for name, module in modules.items():
            module.register_forward_hook(self.keep(name))
        encoder.register_forward_pre_hook(lambda _, inputs: self.stages.update(input=inputs[0]))

    def keep(self, name):
        def hook(module, inputs, output):
            tokens = output if output.ndim == 3 else output.flatten(2)
            count = output.shape[1] if output.ndim == 3 else tokens.shape[2]
            self.stages[name] = sample(output, int(count**0.5), 1 if name == "neck" else 3)

        return hook

    def encode(self, pixels):
        self.predictor.set_image(pixels)
        self.stages["input"] = self.stages["input"][0, :, ::5, ::5].contiguous()
        return dict(self.stages)

    def decode(self, points, labels, box, previous=None):
        """All four masks, mask 0 first, and their predicted IoUs."""
        given = dict(
            point_coords=None if points is None else np.array(points, np.float32),
            point_labels=None if labels is None else np.array(labels),
            box=None if box is None else np.array(box, np.float32),
            mask_input=previous,
            return_logits=True,
        )
        _, one_score, one = self.predictor.predict(**given, multimask_output=False)
        _, scores, masks = self.predictor.predict(**given, multimask_output=True)
        return torch.from_numpy(np.concatenate([one, masks])), torch.from_numpy(np.concatenate([one_score, scores]))


def distance(a, b):
    return (a - b).abs().max().item()


def traps(sam, golden):
    """How far the results move when each trap is fallen into."""
    pixels, prompts = picture(*PICTURES["tall"]), PROMPTS["tall"]
    found = {}

    def fallen(change, stage=None, prompt=None):
        """The largest difference that `change` to a copy of the model makes in a stage, or in a prompt's logits."""
        other = copy.deepcopy(sam)
        with torch.no_grad():
            change(other)
            run = Run(other)
            stages = run.encode(pixels)
            if stage:
                return distance(stages[stage], golden[f"tall.stage.{stage}"])
            key = prompt.removesuffix(".refined")
            previous = None
            if key != prompt:
                best = 1 + int(golden[f"tall.{key}.iou"][1:].argmax())
                previous = golden[f"tall.{key}.low_res"][best][None].numpy()
            return distance(run.decode(*prompts[key], previous)[0], golden[f"tall.{prompt}.low_res"])

    def each(kind, name, value):
        def change(other):
            for module in other.modules():
                if isinstance(module, kind):
                    setattr(module, name, value)

        return change

    # 1: the short side cut off instead of rounded; no antialiasing.
    mean, deviation = (torch.tensor(v).view(3, 1, 1) for v in (MEAN, DEVIATION))

    def frame(resized):
        values = (torch.from_numpy(resized.copy()).permute(2, 0, 1).float() - mean) / deviation
        whole = torch.zeros(3, FRAME, FRAME)
        whole[:, : values.shape[1], : values.shape[2]] = values
        return whole[:, ::5, ::5]

    cut = np.array(Image.fromarray(pixels).resize((170, 256), Image.BILINEAR))
    found["rounding"] = distance(frame(cut), golden["tall.input"])
    tensor = torch.from_numpy(pixels).permute(2, 0, 1)[None].float()
    plain = torch.nn.functional.interpolate(tensor, (256, 171), mode="bilinear", align_corners=False)
    found["antialiasing"] = distance(frame(plain[0].permute(1, 2, 0).round().numpy()), golden["tall.input"])
    # 2: padded, then normalised.
    found["padding"] = min(abs(m / d) for m, d in zip(MEAN, DEVIATION))

    # 3: no half pixel.
    def no_half(other):
        embed = other.prompt_encoder.pe_layer.forward_with_coords
        other.prompt_encoder.pe_layer.forward_with_coords = lambda c, size: embed(c - 0.5, size)

    found["half_pixel_of_points"] = fallen(no_half, prompt="point")
    found["half_pixel_of_boxes"] = fallen(no_half, prompt="box")

    # 4: the padding token with its position, or beside a box, or not at all.
    def pad(always):
        def change(other):
            own = other.prompt_encoder._embed_points
            other.prompt_encoder._embed_points = lambda p, l, pad: own(p, l, pad=always)

        return change

    def positioned(other):
        encoder = other.prompt_encoder
        own = encoder._embed_points

        def embed(points, labels, pad):
            result = own(points, labels, pad=pad)
            if pad:
                corner = torch.full((1, 1, 2), 0.5)
                result[:, -1:] += encoder.pe_layer.forward_with_coords(corner, encoder.input_image_size)
            return result

        encoder._embed_points = embed

    found["padding_token_missing"] = fallen(pad(False), prompt="point")
    found["padding_token_with_box"] = fallen(pad(True), prompt="box_point")
    found["padding_token_position"] = fallen(positioned, prompt="point")

    # 5: windows padded behind the layer norm; their padding masked.
    def is_padding(tokens):
        return tokens.abs().sum(-1, keepdim=True) == 0

    def late(other):
        for module in other.modules():
            if isinstance(module, Attention):
                module.norm.register_forward_hook(lambda m, i, o: o.masked_fill(is_padding(i[0]), 0))

    class Masked(torch.nn.Module):
        def __init__(self, attention):
            super().__init__()
            self.attention = attention

        def forward(self, x):
            attention, (batch, count, _) = self.attention, x.shape
            shape = (batch, count, attention.num_heads, -1)
            query, key, value = attention.qkv(attention.norm(x)).view(shape).transpose(1, 2).chunk(3, -1)
            scores = query @ key.transpose(-2, -1) * attention.scale + attention.ab
            scores = scores.masked_fill(is_padding(x).view(batch, 1, 1, count), -1e9)
            return attention.proj((scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, count, -1))

    def masked(other):
        for layer in other.image_encoder.layers[1:]:
            for block in layer.blocks:
                block.attn = Masked(block.attn)

    for stage in ("layer1_block0", "layer2_block0", "layer3_block0"):
        found[f"late_window_padding.{stage}"] = fallen(late, stage=stage)
        found[f"masked_window_padding.{stage}"] = fallen(masked, stage=stage)

    # 7: the tanh form of GELU; each epsilon ten times as large or as small.
    found["gelu.encoder"] = fallen(each(torch.nn.GELU, "approximate", "tanh"), stage="patch_embed")
    found["gelu.decoder"] = fallen(
        lambda other: each(torch.nn.GELU, "approximate", "tanh")(other.mask_decoder), prompt="point")
    found["gelu.mask_input"] = fallen(
        lambda other: each(torch.nn.GELU, "approximate", "tanh")(other.prompt_encoder), prompt="point.refined")
    found["batch_norm_epsilon"] = fallen(each(torch.nn.BatchNorm2d, "eps", 1e-4), stage="patch_embed")
    found["layer_norm_epsilon.encoder"] = fallen(each(torch.nn.LayerNorm, "eps", 1e-6), stage="layer1_block0")
    for norm in ("norm1", "norm2", "norm3", "norm4", "norm_final_attn"):

        def epsilon(other):
            for name, module in other.mask_decoder.transformer.named_modules():
                if name.split(".")[-1] == norm:
                    module.eps = 1e-6

        found[f"layer_norm_epsilon.{norm}"] = fallen(epsilon, prompt="point")
    found["layer_norm_2d_epsilon.neck"] = fallen(each(NeckLayerNorm2d, "eps", 1e-5), stage="neck")
    found["layer_norm_2d_epsilon.decoder"] = fallen(
        lambda other: each(LayerNorm2d, "eps", 1e-5)(other.mask_decoder), prompt="point")
    found["layer_norm_2d_epsilon.mask_input"] = fallen(
        lambda other: each(LayerNorm2d, "eps", 1e-5)(other.prompt_encoder), prompt="point.refined")

    # 8: another of the four masks.
    masks = golden["tall.point.low_res"]
    found["which_mask"] = min(distance(masks[i], masks[j]) for i in range(4) for j in range(i))
    return found


@torch.no_grad()
def main(folder):
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    sam = build()
    fill(sam)
    save_file(stored(sam), folder / "tiny_sam.safetensors", metadata={"samswift.config": json.dumps(CONFIGURATION)})

    golden = {}
    metadata = {"seed": str(SEED), "torch": torch.__version__, "pillow": PIL.__version__}
    for name, size in PICTURES.items():
        run = Run(copy.deepcopy(sam))
        stages = run.encode(picture(*size))
        golden[f"{name}.input"] = stages.pop("input")
        metadata[name] = json.dumps({"width": size[0], "height": size[1]})
        if name == "tall":
            golden.update({f"{name}.stage.{stage}": value for stage, value in stages.items()})
        for prompt, given in PROMPTS[name].items():
            key = f"{name}.{prompt}"
            metadata[key] = json.dumps(dict(zip(("points", "labels", "box"), given)))
            golden[f"{key}.low_res"], golden[f"{key}.iou"] = run.decode(*given)
            if key == "tall.point":
                best = 1 + int(golden[f"{key}.iou"][1:].argmax())
                previous = golden[f"{key}.low_res"][best][None].numpy()
                golden[f"{key}.refined.low_res"], golden[f"{key}.refined.iou"] = run.decode(*given, previous)
    for trap, moved in traps(sam, golden).items():
        metadata[f"trap.{trap}"] = f"{moved:.6g}"
    save_file(golden, folder / "tiny_sam_golden.safetensors", metadata=metadata)

    for key, value in golden.items():
        print(f"{key:32} {tuple(value.shape)} mean {value.mean():.4g} deviation {value.std():.4g} largest {value.abs().max():.4g}")
    print({k: v for k, v in metadata.items() if k.startswith("trap.")})
    print(sum(p.numel() for p in sam.parameters()), "parameters,", [p.stat().st_size for p in folder.glob("tiny_sam*")])


main(Path(sys.argv[1]))
