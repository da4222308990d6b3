"""Trains SamSwift Lite on one machine's CPU: python train.py DATA HELD_OUT OUT --backbone FILE.pth

Runs for the stated time. OUT/ema.pt, the running average of the weights, is what to export; it is written after each
measurement and at the end.
"""

import argparse
import copy
import math
import queue
import threading
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from lite.augmentation import draw_batch
from lite.model import Lite
from lite.photographs import Photographs
from lite.pointing import correction, draw_prompts, tensors
from lite.protocol import figures, measure
from lite.weights import load, save_checkpoint


def parse():
    parser = argparse.ArgumentParser(description="Trains SamSwift Lite on one machine's CPU for a stated time.")
    parser.add_argument("data", help="folder of SOURCE/NAME.jpg with label maps; see README.md")
    parser.add_argument("held_out", help="photographs with label maps that are measured, never trained on")
    parser.add_argument("output", help="folder for the weights")
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--backbone", help="ImageNet weights: efficientnet-lite0-57934424.pth")
    start.add_argument("--init", help="a .pt file of an earlier run, to go on from")
    parser.add_argument("--seconds", type=float, default=5000, help="how long to train")
    parser.add_argument("--steps", type=int, help="stop after so many steps, if that is sooner")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sizes", type=sides, default=[320, 320, 384], help="sides that are drawn from at first")
    parser.add_argument("--late-sizes", type=sides, default=[448, 512, 512], help="sides that are drawn from later")
    parser.add_argument("--late-from", type=float, default=0.62, help="where `later` begins, as a share of the time")
    parser.add_argument("--paste", type=float, default=0.4, help="share of pictures with pasted objects")
    parser.add_argument("--pictures", type=int, default=8, help="pictures of a step")
    parser.add_argument("--objects", type=int, default=3, help="objects of a picture")
    parser.add_argument("--rate", type=float, default=6e-4, help="the highest learning rate")
    parser.add_argument("--frozen-stages", type=int, default=2, help="first stages that stay as they are, with the stem")
    parser.add_argument("--measure-every", type=float, default=600, help="seconds between measurements")
    parser.add_argument("--measured", type=int, default=60, help="held-out photographs that are measured on the way")
    return parser.parse_args()


def sides(text):
    values = [int(part) for part in text.split(",")]
    if any(value < 32 or value % 32 for value in values):
        raise argparse.ArgumentTypeError("sides are multiples of 32")
    return values


class Training:
    def __init__(self, options):
        self.options = options
        self.rng = np.random.default_rng(options.seed)
        torch.manual_seed(options.seed)
        self.photographs = Photographs(options.data)
        print("photographs", self.photographs.counts(), flush=True)
        self.model = load(options.init) if options.init else Lite()
        if options.backbone:
            self.model.image_encoder.load_imagenet(torch.load(options.backbone, weights_only=True))
        self.model.to(memory_format=torch.channels_last)
        encoder = self.model.image_encoder
        self.frozen = [encoder.stem, *encoder.stages[: options.frozen_stages]]
        for module in self.frozen:
            module.requires_grad_(False)
        backbone = [p for p in encoder.stages.parameters() if p.requires_grad]
        known = {id(p) for p in backbone}
        rest = [p for p in self.model.parameters() if p.requires_grad and id(p) not in known]
        self.trained = backbone + rest
        # What ImageNet taught is moved a quarter as fast.
        self.optimizer = torch.optim.AdamW(
            [{"params": backbone, "share": 0.25}, {"params": rest, "share": 1.0}],
            lr=options.rate, weight_decay=0.02, betas=(0.9, 0.98))
        self.average = copy.deepcopy(self.model)
        self.log = defaultdict(list)
        self.step = 0
        self.start = time.monotonic()
        self.batches = queue.Queue(4)
        threading.Thread(target=self.feed, daemon=True).start()

    @property
    def progress(self):
        """0...1, by time or by steps, whichever is farther."""
        by_time = (time.monotonic() - self.start) / self.options.seconds
        return max(by_time, self.step / self.options.steps if self.options.steps else 0)

    def feed(self):
        """Draws batches ahead, on a thread and with random numbers of its own."""
        options, rng = self.options, np.random.default_rng([self.options.seed, 1])
        while True:
            size = int(rng.choice(options.sizes if self.progress < options.late_from else options.late_sizes))
            batch = draw_batch(self.photographs, options.pictures, options.objects, size, options.paste, rng)
            self.batches.put((size, *batch))

    def run(self):
        measured = time.monotonic()
        while self.progress < 1:
            self.train_step()
            if self.step % 50 == 0:
                self.report()
            if time.monotonic() - measured > self.options.measure_every:
                self.measure(self.options.measured)
                measured = time.monotonic()
        self.report()
        self.measure(None)

    def train_step(self):
        self.set_rate()
        self.model.train()
        for module in self.frozen:
            module.eval()
        size, pictures, masks, owners = self.batches.get()
        truth = F.avg_pool2d(torch.from_numpy(masks).float()[:, None], 4)
        pictures = torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            features = [map[torch.from_numpy(owners)] for map in self.model.encode(pictures)]
        loss = self.refine(features, masks, truth, size)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        self.optimizer.step()
        self.step += 1
        self.update_average()

    def set_rate(self):
        warm = min(1, self.step / 150)
        cosine = 0.5 * (1 + math.cos(math.pi * min(1, self.progress)))
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.rate * warm * (cosine * 0.98 + 0.02) * group["share"]

    def refine(self, features, masks, truth, size):
        """The mean loss of a prompt and the corrections that follow it."""
        kind, prompts = draw_prompts(masks, self.rng)
        rounds = 3 if self.rng.random() < 0.85 else 5
        previous, total = None, 0
        for turn in range(rounds):
            with torch.autocast("cpu", torch.bfloat16):
                logits, scores = self.model.decode(features, *tensors(prompts), previous, size)
            # A single click may mean several things: any of masks 1 to 3 may be the right one.
            is_ambiguous = turn == 0 and kind == "click"
            chosen = slice(1, 4) if is_ambiguous else slice(0, 1)
            logits, scores = logits[:, chosen].float(), scores[:, chosen].float()
            losses = mask_losses(logits, truth)
            smallest, best = losses.min(1)
            ious = overlaps(logits, truth)
            total = total + smallest.mean() + F.mse_loss(scores, ious)
            if is_ambiguous:
                total = total + 0.05 * losses.mean()
            reached = ious.gather(1, best[:, None]).mean().item()
            if turn == 0:
                self.log["loss"].append(smallest.mean().item())
                self.log[kind].append(reached)
            if turn == rounds - 1:
                self.log["last"].append(reached)
                break
            if is_ambiguous:
                best = scores.argmax(1)
            place = best.view(-1, 1, 1, 1).expand(-1, 1, *logits.shape[2:])
            previous = logits.gather(1, place).detach().clamp(-32, 32)
            self.correct(prompts, previous, masks, size)
        return total / rounds

    def correct(self, prompts, logits, masks, size):
        whole = F.interpolate(logits, size=(size, size), mode="bilinear", align_corners=False)
        for prompt, found, mask in zip(prompts, (whole[:, 0] > 0).numpy(), masks):
            x, y, label = correction(found, mask, self.rng)
            prompt.add((x, y), label)

    @torch.no_grad()
    def update_average(self):
        """An exponential average of the weights; it follows closely at first."""
        kept = min(0.998, (1 + self.step) / (20 + self.step))
        for mean, value in zip(self.average.state_dict().values(), self.model.state_dict().values()):
            if mean.dtype.is_floating_point:
                mean.lerp_(value, 1 - kept)

    def report(self):
        means = {name: round(float(np.mean(values)), 3) for name, values in self.log.items() if values}
        print(f"{time.monotonic() - self.start:.0f} s, step {self.step}: {means}", flush=True)
        self.log.clear()

    def measure(self, limit):
        """Writes the average and measures it on held-out photographs, at most two objects of each."""
        output = Path(self.options.output)
        output.mkdir(parents=True, exist_ok=True)
        save_checkpoint(self.average, output / "ema.pt")
        rows = measure(self.average, self.options.held_out, limit=limit, per_photograph=2)
        print("measured", figures(rows)["mean_iou_percent"] if rows else "nothing", flush=True)


def mask_losses(logits, truth):
    """Focal, Dice and cross-entropy of each mask: logits (N, M, h, w), soft truth (N, 1, h, w) to (N, M)."""
    probability = logits.sigmoid()
    entropy = F.binary_cross_entropy_with_logits(logits, truth.expand_as(logits), reduction="none")
    agreement = probability * truth + (1 - probability) * (1 - truth)
    focal = (entropy * (1 - agreement).pow(2)).mean((2, 3))
    shared = 2 * (probability * truth).sum((2, 3)) + 1
    dice = 1 - shared / (probability.sum((2, 3)) + truth.sum((2, 3)) + 1)
    return 4 * focal + dice + 1.5 * entropy.mean((2, 3))


@torch.no_grad()
def overlaps(logits, truth):
    """The IoU of each mask (N, M)."""
    found, there = logits > 0, truth > 0.5
    return (found & there).sum((2, 3)) / (found | there).sum((2, 3)).clamp(min=1)


if __name__ == "__main__":
    Training(parse()).run()
