#!/usr/bin/env python3
"""Writes docs/evidence/hardware-counts.md and assets/recorded/h100-counters.json: the H100's counters beside the emulator's.

    tools/make_hardware_counts.py PROGRAM     the built warplens; run it in the source tree
"""
import csv
import json
import subprocess
import sys

CSV = "engine/analysis/testdata/h100_ladder_counters.csv"
BUSY = "engine/analysis/testdata/h100_busy_wavefronts.csv"  # the same launch several times
TENSOR = "engine/analysis/testdata/h200_tensor_counters.csv"  # by make_tensor_counters.py
SIZES = {"matmul": "MNK", "ncsa": "MNK", "transpose": "MN", "reduction": "N", "minplus": "N", "memory": "N"}
# Where run --json has the emulator's -> hardware counter. Requests to shared memory have none.
COUNTERS = {
    "global_load.requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load.sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store.requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store.sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load.wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store.wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}


def read_rows(path):
    with open(path) as file:
        head = file.readline().lstrip("# ").strip()
        return head, list(csv.DictReader(line for line in file if not line.startswith("#")))


def emulate(program, row):
    names = SIZES.get(row["kernel"].split("/")[0], "MNK")
    words = [program, "--home", ".", "run", row["kernel"], "--json", "--size", ",".join(row[n] for n in names)]
    for define in row["params"].split():
        words += ["-D", define]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def busy_section(program):
    """Wavefronts of launches that were counted several times: they vary where the grid is large."""
    head, rows = read_rows(BUSY)
    launches = {}
    for row in rows:
        launches.setdefault(tuple(row[n] for n in ("kernel", "params", "M", "N", "K")), []).append(row)
    names = ["shared_load.wavefronts", "shared_store.wavefronts"]
    lines = ["\n## Where the hardware's wavefronts vary\n\n" + head.split(":")[0] + ". Requests and sectors are as emulated in every launch. "
             "The wavefronts of shared memory are not where many blocks compete for a multiprocessor: these counters are of the L1 cache's "
             "data stage, where an access is tried again while other traffic is in its way, another number each launch. What the "
             "instructions themselves need is counted by `smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared`, and that is as emulated: it is "
             "`shared.wavefronts` of `warplens run --engine both`.\n\n"
             "| kernel | size | " + " | ".join(f"{n}, emulated | counted" for n in names) + " |\n|---|---|" + "---:|---|" * len(names)]
    for group in launches.values():
        report = emulate(program, group[0])
        cells = []
        for name in names:
            space, field = name.split(".")
            counted = sorted({int(row[COUNTERS[name]]) for row in group})
            cells += [str(report["counts"][space][field]), ", ".join(map(str, counted))]
        size = " ".join(str(v) for v in report["size"].values())
        lines.append(f"| {group[0]['kernel']} | {size} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def tensor_counter(counts, name):
    group, field = name.split(".")
    if name == "shared.wavefronts":  # of loads, of stores and of wgmma's operands
        return counts["shared_load"]["wavefronts"] + counts["shared_store"]["wavefronts"] + counts["tensor"]["operand_wavefronts"]
    return counts[group][field]


def tensor_section(program):
    """Of the ladders of tensor cores, and the fastest products in fp32."""
    head, rows = read_rows(TENSOR)
    names = [name for name in rows[0] if "." in name]
    lines, taken, equal = [], 0, 0
    for row in rows:
        counts = emulate(program, row)["counts"]
        cells = []
        for name in names:
            emulated = tensor_counter(counts, name)
            taken += row[name] != ""
            equal += row[name] == str(emulated)
            cells.append(row[name] if row[name] in ("", str(emulated)) else f"**{row[name]}, emulated {emulated}**")
        lines.append(f"| {row['kernel']} | {row['params']} | {row['M']} {row['N']} {row['K']} | " + " | ".join(cells) + " |")
    return (f"\n## Tensor cores and TMA\n\n{head}. {equal} of {taken} counters are equal.\n\n| kernel | parameters | size | " + " | ".join(names) +
            " |\n|---|---|---|" + "---:|" * len(names) + "\n" + "\n".join(lines) + "\n")


def main(program):
    head, rows = read_rows(CSV)
    recorded, lines, different = [], [], 0
    for row in rows:
        report = emulate(program, row)
        cells = []
        entry = {"kernel": row["kernel"], "params": report["params"], "size": report["size"]}
        for name, counter in COUNTERS.items():
            group, field = name.split(".")
            emulated, measured = report["counts"][group][field], int(float(row[counter]))
            entry[name] = measured
            same = emulated == measured
            different += not same
            cells.append(str(measured) if same else f"**{measured}, emulated {emulated}**")
        recorded.append(entry)
        size = " ".join(str(v) for v in report["size"].values())
        lines.append(f"| {row['kernel']} | {row['params']} | {size} | " + " | ".join(cells) + " |")
    total = len(rows) * len(COUNTERS)
    with open("docs/evidence/hardware-counts.md", "w") as file:
        file.write("# Hardware counters beside the emulator's\n\nMade by `tools/make_hardware_counts.py`; do not edit.\n\n")
        file.write(head + "\n\n")
        file.write(f"{total - different} of {total} counters are equal. One number stands where hardware and emulator agree; ")
        file.write("where they do not, both stand in bold.\n\n| kernel | parameters | size | " + " | ".join(COUNTERS) + " |\n")
        file.write("|---|---|---|" + "---:|" * len(COUNTERS) + "\n" + "\n".join(lines) + "\n")
        file.write(busy_section(program))
        file.write(tensor_section(program))
    with open("assets/recorded/h100-counters.json", "w") as file:
        json.dump({"chip": "NVIDIA H100 80GB HBM3", "source": head, "rows": recorded}, file, indent=0)
        file.write("\n")
    print(f"{total - different} of {total} counters equal")


main(sys.argv[1])
