#!/usr/bin/env python3
"""Draws docs/evidence/lecture-figures.md: the figures of the lectures' tables beside what the model of time predicts of
the same kernels on the same chips. Usage: tools/make_lecture_figures.py [PROGRAM]
Kernels of kernels/ work at any size; those of the lecture on tiles take sizes that these divide, and have a cheaper
diagonal order for it. Where that matters, tools/lecture_kernels has the lecture's own lines."""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build/release/bin/warplens")

# A figure: name, kernel, parameters, size, what the lecture has, in the table's unit, and why ours is another
# where it is.
FILIPOVIC = "J. Filipovič, GPU Hardware Performance II"
NCSA = "V. Kindratenko, Introduction to GPU Programming (NCSA)"
NVIDIA = "NVIDIA's tutorial of 2008"
LINES = "tools/lecture_kernels/"


def gflops(work):
    return lambda seconds: work / seconds / 1e9


def matmul(n):
    return gflops(2.0 * n**3)


def moved(n):  # read once, written once
    return lambda seconds: 8.0 * n / seconds / 1e9


def ncsa(kernel, values, *figures):
    return [(f"{kernel[3:].upper()} {values}".strip() + f", width {width}", f"ncsa/{kernel}",
             f"WIDTH={width} {values}", "4096", figure) for width, figure in zip((32, 64, 128, 256), figures) if figure]


TABLES = [
    ("N1 to N5", NCSA + ", Tesla T10, 4096, kernel alone", "teslat10", "GFLOPS", matmul(4096),
     ncsa("01_k1", "", 24.2, 27.0, 25.3, 25.9) + ncsa("02_k2", "", 29.8, 43.1, 43.2, 44.0) +
     ncsa("03_k3", "XI=2", None, 43.1, 43.6, 43.6) + ncsa("03_k3", "XI=4", None, 42.1, 43.6, 43.6) +
     ncsa("04_k4", "XJ=2", 57.3, 84.8, 86.3) + ncsa("04_k4", "XJ=4", 107.4, 163.8, 169.1) +
     ncsa("05_k3k4", "XI=2 XJ=4", None, None, 173.3) + ncsa("05_k3k4", "XI=4 XJ=4", None, None, 167.0)),
    ("F1 to F3", FILIPOVIC + ", GTX 280, 4000 x 4000", "gtx280", "GB/s", moved(4000 * 4000), [
        ("both sides strided", "copies/01_strided", "WIDTH=4000", "16000000", 2.7),
        ("naive", LINES + "naive_transpose.cu", "", "4000", 5.3),
        ("tiled", LINES + "tiled_transpose.cu", "PAD=0", "4000", 75.1),
        ("tiled and padded", LINES + "tiled_transpose.cu", "", "4000", 93.4),
        ("copy within tiles", "copies/03_within_tiles", "WIDTH=4000", "16000000", 94.9),
        ("copy", "copies/02_coalesced", "WIDTH=4000", "16000000", 112.4)]),
    ("F4, padded tiles", FILIPOVIC + ", GTX 280", "gtx280", "GB/s", None, [
        ("a multiple of 512", LINES + "tiled_transpose.cu", "", "4096", 19),
        ("of 256", LINES + "tiled_transpose.cu", "", "3840", 35),
        ("of 128", LINES + "tiled_transpose.cu", "", "3968", 62),
        ("diagonal order, of 512", LINES + "tiled_transpose.cu", "DIAGONAL=1", "4096", 80),
        ("of no such", LINES + "tiled_transpose.cu", "", "4000", 93.4)]),
    ("F5 to F9", FILIPOVIC + ", GTX 280; the lecture does not say the size, here 2112, no multiple of 128", "gtx280", "GFLOPS", matmul(2112), [
        ("naive, blocks 1 x 128", "filipovic/01_naive_1x128", "", "2112", 3.9),
        ("naive, blocks 128 x 1", "filipovic/02_naive_128x1", "", "2112", 36.6),
        ("tiled", LINES + "tiled_product.cu", "", "2112", 198),
        ("32 x 16 threads on 32 x 32", LINES + "two_results.cu", "TURNED=0", "2112", 235),
        ("B turned and padded", LINES + "two_results.cu", "TURNED=1", "2112", 276),
        ("rank 1", LINES + "rank_1.cu", "", "2112", 375)]),
    ("V2, V3", NVIDIA + ", G80, 12 MB read and written", "g80", "us", lambda seconds: seconds * 1e6, [
        ("coalesced", "memory/01_coalesced", "", "3145728", 356),
        ("float3 through shared memory", "memory/07_float3_staged", "", "3145728", 359),
        ("permuted", "memory/04_permuted", "", "3145728", 3494),
        ("misaligned", "memory/02_offset", "", "3145728", 3494),
        ("float3", "memory/05_float3", "", "3145728", 3302)]),
    ("V6", NVIDIA + ", G80, transposed", "g80", "us", lambda seconds: seconds * 1e6, [
        (f"{what}, {m} x {n}", kernel, values, f"{m},{n}", figure)
        for m, n, figures in ((128, 128, (11, 14, 22)), (512, 512, (70, 101, 330)), (1024, 1024, (300, 412, 1920)),
                              (1024, 2048, (790, 869, 6600)))
        for (what, kernel, values), figure in zip(
            (("padded", "transpose/02_tiled", "TILE=16 ROWS=16 PAD=1"),
             ("tiled", "transpose/02_tiled", "TILE=16 ROWS=16 PAD=0"),
             ("naive", "transpose/01_naive", "BLOCK_X=16 BLOCK_Y=16")), figures)]),
    ("V7", "M. Harris, Optimizing Parallel Reduction in CUDA, G80, 4 M integers; of several launches the first", "g80",
     "GB/s", lambda seconds: 4 * 4194304 / seconds / 1e9, [
         ("1 interleaved", "harris/01_interleaved", "", "4194304", 2.083),
         ("2 strided index", "harris/02_strided_index", "", "4194304", 4.854),
         ("3 sequential", "harris/03_sequential", "", "4194304", 9.741),
         ("4 first add", "harris/04_first_add", "", "4194304", 17.377),
         ("5 last warp", "harris/05_last_warp", "", "4194304", 31.289),
         ("6 unrolled", "harris/06_unrolled", "", "4194304", 43.996),
         ("7 many additions", "harris/07_many_additions", "", "4194304", 62.671)]),
]


# Why a figure is more than 30 % away, or a pair of them is turned round, by table and variant or pair.
GROWS = "the lecture's own times grow 1.9 to 3.4 times from 1024 x 1024 with twice the elements, the model's twice"
WHY = {
    ("F4, padded tiles", "a multiple of 512"):
        "an eighth of the bandwidth for all writes is 25 GB/s; on the chip reads of that partition wait behind them",
    ("F4, padded tiles", "of 256"): "as above, with a quarter",
    ("F5 to F9", "naive, blocks 1 x 128"):
        "each row of A is another page of memory; the model opens it anew for each k, the chip finds some of them open",
    ("N1 to N5", "K4 XJ=4, width 32"):
        "four short strips of c, 16 KB apart, camp on one partition; the chip's blocks drift apart more than the model's",
    ("V6", "naive, 128 x 128"): "a grid of little more than a wave: starting it takes as long as it runs",
    ("V6", "padded, 1024 x 2048"): GROWS,
    ("V6", "tiled, 1024 x 2048"): GROWS,
    ("V6", "naive, 1024 x 2048"): GROWS,
    ("V7", "2 strided index"):
        "its bank conflicts grow from turn to turn; the model has the mean of them, and fewer instructions",
}


def predict(kernel, values, size, device):
    command = [PROGRAM, "time", kernel, "--size", size, "--device", device, "--json"]
    for value in values.split():
        command += ["-D", value]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if answer.returncode != 0:
        sys.exit(f"{' '.join(command)}: {answer.stderr.strip()}")
    json_answer = json.loads(answer.stdout)
    return json_answer["seconds"], json_answer["limiter"]


def square(size):
    numbers = [int(number) for number in size.split(",")]
    return numbers[0] * numbers[-1]


def order(figures, are_times):
    """Of pairs of figures more than 5 % apart: those whose order ours turns round, and how many there are. Times only
    of the same size: of another one they say nothing of the variants."""
    wrong, total = [], 0
    for i, (one, size, a, x) in enumerate(figures):
        for other, other_size, b, y in figures[i + 1:]:
            if max(a, b) > 1.05 * min(a, b) and (size == other_size or not are_times):
                total += 1
                if (a < b) != (x < y):
                    wrong.append(f"{one} and {other}")
    return wrong, total


def main():
    lines = ["# The lectures' figures, by the model", "",
             "Made by `tools/make_lecture_figures.py`; do not edit. Each figure of the lectures' tables beside the same",
             "kernel's predicted time on the same chip. The parameters of the chips are rows `time` of",
             "`assets/devices.toml`, the same for all kernels. Two of them were fitted on three figures of these tables: the",
             "share of the bandwidth that memory gives (F1's copy, V2's first) and the time to open a page of memory",
             "(F1's copy with both sides strided). That bank conflicts hold the issue of 1.x, and what its integer",
             "divisions cost, was settled when all tables had been seen. Of tiles on a GTX 280 (F1 to F4, F6 to F9) the",
             "kernels are the lecture's own lines (`tools/lecture_kernels`): those of this program work at any size, for",
             "which each load checks its bounds and the diagonal order divides. The lecture does not name the blocks of",
             "F1's naive transposition; here they are 16 x 16. Order: pairs of a table whose figures are more than 5 %",
             "apart; in tables of times, of those at one size."]
    ratios = []
    for name, source, device, unit, figure_of, rows in TABLES:
        lines += ["", f"## {name}", "", source + ".", "", f"| variant | lecture, {unit} | model | over | busiest unit |",
                  "|---|---:|---:|---:|---|"]
        figures, far = [], []
        for variant, kernel, values, size, figure in rows:
            seconds, limiter = predict(kernel, values, size, device)
            ours = (figure_of or moved(square(size)))(seconds)
            figures.append((variant, size, figure, ours))
            ratios.append(ours / figure)
            lines.append(f"| {variant} | {figure:g} | {ours:.3g} | {ours / figure:.2f} | {limiter} |")
            if not 1 / 1.3 <= ours / figure <= 1.3:
                far.append(variant)
            print(f"{name:10} {variant:32} {figure:8g} {ours:8.3g} {ours / figure:5.2f} {limiter}", flush=True)
        wrong, total = order(figures, unit == "us")
        turned = f"; not {'; '.join(wrong)}" if wrong else ""
        lines += ["", f"In order: {total - len(wrong)} of {total}{turned}."]
        lines += [""] * bool(far + wrong) + [f"* {what}: {WHY.get((name, what), 'not explained')}." for what in far + wrong]
        print(name, "in order", total - len(wrong), total)
    near = sum(1 / 1.3 <= ratio <= 1.3 for ratio in ratios)
    lines += ["", f"Within 30 %: {near} of {len(ratios)}."]
    with open(os.path.join(ROOT, "docs/evidence/lecture-figures.md"), "w") as page:
        page.write("\n".join(lines) + "\n")


main()
