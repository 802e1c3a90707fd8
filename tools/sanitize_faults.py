#!/usr/bin/env python3
"""What compute-sanitizer says of the faulty kernels of engine/check/testdata/faults, on a GPU.

    sanitize_faults.py WARPLENS OUT.csv [--jobs 8] [--only SUBSTRING]

Runs each kernel once for each tool, launched as it is (--no-check), and writes a row a kernel:
kernel,fault,memcheck,racecheck,initcheck,synccheck,exit,first. A tool's column is how many errors it
reports, with "w" behind for warnings alone; "first" is the first message, exit the program's own code.
"""
import argparse
import concurrent.futures
import csv
import pathlib
import re
import subprocess

import run_faults

TOOLS = {
    "memcheck": [],
    "racecheck": ["--racecheck-report", "all"],
    "initcheck": [],
    "synccheck": [],
}
FAULTS = pathlib.Path(__file__).parent.parent / "engine/check/testdata/faults"


def run(warplens, kernel, arguments, tool):
    command = ["compute-sanitizer", "--tool", tool, "--target-processes", "all", *TOOLS[tool],
               warplens, "run", str(kernel), "--engine", "gpu", "--no-check", "--seconds", "0.001", "--timeout", "8",
               *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=40, errors="replace")
    except subprocess.TimeoutExpired:
        return "timeout", "", ""
    text = done.stdout + done.stderr
    errors = [int(n) for n in re.findall(r"ERROR SUMMARY: (\d+) error", text)]
    hazards = [(int(e), int(w)) for e, w in re.findall(r"RACECHECK SUMMARY: .*?\((\d+) errors?, (\d+) warnings?\)", text)]
    total = sum(errors) + sum(e for e, _ in hazards)
    warned = sum(w for _, w in hazards)
    messages = [line.lstrip("= ") for line in text.splitlines() if line.startswith("========= ")
                and not re.search(r"COMPUTE-SANITIZER|SUMMARY|Target application|^=+ +at |Saved host", line)]
    return (f"{total}" if total or not warned else f"{warned}w"), done.returncode, (messages or [""])[0][:160]


def row_of(warplens, kernel):
    text = kernel.read_text()
    faults = re.findall(r"// fault: (\S+)", text)
    row = {"kernel": kernel.stem, "fault": faults[0] if faults else "right"}
    first = ""
    for tool in TOOLS:
        row[tool], row["exit"], message = run(warplens, kernel, run_faults.arguments_of(text), tool)
        first = first or (message if row[tool] not in ("0", "timeout") else "")
    row["first"] = first
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("warplens")
    parser.add_argument("out")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    kernels = sorted(k for k in FAULTS.glob("*.cu") if options.only in k.stem)
    rows = []
    with open(options.out, "w", newline="") as file, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        writer = csv.DictWriter(file, ["kernel", "fault", *TOOLS, "exit", "first"])
        writer.writeheader()
        jobs = [pool.submit(row_of, options.warplens, kernel) for kernel in kernels]
        for job in concurrent.futures.as_completed(jobs):  # a run that is cut short keeps what it has
            rows.append(job.result())
            writer.writerow(rows[-1])
            file.flush()
    for tool in TOOLS:
        print(tool, sum(r[tool] not in ("0", "timeout") for r in rows if r["fault"] != "right"), "found,",
              sum(r[tool] not in ("0", "timeout") for r in rows if r["fault"] == "right"), "of right ones")


if __name__ == "__main__":
    main()
