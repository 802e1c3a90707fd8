#!/usr/bin/env python3
"""docs/evidence/program-counts.md, of what compare_gpu.py measured.

    tools/programs/counts_page.py NAME=DIR/compared.json ... > docs/evidence/program-counts.md
    tools/programs/counts_page.py --add docs/evidence/program-counts.md --list held_out.toml [--words WORDS] NAME=DIR/compared.json

With --add the section NAME of that page is written anew, or added at its end, and the others stay. With --list a row says too whether the program
printed the same, and what its `differs` says.
"""
import argparse
import collections
import json
import re
import sys
import tomllib

HEAD = """# Counts of whole programs

Programs compiled twice, by nvcc and by `warplens nvcc`, and run on an H100 under ncu and by `warplens exec`: sectors and requests of global and
local memory, and wavefronts of shared memory, of each launch (the first 40). By `tools/programs/compare_gpu.py` and `counts_page.py`. The second table is
of "Professional CUDA C Programming" (chapters 1 to 7 and 10, examples and solutions), whose sources are not part of Warplens.

What differs where a count does:

* printf, assert and malloc of a kernel: the code of the device's library makes accesses of its own, which are not counted here.
* a kernel that waits for another block or for a lock asks as often as it happens to (grid.sync(), look-back of a scan).
* wavefronts of shared memory, by up to 9 % and otherwise in each run on the hardware, where many warps of an SM access it at once.
* a loop that ptxas unrolls by itself, so that lanes leave it at other places than in the PTX (`dot`).
"""



def row_of(row):
    kinds = collections.OrderedDict()
    for difference in row.get("differences", []):
        match = re.match(r"launch \d+, (.*): (\S+) (\d+), measured (\S+)$", difference)
        if match:
            kernel, count, ours, theirs = match.groups()
            kinds.setdefault((kernel, count), f"{kernel}: {count} {int(ours):,}, measured {theirs}")
    words = "; ".join(list(kinds.values())[:3]) + ("; ..." if len(kinds) > 3 else "")
    return f"| {row['program']} | {row['equal']} of {row['compared']} | {words} |\n"


def printed_as_on_gpu(row):
    """What a program printed, without times and other numbers, and without the order in which blocks print."""
    if row["same_output"]:
        return "the same"
    lines = {key: row[key].split("\n") for key in ("out", "measured_out")}
    if sorted(lines["out"]) == sorted(lines["measured_out"]):
        return "in another order"
    shape = lambda text: sorted(re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "#", re.sub(r"NVIDIA H\w+( 80GB HBM3)?", "", line)).replace(" ", "") for line in text)
    return "other numbers" if shape(lines["out"]) == shape(lines["measured_out"]) else "differs"


def without_faults(row):
    """ncu says nan for a launch that ends with a fault."""
    faulty = [difference for difference in row["differences"] if difference.endswith("measured nan")]
    return {**row, "compared": row["compared"] - len(faulty), "launches": row.get("launches", 0) - len(launches_in(faulty)),
            "differences": [one for one in row["differences"] if one not in faulty]}


def launches_in(differences):
    return {difference.split(",")[0] for difference in differences}


def listed_section(name, rows, notes, words):
    measured = [without_faults(row) for row in rows if "same_output" in row]
    counted = [row for row in measured if row["compared"]]
    whole = sum(row["equal"] == row["compared"] for row in counted)
    equal, compared = sum(row["equal"] for row in counted), sum(row["compared"] for row in counted)
    launches, equal_launches = sum(row["launches"] for row in counted), sum(row["whole_launches"] for row in counted)
    others = sum(len(launches_in(one for one in row["differences"] if ": shared_" not in one)) for row in counted)
    printed = collections.Counter(printed_as_on_gpu(row) for row in measured)
    text = (f"\n## {name}\n\n{words}{len(measured)} of {len(rows)} programs were measured. {len(counted)} have launches that ncu counts: {whole} of them are equal in all, "
            f"{equal_launches} of {launches} launches, and {equal:,} of {compared:,} counts. Without shared memory's wavefronts {launches - others} launches are equal. "
            "They printed: "
            + ", ".join(f"{kind} {count}" for kind, count in printed.most_common()) + f". {sum(row['same_exit'] for row in measured)} ended with the same exit code.\n\n")
    text += "| program | equal | printed | what differs | why |\n|---|--:|---|---|---|\n"
    for row in measured:
        program, equal, differs = row_of(row).strip("|\n ").split(" | ") if row["differences"] and row["compared"] else (row["program"], "", "")
        equal = f"{row['equal']} of {row['compared']}" if row["compared"] else ""
        text += f"| {program} | {equal} | {printed_as_on_gpu(row)} | {differs} | {notes.get(row['program'], '')} |\n"
    return text


def section(name, rows):
    rows = [row for row in rows if row.get("compared") and "measured nan" not in " ".join(row["differences"])]
    equal, compared = sum(row["equal"] for row in rows), sum(row["compared"] for row in rows)
    whole = sum(row["equal"] == row["compared"] for row in rows)
    text = f"\n## {name}\n\n{len(rows)} programs, {whole} of them equal in all; {equal:,} of {compared:,} counts are equal.\n\n"
    return text + "| program | equal | what differs |\n|---|--:|---|\n" + "".join(row_of(row) for row in rows)


def without_section(page, name):
    parts = re.split(r"(?m)^(?=## )", page)
    return "".join(part for part in parts if not part.startswith(f"## {name}\n")).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--add")
    parser.add_argument("--list")
    parser.add_argument("--words", default="", help="sentences for the section of a list: where and when they ran")
    parser.add_argument("sections", nargs="+")
    own = parser.parse_args()
    notes = {}
    if own.list:
        with open(own.list, "rb") as file:
            notes = {row["repository"] + "/" + row["path"]: row.get("differs", "") for row in tomllib.load(file)["file"]}
    text = HEAD
    if own.add:
        with open(own.add) as file:
            text = file.read()
    for argument in own.sections:
        name, path = argument.split("=", 1)
        with open(path) as file:
            rows = json.load(file)
        if own.add:
            text = without_section(text, name)
        text += listed_section(name, rows, notes, own.words and own.words + " ") if own.list else section(name, rows)
    if not own.add:
        sys.stdout.write(text)
        return
    with open(own.add, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
