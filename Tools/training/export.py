"""Writes trained weights as SamSwift reads them: python export.py WEIGHTS.pt OUT.safetensors"""

import argparse
from pathlib import Path

from lite.weights import export, load


def main():
    parser = argparse.ArgumentParser(
        description="Writes trained weights as SamSwift reads them: safetensors in half precision, with the "
        "network's configuration in the metadata.")
    parser.add_argument("weights", help="a .pt file of train.py")
    parser.add_argument("output", help="the .safetensors file to write")
    arguments = parser.parse_args()
    export(load(arguments.weights), arguments.output)
    print(f"{arguments.output}: {Path(arguments.output).stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
