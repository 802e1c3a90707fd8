#!/usr/bin/env python3
"""docs/evidence/program-counts.md, of what compare_gpu.py measured.

    tools/programs/counts_page.py NAME=DIR/compared.json ... > docs/evidence/program-counts.md
"""
import collections
import json
import re
import sys

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


def section(name, rows):
    rows = [row for row in rows if row.get("compared") and "measured nan" not in " ".join(row["differences"])]
    equal, compared = sum(row["equal"] for row in rows), sum(row["compared"] for row in rows)
    whole = sum(row["equal"] == row["compared"] for row in rows)
    text = f"\n## {name}\n\n{len(rows)} programs, {whole} of them equal in all; {equal:,} of {compared:,} counts are equal.\n\n"
    return text + "| program | equal | what differs |\n|---|--:|---|\n" + "".join(row_of(row) for row in rows)


def main():
    text = HEAD
    for argument in sys.argv[1:]:
        name, path = argument.split("=", 1)
        with open(path) as file:
            text += section(name, json.load(file))
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
