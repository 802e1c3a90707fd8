#!/usr/bin/env python3
"""Writes engine/analysis/testdata/h200_tensor_counters.csv: what a GPU counts of the ladders of tensor cores and of the fastest
products in fp32, at three sets of values and sizes each.

    tools/make_tensor_counters.py PROGRAM     the built warplens, where there are a GPU and CUPTI; run it in the source tree
"""
import csv
import itertools
import json
import random
import subprocess
import sys

OUT = "engine/analysis/testdata/h200_tensor_counters.csv"
LADDERS = ["tensor", "tensor_int8", "tensor_tf32", "matmul_peak"]
SIZES = [(136, 264, 328), (256, 384, 512), (144, 272, 336)]
SIXTEENS = (208, 336, 144)  # of steps that take the first only in multiples of 16
COLUMNS = ["global_load.requests", "global_load.sectors", "global_store.requests", "global_store.sectors", "shared.wavefronts",
           "tensor.group_products", "tensor.half_products", "tensor.copy_requests", "tensor.load_sectors", "tensor.store_sectors",
           "tensor.integer_products", "tensor.operations"]
HEAD = "# one H200 (compute capability 9.0), CUDA 13.0, CUPTI; all verified with the emulator's bits. Empty: not counted\n"


def said(program, *words):
    return subprocess.run([program, "--home", ".", *words], capture_output=True, text=True)


def defines(values):
    return [word for name, value in values.items() for word in ("-D", f"{name}={value}")]


def sets_of(program, kernel):
    """The values of its file, and two others that are legal: the same ones each time."""
    names = [p["name"] for p in kernel["params"]]
    own = tuple(p["default"] for p in kernel["params"])
    others = [s for s in itertools.product(*(p["values"] for p in kernel["params"])) if s != own]
    random.Random(kernel["kernel"]).shuffle(others)
    sets = [dict(zip(names, own))]
    for values in (dict(zip(names, other)) for other in others):
        if len(sets) < len(SIZES) and said(program, "occupancy", kernel["kernel"], *defines(values)).returncode == 0:
            sets.append(values)
    return sets


def row_of(program, kernel, values, size):
    run = lambda at: said(program, "run", kernel["kernel"], *defines(values), "--engine", "both", "--json", "--size", ",".join(map(str, at)))
    ran = run(size)
    if ran.returncode:
        size = SIXTEENS
        ran = run(size)
    if ran.returncode:
        return print(f"{kernel['kernel']} {values}: {ran.stderr.strip()}", file=sys.stderr)
    report = json.loads(ran.stdout)
    if report["bits"]["different"] or not report["gpu"]["verified"]:
        sys.exit(f"{kernel['kernel']} {values}: the results differ")
    counted = {name: row["hardware"] for name, row in report["counters"].items()}
    cells = ["" if counted.get(name) is None else counted[name] for name in COLUMNS]
    return [kernel["kernel"], " ".join(f"{n}={v}" for n, v in values.items()), *size, *cells]


def main(program):
    kernels = [k for k in json.loads(said(program, "list", "--json").stdout) if k["kernel"].split("/")[0] in LADDERS]
    rows = [row_of(program, kernel, values, size) for kernel in kernels for values, size in zip(sets_of(program, kernel), SIZES)]
    with open(OUT, "w", newline="") as file:
        file.write(HEAD)
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["kernel", "params", "M", "N", "K", *COLUMNS])
        table.writerows(row for row in rows if row)


main(sys.argv[1])
