"""Random weights for a MobileSAM, so scaled that activations stay of the order of one. Used by make_synthetic.py and make_tiny.py."""

import torch


@torch.no_grad()
def fill(model, generator):
    """Fills every layer; BatchNorm's statistics, biases and attention biases are not trivial."""

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
