"""The whole network."""

from torch import nn

from .decoder import MaskDecoder
from .encoder import STAGES, STEM_CHANNELS, STRIDE_4, STRIDE_8, STRIDE_16, Encoder
from .frame import DEVIATION, FRAME, MEAN, PAD_MULTIPLE
from .prompts import SPOT_DENOMINATOR, PromptEncoder

CHANNELS = 128

# What a reader of the weights has to know beside them; it travels in the file's metadata.
CONFIGURATION = {
    "name": "samswift-lite",
    "version": 1,
    "image_size": FRAME,
    "pad_multiple": PAD_MULTIPLE,
    "embedding_stride": 16,
    "mask_stride": 4,
    "pixel_mean": MEAN.tolist(),
    "pixel_std": DEVIATION.tolist(),
    "encoder": {
        "stem_channels": STEM_CHANNELS,
        "stages": [
            {"blocks": n, "channels": c, "kernel": k, "stride": s, "expansion": e} for n, c, k, s, e in STAGES
        ],
        "activation": "relu6",
        "batch_norm_eps": 1e-3,
        "attention": {"dim": 192, "blocks": 3, "heads": 6, "window": 16, "mlp_ratio": 4, "layer_norm_eps": 1e-5},
        "high_res_stages": [STRIDE_4, STRIDE_8],
        "lateral_stage": STRIDE_16,
        "neck_channels": CHANNELS,
    },
    "prompt_encoder": {
        "dim": CHANNELS,
        "mask_channels": 32,
        "dense_prompt": {"gaussian_denominator": SPOT_DENOMINATOR},
    },
    "mask_decoder": {
        "dim": CHANNELS,
        "depth": 2,
        "heads": 8,
        "mlp_dim": 512,
        "attention_downsample": 2,
        "mask_tokens": 4,
    },
}


class Lite(nn.Module):
    def __init__(self):
        super().__init__()
        self.image_encoder = Encoder(CHANNELS)
        self.prompt_encoder = PromptEncoder(CHANNELS)
        self.mask_decoder = MaskDecoder(CHANNELS)

    def encode(self, pictures):
        """(N, 3, H, W) to embedding, stride-4 and stride-8 features."""
        return self.image_encoder(pictures)

    def decode(self, features, points, labels, previous, frame=FRAME):
        """Logits (N, 4, H/4, W/4) and predicted IoUs (N, 4) of N prompts; see PromptEncoder."""
        embedding, stride4, stride8 = features
        tokens, dense, dense4 = self.prompt_encoder(points, labels, previous, frame, *stride4.shape[-2:])
        positions = self.prompt_encoder.grid_positions(*embedding.shape[-2:]).to(embedding.dtype)
        return self.mask_decoder(embedding, positions, tokens, dense, stride4 + dense4, stride8)
