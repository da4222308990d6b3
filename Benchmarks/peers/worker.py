"""Times one peer on one network: worker.py ENGINE NETWORK PRECISION THREADS SECONDS REFERENCE

ENGINE is onnxruntime or openvino; NETWORK is mobile-sam-encode, mobile-sam-decode or lite-encode; REFERENCE is the
folder with the ONNX files. Prints one JSON line. Inputs are random: timing does not depend on them."""

import json
import os
import resource
import sys
import time

import numpy as np


def inputs(network):
    random = np.random.default_rng(0)
    normal = lambda *shape: random.standard_normal(shape).astype(np.float32)
    if network == "mobile-sam-encode":
        return {"image": normal(1, 3, 1024, 1024)}
    if network == "lite-encode":
        return {None: normal(1, 3, 512, 512)}
    return {
        "image_embeddings": normal(1, 256, 64, 64),
        "point_coords": np.array([[[500, 375], [0, 0]]], np.float32),
        "point_labels": np.array([[1, -1]], np.float32),
        "mask_input": np.zeros((1, 1, 256, 256), np.float32),
        "has_mask_input": np.zeros(1, np.float32),
        # The smallest picture: what the graph does after its low-resolution masks should cost nothing.
        "orig_im_size": np.array([256, 256], np.float32),
    }


def onnxruntime_runner(path, threads, feed):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feed = {name or session.get_inputs()[0].name: value for name, value in feed.items()}
    wanted = ["low_res_masks"] if "orig_im_size" in feed else None
    return onnxruntime.__version__, lambda: session.run(wanted, feed)


def openvino_runner(path, threads, precision, feed):
    import openvino

    core = openvino.Core()
    hint = {"f32": "f32", "bf16": "bf16"}[precision]
    settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": hint}
    compiled = core.compile_model(path, "CPU", settings)
    request = compiled.create_infer_request()
    feed = {0 if name is None else name: value for name, value in feed.items()}
    return openvino.__version__, lambda: request.infer(feed)


def main(engine, network, precision, threads, seconds, reference):
    files = {
        "mobile-sam-encode": "reference/mobile_sam_synthetic.encoder.onnx",
        "mobile-sam-decode": "reference/mobile_sam_synthetic.decoder.onnx",
        "lite-encode": "lite/samswift_lite.encoder.512x512.onnx",
    }
    path = os.path.join(reference, files[network])
    feed = inputs(network)
    begin = time.perf_counter()
    if engine == "onnxruntime":
        version, run = onnxruntime_runner(path, int(threads), feed)
    else:
        version, run = openvino_runner(path, int(threads), precision, feed)
    load = time.perf_counter() - begin
    run(), run()
    times = []
    begin = time.perf_counter()
    while len(times) < 5 or time.perf_counter() - begin < float(seconds):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"version": version, "median_ms": sorted(times)[len(times) // 2], "load_ms": load * 1e3, "peak_mb": peak}))


main(*sys.argv[1:])
