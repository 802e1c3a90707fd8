#!/usr/bin/env python3
"""Draws docs/evidence/tune.md: how far down the model's ranking of all parameter sets those stand that were measured to be
the quickest. Usage: tools/time_check/tune_table.py FOLDER [PROGRAM [SETS]] > docs/evidence/tune.md
FOLDER keeps the rankings; what it has is not asked again (an hour on two cores where nothing was compiled). Of the
H100, kernels with more than so many SETS are left out.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIRST, WITHIN = 40, 1.15  # as app/gpu/tuning.hpp has them


def h100():
    """What `bench --autotune` recorded: the best of all sets."""
    for row in json.load(open(os.path.join(ROOT, "assets/recorded/h100.json")))["results"]:
        if row["tuned"]:
            yield row["kernel"], ",".join(map(str, row["size"].values())), row["params"], row["tried"]


def h200():
    """All sets, measured: a list of (parameters, seconds) for each kernel and size."""
    kernels = {}
    for line in open(os.path.join(ROOT, "engine/time/testdata/h200_tuned.csv")).read().splitlines()[1:]:
        kernel, size, params, seconds = line.split(",")
        values = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", params)}
        kernels.setdefault((kernel, size), []).append((values, float(seconds)))
    return kernels


def ranking(folder, program, device, kernel, size):
    path = os.path.join(folder, f"{kernel.replace('/', '_')}@{size}@{device}.json")
    if not os.path.exists(path):
        answer = subprocess.run([program, "--home", ROOT, "tune", kernel, "--size", size, "--device", device,
                                 "--predict", "--json"], capture_output=True, text=True, check=True).stdout
        open(path, "w").write(answer)
    return json.load(open(path))["ranked"]


def short(size):
    parts = size.split(",")
    return parts[0] if len(set(parts)) == 1 else "x".join(parts)


def measured_sets(ranked):
    near = sum(row["seconds"] <= WITHIN * ranked[0]["seconds"] for row in ranked)
    return min(len(ranked), max(FIRST, near))


def h200_table(folder, program):
    """The shares of the best set's speed that the pick and the model's first choice reach."""
    print("| kernel | size | sets | rank of the measured best | sets that `tune` measures | its pick | the model's first choice |")
    print("|---|---|---:|---:|---:|---:|---:|")
    picks, firsts = [], []
    for (kernel, size), sets in h200().items():
        ranked = [row for row in ranking(folder, program, "h200", kernel, size) if row["seconds"]]
        times = [next((seconds for params, seconds in sets if params == row["params"]), None) for row in ranked]
        best = min(seconds for _, seconds in sets)
        count = measured_sets(ranked)
        picks.append(best / min(time for time in times[:count] if time))
        firsts.append(best / times[0] if times[0] else 0)
        print(f"| {kernel} | {short(size)} | {len(sets)} | {times.index(best) + 1 if best in times else '-'} | {count} "
              f"| {picks[-1]:.3f} | {firsts[-1]:.3f} |")
    for what, shares in (("The pick", picks), ("The model's first choice", firsts)):
        print(f"\n{what} reaches 0.95 of the best in {sum(share >= 0.95 for share in shares)} of {len(shares)}.")
    print()


def h100_table(folder, program, rows):
    print("| kernel | size | sets | rank of the measured best | sets that `tune` measures | the best among them |")
    print("|---|---|---:|---:|---:|---|")
    inside = total = 0
    for kernel, size, params in rows:
        ranked = [row for row in ranking(folder, program, "h100", kernel, size) if row["seconds"]]
        places = [i + 1 for i, row in enumerate(ranked) if row["params"] == params]
        measured = measured_sets(ranked)
        found = bool(places) and places[0] <= measured
        inside, total = inside + found, total + 1
        print(f"| {kernel} | {short(size)} | {len(ranked)} | {places[0] if places else '-'} | {measured} | {'yes' if found else 'no'} |")
    print(f"\nAmong them in {inside} of {total}.\n")


def main():
    folder = sys.argv[1]
    program = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "build/release/bin/warplens")
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 10**6
    os.makedirs(folder, exist_ok=True)
    print("# How far down the model's ranking the quickest parameters stand\n")
    print("Made by `tools/time_check/tune_table.py`; do not edit. Where there is a GPU `warplens tune` measures the first "
          f"{FIRST} sets of the model's ranking and all whose predicted time is within 15 % of the best one's. It then picks the "
          "best of all sets wherever that is among them.\n")
    print("## H200\n\nAll sets timed on an H200, 2026-11-24 (`engine/time/testdata/h200_tuned.csv`). Shares are of the speed of "
          "the best of all sets.\n")
    h200_table(folder, program)
    print("## H100\n\nThe best of all sets as `bench --autotune` recorded them (`assets/recorded/h100.json`)"
          + (f"; of kernels with at most {most} sets" if len(sys.argv) > 3 else "") + ".\n")
    h100_table(folder, program, [row[:3] for row in h100() if row[3] <= most])


if __name__ == "__main__":
    main()
