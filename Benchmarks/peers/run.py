"""SamSwift against ONNX Runtime and OpenVINO, in turn, in one run: run.py [--rounds N] [--seconds S] [--rows TEXT] [--shared DIR]

Run it with Benchmarks/peers/run, which sets the Python environment up. Each round runs every contender once, in its own
process, so that a drift of the machine meets all of them; the table gives the median over the rounds and the median
of the rounds' ratios. OPENBLAS_* variables are unset for everybody."""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BENCH = os.path.join(ROOT, ".build", "release", "samswift-bench")
COMMAND = os.path.join(ROOT, ".build", "release", "samswift")

# What is compared: title, our benchmark, the peers (engine, network, precision), threads.
ROWS = []
for threads in (2, 1):
    ROWS += [
        ("MobileSAM encode 1024×1024", f"encode/mobile-sam/square/f32/t{threads}",
         [("onnxruntime", "mobile-sam-encode", "f32"), ("openvino", "mobile-sam-encode", "f32")], threads),
        ("MobileSAM encode 1024×1024, bf16", f"encode/mobile-sam/square/bf16/t{threads}",
         [("openvino", "mobile-sam-encode", "bf16")], threads),
        ("MobileSAM click", f"decode/mobile-sam/click/f32/t{threads}",
         [("onnxruntime", "mobile-sam-decode", "f32"), ("openvino", "mobile-sam-decode", "f32")], threads),
        ("Lite encode 512×512", f"encode/lite/square/f32/t{threads}",
         [("onnxruntime", "lite-encode", "f32"), ("openvino", "lite-encode", "f32")], threads),
        ("Lite encode 512×512, bf16", f"encode/lite/square/bf16/t{threads}",
         [("openvino", "lite-encode", "bf16")], threads),
    ]


def environment(shared):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
    clean["SAMSWIFT_REFERENCE"] = os.path.join(shared, "reference")
    return clean


def ours(name, seconds, env):
    output = subprocess.run([BENCH, "--filter", name, "--seconds", str(seconds), "--json", "-"], env=env,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    report = json.loads(output)
    return report["results"][0]["time"]["medianMs"], report["environment"]


def peer(engine, network, precision, threads, seconds, shared, env):
    output = subprocess.run([sys.executable, os.path.join(HERE, "worker.py"), engine, network, precision, str(threads),
                             str(seconds), shared], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            check=True).stdout
    return json.loads(output.decode().strip().splitlines()[-1])


def whole(command, env):
    """Wall seconds and peak MB of one process."""
    before = time.perf_counter()
    child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"{command[0]} failed")
    return (time.perf_counter() - before) * 1e3, usage.ru_maxrss / 1024


def whole_processes(rounds, shared, env):
    print("\n| whole process, 1200×800 JPEG, one click, to a PNG mask | ms | peak MB |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        photo = os.path.join(folder, "photo.jpg")
        with Image.open(os.path.join(ROOT, "Tests/SamTestSupport/Photos/coffee.png")) as coffee:
            coffee.convert("RGB").resize((1200, 800)).save(photo, quality=90)
        checkpoint = os.path.join(shared, "reference", "mobile_sam_synthetic.pt")
        runs = [("SamSwift Lite, f32", [COMMAND, "segment", photo, "--point", "50%,45%", "--precision", "f32"]),
                ("SamSwift Lite, automatic", [COMMAND, "segment", photo, "--point", "50%,45%"]),
                ("SamSwift MobileSAM, f32", [COMMAND, "segment", photo, "--point", "50%,45%", "--weights", checkpoint, "--precision", "f32"]),
                ("SamSwift MobileSAM, automatic", [COMMAND, "segment", photo, "--point", "50%,45%", "--weights", checkpoint])]
        for title, command in runs:
            results = [whole(command + ["--output", os.path.join(folder, "mask.png")], env) for _ in range(2 * rounds)]
            print(f"| {title} | {statistics.median(r[0] for r in results):.0f} | {max(r[1] for r in results):.0f} |")
        for engine, precision in (("onnxruntime", "f32"), ("openvino", "f32"), ("openvino", "bf16")):
            memory = [peer(engine, "mobile-sam-encode", precision, 2, 0.1, shared, env)["peak_mb"]]
            print(f"| {engine} {precision}, encoder only | | {max(memory):.0f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--shared", default=os.path.join(ROOT, "..", "shared"))
    parser.add_argument("--rows", default="", help="only rows whose title contains this, and no whole processes")
    parser.add_argument("--json")
    options = parser.parse_args()
    shared = os.path.abspath(options.shared)
    env = environment(shared)

    rows = [row for row in ROWS if options.rows in row[0]]
    times, versions, facts = {}, {}, None
    for round in range(options.rounds):
        for title, name, peers, threads in rows:
            median, facts = ours(name, options.seconds, env)
            times.setdefault((title, threads, "SamSwift"), []).append(median)
            for engine, network, precision in peers:
                result = peer(engine, network, precision, threads, options.seconds, shared, env)
                versions[engine] = result["version"]
                times.setdefault((title, threads, engine), []).append(result["median_ms"])
        print(f"round {round + 1} of {options.rounds} done", file=sys.stderr)

    print(f"{facts['cpu']}, {facts['cores']} cores; SamSwift {facts['commit']}, kernels {facts['kernels']}; "
          + ", ".join(f"{k} {v}" for k, v in versions.items()) + f"; {options.rounds} rounds\n")
    print("| | threads | SamSwift ms | peer | its ms | peer ÷ SamSwift (median, lowest – highest round) |")
    print("|---|---|---|---|---|---|")
    for title, _, peers, threads in rows:
        own = times[title, threads, "SamSwift"]
        for engine, _, _ in peers:
            other = times[title, threads, engine]
            ratios = [b / a for a, b in zip(own, other)]
            print(f"| {title} | {threads} | {statistics.median(own):.1f} | {engine} | {statistics.median(other):.1f} | "
                  f"{statistics.median(ratios):.2f} ({min(ratios):.2f} – {max(ratios):.2f}) |")

    if not options.rows:
        whole_processes(options.rounds, shared, env)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"facts": facts, "versions": versions,
                       "times": {" / ".join(map(str, k)): v for k, v in times.items()}}, file, indent=1)


main()
