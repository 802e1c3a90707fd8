#!/usr/bin/env python3
"""Writes docs/evidence/recorded-accesses.md: what a GPU recorded of its own accesses beside the emulator's and the counters.

    warplens run matmul --engine both --record --size 128 --json > matmul.json     where there is a GPU
    tools/make_recorded_accesses.py matmul.json ...                           in the source tree
"""
import json
import sys

# Requests to shared memory have no counter of the hardware.
COUNTERS = [f"{space}_{kind}.{unit}" for space, units in (("global", ("requests", "sectors")), ("shared", ("wavefronts",)))
            for kind in ("load", "store") for unit in units]


def cell(counter):
    taken = {name: counter[name] for name in ("emulated", "recorded", "hardware") if counter[name] is not None}
    if len(set(taken.values())) > 1:
        return "**" + ", ".join(f"{name} {value}" for name, value in taken.items()) + "**"
    return str(counter["emulated"]) if len(taken) == 3 else "-"


def accesses(recording):
    if recording["warps_different"] or recording["dropped"]:
        return f"**{recording['warps_different']} of {recording['warps']} warps differ, {recording['dropped']} did not fit**"
    return str(recording["accesses"])


def bits(run):
    if run["bits"]["equal"]:
        return "equal"
    return "another order of sums" if run["bits"]["sums_of_blocks"] else f"**{run['bits']['different']} differ**"


def row(run):
    recording = run["recording"]
    size = " ".join(str(v) for v in run["emulator"]["size"].values())
    blocks = f"{recording['blocks']} of {recording['blocks_in_grid']}"
    return [run["emulator"]["kernel"], size, bits(run), blocks, accesses(recording)] + [cell(run["counters"][c]) for c in COUNTERS]


def main(paths):
    runs = [run for path in paths for run in json.load(open(path))]
    gpu = runs[0]["gpu"]["gpu"]
    compared = sum(run["recording"]["accesses"] for run in runs)
    heads = ["kernel", "size", "bits of the result", "blocks", "accesses"] + COUNTERS
    with open("docs/evidence/recorded-accesses.md", "w") as file:
        file.write("# What the GPU recorded beside what the emulator says\n\n"
                   "Made by `tools/make_recorded_accesses.py`; do not edit.\n\n"
                   f"{gpu['chip']}, driver {gpu['driver']}, parameters at their defaults. The kernel's PTX is rewritten so that every warp writes down "
                   "its accesses as it runs on the GPU (`engine/instrument`); they are compared with the emulator's one by one, address "
                   f"by address, in the order of each warp: {compared} accesses. The counters are those of the emulator, of the GPU's "
                   "records and of the hardware (CUPTI). One number stands where the three agree; where they do not, all stand in bold; where the grid "
                   "is too large to be recorded whole, none does. Sums to which blocks add "
                   "come in any order on a GPU and may round differently. In large grids the hardware's wavefronts of shared memory "
                   "vary from launch to launch: [hardware-counts.md](hardware-counts.md).\n\n")
        file.write("| " + " | ".join(heads) + " |\n" + "|---" * 3 + "|---:" * (len(heads) - 3) + "|\n")
        for run in runs:
            file.write("| " + " | ".join(row(run)) + " |\n")


main(sys.argv[1:])
