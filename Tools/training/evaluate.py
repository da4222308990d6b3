"""Measures weights in PyTorch: python evaluate.py WEIGHTS.safetensors PHOTOGRAPHS > figures.json"""

import argparse
import json

from lite.protocol import figures, measure
from lite.weights import load


def main():
    parser = argparse.ArgumentParser(description="Measures weights in PyTorch, by the protocol of `samswift eval`.")
    parser.add_argument("weights", help="a .safetensors file of export.py, or a .pt file of train.py")
    parser.add_argument("photographs", help="folder of NAME.jpg with label maps NAME.png")
    parser.add_argument("--limit", type=int, help="only so many photographs, in order of their names")
    arguments = parser.parse_args()
    rows = measure(load(arguments.weights), arguments.photographs, limit=arguments.limit)
    if not rows:
        raise SystemExit(f"{arguments.photographs}: nothing to measure")
    print(json.dumps(figures(rows), indent=1))


if __name__ == "__main__":
    main()
