#!/usr/bin/env python3
"""Writes docs/evidence/performance.md and its plots from the recordings in assets/recorded, and the README's table.

    tools/make_performance.py PROGRAM     the built warplens; run it in the source tree
"""
import json
import re
import subprocess
import sys

RECORDED = "assets/recorded/h100.json"
PAGE = "docs/evidence/performance.md"
README = "README.md"
MARK = re.compile(r"(<!-- performance -->\n).*?(<!-- /performance -->)", re.S)
TABLE_SIZE = 4096
PLOTS = [  # figure, ladder; of the others anybody can draw them
    ("ladder", "matmul"),
    ("size-curve", "matmul"),
    ("roofline", "matmul"),
]


# Sets of values with which a step is no longer what its name says: neighbouring lanes then lie along a row.
ANOTHER_STEP = {
    ("matmul/01_naive", "BLOCK_X", 1): "blocks one thread wide: this is the coalesced kernel",
    ("minplus/01_v0", "BLOCK_X", 1): "blocks one thread wide: coalesced, as in V1",
    ("transpose/01_naive", "BLOCK_X", 4): "blocks 4 threads wide: a store of a warp fills whole sectors",
}


def edge(result):
    """Of a cubic product; None for what is none."""
    values = set(result["size"].values())
    return values.pop() if set(result["size"]) == {"M", "N", "K"} and len(values) == 1 else None


def listed(program):
    out = subprocess.run([program, "--home", ".", "list", "--json"], check=True, capture_output=True, text=True).stdout
    return {k["kernel"]: {"title": k["title"], "params": {p["name"]: p["default"] for p in k["params"]}}
            for k in json.loads(out)}


def rate(result):
    timing = result["gpu"]["timing"]
    passes = [timing, *result.get("passes", [])]
    low, high = min(p["p10_seconds"] for p in passes), max(p["p90_seconds"] for p in passes)
    spread = (high - low) / 2 / timing["median_seconds"]
    return f"{result['gflops']:,.0f} ± {spread:.1%}"


def share(result):
    blas = result["gpu"].get("cublas")
    return f"{blas['median_seconds'] / result['gpu']['timing']['median_seconds']:.1%}" if blas else ""


def parameters(result):
    text = " ".join(f"{name}={value}" for name, value in result["params"].items())
    for (kernel, name, value), what in ANOTHER_STEP.items():
        if result["kernel"] == kernel and result["params"].get(name) == value:
            text += f" ({what})"
    return text


def table(kernels, results):
    rows = ["| step | default parameters, GFLOP/s | best parameters, GFLOP/s | of cuBLAS | best parameters |",
            "|---|--:|--:|--:|---|"]
    for name, kernel in kernels.items():
        here = [r for r in results if r["kernel"] == name and edge(r) == TABLE_SIZE]
        default = [r for r in here if r["params"] == kernel["params"]]
        if not default:
            continue
        best = max(here, key=lambda r: r["gflops"])
        rows.append(f"| {name} {kernel['title']} | {rate(default[0])} | {rate(best)} | {share(best)} | {parameters(best)} |")
    return "\n".join(rows)


def sizes_table(kernels, results):
    sizes = sorted({edge(r) for r in results if edge(r)})
    rows = ["| step | " + " | ".join(map(str, sizes)) + " |", "|---|" + "--:|" * len(sizes)]
    for name, kernel in kernels.items():
        here = {edge(r): r for r in results if r["kernel"] == name and r["params"] == kernel["params"]}
        if any(size in here for size in sizes if size):
            cells = [f"{here[s]['gflops']:,.0f}" if s in here else "" for s in sizes]
            rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def other_table(kernels, results):
    rows = ["| step | size | parameters | GB/s | GFLOP/s | ms |", "|---|---|---|--:|--:|--:|"]
    for r in sorted(results, key=lambda r: (list(kernels).index(r["kernel"]), list(r["size"].values()))):
        if set(r["size"]) != {"M", "N", "K"}:
            size = " x ".join(str(v) for v in r["size"].values())
            gpu = r["gpu"]
            flops = f"{r['gflops']:,.0f}" if r["gflops"] else ""
            rows.append(f"| {r['kernel']} | {size} | {parameters(r)} | {gpu['gb_per_second']:,.0f} | {flops} | "
                        f"{gpu['timing']['median_seconds'] * 1e3:.3f} |")
    return "\n".join(rows)


def draw(program):
    names = []
    for figure, ladder in PLOTS:
        path = f"docs/pictures/{ladder}-{figure}.png"
        size = [] if figure == "size-curve" else ["--size", str(TABLE_SIZE)]
        subprocess.run([program, "--home", ".", "export", figure, ladder, *size, "-o", path], check=True)
        subprocess.run(["pngquant", "--force", "--speed", "1", "--output", path, "--", path], check=True)
        names.append((figure, ladder, path))
    return names


def conditions(record, results):
    clocks = {r["gpu"]["conditions"]["clock_mhz"] for r in results}
    return (f"{record['device']['name']}, driver {record['driver']}, CUDA {record['cuda']}, {record['compiler']}, SM clock "
            f"{min(clocks):.0f} to {max(clocks):.0f} MHz, recorded {record['recorded']} by `warplens bench --save`. Kernel and "
            "cuBLAS (pedantic FP32) alternate in one run on random data; every result was verified. ± is half of what lies "
            "between the 10th and the 90th percentile of the samples, over all passes where there were several.")


def main(program):
    with open(RECORDED) as file:
        record = json.load(file)
    results = [r for r in record["results"] if r["verified"]]
    kernels = listed(program)
    about, steps = conditions(record, results), table(kernels, results)
    pictures = draw(program)
    with open(PAGE, "w") as file:
        file.write("# Performance on the H100\n\nMade by `tools/make_performance.py`; do not edit.\n\n" + about)
        file.write(f"\n\n## Matrix products of {TABLE_SIZE} x {TABLE_SIZE} x {TABLE_SIZE}\n\n{steps}\n\n")
        file.write("## By size, default parameters, GFLOP/s\n\n" + sizes_table(kernels, results) + "\n\n")
        file.write("## Other ladders\n\n" + other_table(kernels, results) + "\n\n## Plots\n\n")
        file.write("Those of matmul are below. `warplens export ladder ncsa --size 4096 -o ncsa.png` draws another ladder's, and "
                   "`size-curve` and `roofline` in place of `ladder` the other two.\n")
        for figure, ladder, path in pictures:
            file.write(f"\n![{figure} of {ladder}]({path.replace('docs', '..', 1)})\n")
    with open(README) as file:
        text = file.read()
    if not MARK.search(text):
        sys.exit(f"{README} has no <!-- performance --> marks")
    ladder = pictures[0][2]
    block = f"{steps}\n\n{about}\nMore in [{PAGE}]({PAGE}).\n\n![Speed of the steps of matmul]({ladder})\n"
    with open(README, "w") as file:
        file.write(MARK.sub(lambda m: m[1] + block + m[2], text))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
