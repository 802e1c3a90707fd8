#!/usr/bin/env python3
"""Draws docs/tune.md: how far down the model's ranking of all parameter sets those stand that were measured to be
the quickest. Usage: tools/time_check/tune_table.py FOLDER [PROGRAM [SETS]] > docs/tune.md
FOLDER keeps the rankings; what it has is not asked again (an hour on two cores where nothing was compiled). Of the
H100, kernels with more than so many SETS are left out.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIRST, WITHIN = 12, 1.15  # as app/gpu/tuning.hpp has them


def h100():
    """What `bench --autotune` recorded: the best of all sets."""
    for row in json.load(open(os.path.join(ROOT, "assets/recorded/h100.json")))["results"]:
        if row["tuned"]:
            yield row["kernel"], ",".join(map(str, row["size"].values())), row["params"], row["tried"]


def h200():
    """The first row of each kernel is the best of all sets."""
    seen = set()
    for line in open(os.path.join(ROOT, "engine/time/testdata/h200_tuned.csv")).read().splitlines()[1:]:
        kernel, size, params, _ = line.split(",")
        if (kernel, size) not in seen:
            yield kernel, size, {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", params)}
        seen.add((kernel, size))


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


def table(folder, program, device, rows):
    print("| kernel | size | sets | rank of the measured best | sets that `tune` measures | the best among them |")
    print("|---|---|---:|---:|---:|---|")
    inside = total = 0
    for kernel, size, params in rows:
        ranked = [row for row in ranking(folder, program, device, kernel, size) if row["seconds"]]
        places = [i + 1 for i, row in enumerate(ranked) if row["params"] == params]
        near = sum(row["seconds"] <= WITHIN * ranked[0]["seconds"] for row in ranked)
        measured = min(len(ranked), max(FIRST, near))
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
          "12 sets of the model's ranking and all whose predicted time is within 15 % of the best one's. It then picks the "
          "best of all sets wherever that is among them.\n")
    print("## H200\n\nAll sets timed on an H200, 2026-11-23 (the best of them: `engine/time/testdata/h200_tuned.csv`).\n")
    table(folder, program, "h200", h200())
    print("## H100\n\nThe best of all sets as `bench --autotune` recorded them (`assets/recorded/h100.json`)"
          + (f"; of kernels with at most {most} sets" if len(sys.argv) > 3 else "") + ".\n")
    table(folder, program, "h100", [row[:3] for row in h100() if row[3] <= most])


if __name__ == "__main__":
    main()
