#!/usr/bin/env python3
"""docs/evidence/time.md from the lines that time_check prints: summary.py LINES_OF_H100 LINES_OF_H200 LINES_WITH_PTX LINES_OF_TENSOR > docs/evidence/time.md
LINES_WITH_PTX are those of the H100's rows by time_check --ptx, LINES_OF_TENSOR those of h200_tensor_times.csv.

Parameters were fitted on the rows with even numbers; those with odd numbers are held out.
"""
import collections
import sys


def rows(path):
    for line in open(path):
        cells = line.rstrip("\n").split("|")
        yield {"number": int(cells[0]), "kernel": cells[1], "params": cells[2], "size": cells[3],
               "measured": float(cells[4]), "predicted": float(cells[5]), "limiter": cells[7]}


def error(row):
    return abs(row["predicted"] / row["measured"] - 1)


def pairs(chosen):
    """Of two parameter sets of one kernel and size whose times differ by over 10 %: how many in the right order."""
    groups = collections.defaultdict(list)
    for row in chosen:
        groups[row["kernel"], row["size"]].append(row)
    right = all_ = 0
    for group in groups.values():
        for i, a in enumerate(group):
            for b in group[:i]:
                if max(a["measured"], b["measured"]) <= 1.1 * min(a["measured"], b["measured"]):
                    continue
                all_ += 1
                right += (a["measured"] < b["measured"]) == (a["predicted"] < b["predicted"])
    return right, all_


def line(name, chosen):
    errors = sorted(map(error, chosen))
    n = len(errors)
    right, all_ = pairs(chosen)
    return (f"| {name} | {n} | {errors[n // 2]:.1%} | {sum(errors) / n:.1%} | {errors[int(0.9 * n)]:.1%} | "
            f"{right} of {all_} |")


def row_of(r):
    return (f"| {r['kernel']} | {r['params']} | {r['size']} | {r['measured']:.1f} us | {r['predicted']:.1f} us | "
            f"{r['predicted'] / r['measured']:.2f} | {r['limiter']} |")


def print_tensor(data):
    print("\n## Tensor cores\n")
    print("Rows of `engine/time/testdata/h200_tensor_times.csv`, the 18 steps of `kernels/tensor`: one H200 SXM, "
          "2026-11-28, the mean of two medians of nine batches of launches, each step at its defaults and at random parameters and sizes, "
          "random normal data, 1,485 to 1,980 MHz. What products, fragments, copies, barriers and power take are measurements of "
          "`tools/chip_probe`. One number was fitted, what a sector costs that TMA brings to several SMs, on every third row of steps 9 to 18; "
          "the others are held out.\n")
    print("| rows | number | median error | mean | 90 % below | pairs in order |\n|---|---:|---:|---:|---:|---:|")
    for kernel in sorted({r["kernel"] for r in data}):
        print(line(kernel, [r for r in data if r["kernel"] == kernel]))
    asynchronous = [r for r in data if r["kernel"] >= "tensor/09"]
    print(line("steps 1 to 8, held out", [r for r in data if r["kernel"] < "tensor/09"]))
    print(line("steps 9 to 18, fitted", [r for r in asynchronous if r["number"] % 3 == 0]))
    print(line("steps 9 to 18, held out", [r for r in asynchronous if r["number"] % 3 != 0]))
    print(line("all", data))
    print("\n| kernel | parameters | size | measured | predicted | over | busiest unit |\n|---|---|---|---:|---:|---:|---|")
    for r in sorted(data, key=error, reverse=True)[:12]:
        print(row_of(r))


def main():
    data = list(rows(sys.argv[1]))
    print("# The model of time beside measurements\n")
    print("Made by `tools/time_check/summary.py` of what `time_check` prints; do not edit.\n")
    print("Rows of `engine/time/testdata/h100_times.csv`: one H100 SXM, 2026-11-22, the median of many launches, each verified. "
          "The model's parameters were fitted on the rows with even numbers; those with odd numbers are held out "
          "(when a term of the model was added, all rows were looked at). "
          "Pairs: two parameter sets of one kernel at one size whose times differ by more than 10 %, and how many of them "
          "the model puts in the right order.\n")
    print("| rows | number | median error | mean | 90 % below | pairs in order |\n|---|---:|---:|---:|---:|---:|")
    print(line("fitted", [r for r in data if r["number"] % 2 == 0]))
    print(line("held out", [r for r in data if r["number"] % 2 == 1]))
    print(line("all", data))
    other = list(rows(sys.argv[2]))
    print("\n## An H200, by its row of devices.toml alone\n")
    print("Rows of `engine/time/testdata/h200_times.csv`: one H200 SXM, 2026-11-23, the median of nine launches through CuPy's NVRTC. "
          "No parameter was fitted on them (they were looked at when the queue of memory was added, whose rate is the H100's rows'); the time between two events has some 2 us in it that the H100's rows do not have.\n")
    print("| rows | number | median error | mean | 90 % below | pairs in order |\n|---|---:|---:|---:|---:|---:|")
    print(line("held out", other))
    print("\n| kernel | parameters | size | measured | predicted | over | busiest unit |\n|---|---|---|---:|---:|---:|---|")
    for r in other:
        print(row_of(r))
    print("\n## From PTX\n")
    print("Where there is no machine code, or its loops are not found again (of no kernel of this repository), the PTX is scheduled instead, "
          "and the prediction's `basis` says so. The rows of the H100 by their PTX alone; nothing was fitted on it. "
          "Worst are loops that ptxas unrolls by itself.\n")
    print("| rows | number | median error | mean | 90 % below | pairs in order |\n|---|---:|---:|---:|---:|---:|")
    print(line("all", list(rows(sys.argv[3]))))
    print_tensor(list(rows(sys.argv[4])))
    print("\n## Instructions of warps\n")
    print("`sm__inst_executed.sum` by ncu on an H200, of kernels compiled by nvcc 13.0, whose address arithmetic is not quite NVRTC's: "
          "matmul/06_vectorized BM=32 BN=128 BK=16 TM=16 TN=4 at 4096, 2,766,454,784 (the model's 2,768,560,000: 0.08 % more); "
          "matmul/08_double_buffer BM=64 BN=64 BK=8 TM=16 TN=4 PAD=4 at 2048, 347,011,072 (350,668,000: 1.05 % more).")
    print("\nOf the 272 launches of `engine/analysis/testdata/h100_ladder_counters.csv` (an H100, NVRTC's code) four fifths are equal to 0.1 %, "
          "nine tenths to 1 %, and none is off by more than 15 % (`engine/time/testing/machine_counts_test.cpp` holds them to it).")
    print("\n## By kernel\n\n| kernel | rows | median error | mean | 90 % below | pairs in order |\n|---|---:|---:|---:|---:|---:|")
    for kernel in sorted({r["kernel"] for r in data}):
        print(line(kernel, [r for r in data if r["kernel"] == kernel]))
    print("\n## The worst rows of the H100\n\n| kernel | parameters | size | measured | predicted | over | busiest unit |")
    print("|---|---|---|---:|---:|---:|---|")
    for r in sorted(data, key=error, reverse=True)[:25]:
        print(row_of(r))


if __name__ == "__main__":
    main()
