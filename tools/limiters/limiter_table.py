#!/usr/bin/env python3
"""The limiter of the model of time beside that of ncu's counters, for the launches of pairs.csv: docs/evidence/limiters.md.

    limiter_table.py --keep limiters.csv > tools/limiters/h200.csv     of what count.sh wrote: one row a launch
    limiter_table.py --device h200 > docs/evidence/limiters.md                  predicts each row of h200.csv and writes the table
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).parent

# A unit of the model, and the counters whose largest is its busy share. What is per SM counts the cycles in which the SM has
# work, as the model does; L2 and memory count all cycles.
ACTIVE, ELAPSED = "avg.pct_of_peak_sustained_active", "avg.pct_of_peak_sustained_elapsed"
UNITS = {
    "issue": [f"sm__issue_active.{ACTIVE}"],
    "fma": [f"sm__inst_executed_pipe_fma.{ACTIVE}", f"sm__inst_executed_pipe_fmaheavy.{ACTIVE}"],
    "alu": [f"sm__inst_executed_pipe_alu.{ACTIVE}"],
    "fp64": [f"sm__inst_executed_pipe_fp64.{ACTIVE}"],
    "sfu": [f"sm__inst_executed_pipe_xu.{ACTIVE}"],
    "data pipe": [f"l1tex__data_pipe_lsu_wavefronts.{ACTIVE}"],
    # What its slices take in, look up and send out. Between its two halves is BUSIEST_OF_L2 alone.
    "l2": [f"lts__{part}.{ELAPSED}" for part in ("xbar2lts_cycles_active", "lts2xbar_cycles_active", "t_tag_requests", "t_sectors")],
    "dram": [f"dram__throughput.{ELAPSED}"],
}
SECTORS_OF_L2 = f"lts__t_sectors.{ELAPSED}"
# What ncu's "Speed of Light" calls L2: the busiest of its parts, with the way between its two halves (lts__ltcfabric2ltc).
BUSIEST_OF_L2 = f"lts__throughput.{ELAPSED}"
# Shared memory and L1 are two uses of one pipe, which ncu has one counter of.
ONE_PIPE = ("shared", "l1")


def number(text):
    return float(text.replace(",", ""))


# What warps wait for by the model, and the counters of it. Two queues of the load/store unit are one of the model's.
STALLED = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
REASONS = {name: [name] for name in ("selected", "not_selected", "wait", "long_scoreboard", "short_scoreboard", "barrier",
                                     "math_pipe_throttle", "dispatch_stall")}
REASONS["lsu_throttle"] = ["lg_throttle", "mio_throttle"]
REASONS["other"] = ["branch_resolve", "no_instruction", "membar"]


def launches(lines):
    """(pair, {metric: value}) of what count.sh wrote."""
    pair, values, columns = None, {}, None
    for row in csv.reader(lines):
        if row and row[0].startswith("# "):
            if pair and values:
                yield pair, values
            pair, values = ",".join(row)[2:], {}
        elif "Metric Name" in row:
            columns = row
        elif columns and len(row) == len(columns):
            named = dict(zip(columns, row))
            values[named["Metric Name"]] = number(named["Metric Value"])
    if pair and values:
        yield pair, values


def keep(path):
    with open(path) as file:
        found = list(launches(file))
    metrics = sorted({metric for _, values in found for metric in values})
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["kernel", "params", "size"] + metrics)
    for pair, values in found:
        out.writerow(pair.split(",") + [f"{values[metric]:.10g}" if metric in values else "" for metric in metrics])


def counted_rows(device):
    with open(HERE / f"{device}.csv") as file:
        return [row for row in csv.DictReader(file)]


def predicted(program, device, row):
    words = [program, "time", row["kernel"], "--size", row["size"].replace("x", ","), "--device", device, "--json"]
    for value in row["params"].split():
        words += ["-D", value]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def busy_by_counters(row):
    return {unit: max(float(row[metric] or 0) for metric in metrics if metric in row) for unit, metrics in UNITS.items()}


def busy_by_model(prediction):
    units = {name: 100 * share for name, share in prediction["units"].items()}
    units["data pipe"] = sum(units.pop(name) for name in ONE_PIPE)
    return units


def limiter(units):
    return max(units, key=units.get)


def line(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def stalls_by_counters(row):
    cycles = {name: sum(float(row.get(STALLED.format(part)) or 0) for part in parts) for name, parts in REASONS.items()}
    return {name: value / sum(cycles.values()) for name, value in cycles.items()}


def stalls(row, prediction):
    """How far apart the shares of the warps' time are, 0 to 1, and whether warps wait for the same thing most."""
    counted, model = stalls_by_counters(row), prediction["stalls"]
    waits = [name for name in REASONS if name not in ("selected", "not_selected")]
    most = lambda shares: max(waits, key=lambda name: shares.get(name, 0))
    return sum(abs(counted[name] - model.get(name, 0)) for name in REASONS) / 2, most(counted) == most(model)


def agrees(said, counted):
    """Two units that are as busy as each other are both the limiter."""
    return counted[limiter(counted)] - counted[said] <= 3


def compare(row, prediction):
    counted, model = busy_by_counters(row), busy_by_model(prediction)
    said, seen = limiter(model), limiter(counted)
    return {
        "stalls": stalls(row, prediction), "row": row, "counted": counted, "model": model, "said": said, "seen": seen,
        "agrees": agrees(said, counted),
        "agrees_by_sectors": agrees(said, counted | {"l2": float(row[SECTORS_OF_L2])}),
        "agrees_by_throughput": agrees(said, counted | {"l2": float(row[BUSIEST_OF_L2])}),
        "seconds": prediction["seconds"] / (float(row["gpu__time_duration.sum"]) * 1e-9),
        "instructions": prediction["warp_instructions"] / float(row["sm__inst_executed.sum"]),
        "l1": (100 * prediction["hit_rates"]["l1"], float(row["l1tex__t_sector_hit_rate.pct"])),
        "l2": (100 * prediction["hit_rates"]["l2"], min(float(row["lts__t_sector_hit_rate.pct"]), 100.0)),
    }


def pages(compared):
    n = len(compared)
    agree = sum(one["agrees"] for one in compared)
    off = lambda one, unit: abs(one["model"][unit] - one["counted"][unit])
    print("# What limits a kernel: the model beside ncu\n")
    print("Made by `tools/limiters/limiter_table.py`; do not edit.\n")
    print("One launch each of the kernels and parameters of `tools/limiters/pairs.csv` on an H200 SXM, counted by `ncu --clock-control none "
          "--cache-control none` (`tools/limiters/count.sh`; what it counted is `tools/limiters/h200.csv`), beside `warplens time --device h200`, "
          "whose row of `devices.toml` nothing was fitted on (which blocks find each other's lines in L1, and what L2 keeps from wave to wave, "
          "was found with these counters). Shares are in percent of what a unit could do. Shared memory and L1 are two uses of one "
          "data pipe, which ncu has one counter of, so the model's two are added. The model's L2 is the way between the SMs and L2, "
          "whose full use counts as 85 % (`l2_efficiency`); ncu's is the busiest of what "
          "the slices of L2 take in (`lts__xbar2lts_cycles_active`), look up (`lts__t_tag_requests`, `lts__t_sectors`) and send out "
          "(`lts__lts2xbar_cycles_active`). A limiter agrees where it is ncu's busiest unit, or within 3 points of "
          "it.\n")
    print(f"The limiter agrees in {agree} of {n} ({100 * agree / n:.0f} %).\n")
    by_sectors, by_throughput = (sum(one[how] for one in compared) for how in ("agrees_by_sectors", "agrees_by_throughput"))
    print(f"With `lts__t_sectors` alone for L2 it agrees in {by_sectors}: slices could look up more sectors than can come to them and leave. With "
          f"`lts__throughput` in {by_throughput}: it also has the way between the two halves of L2, which is busy in more cycles than memory is "
          "wherever a kernel streams from memory, and which the model has no part for.\n")
    line("share of", "median difference", "90 % below", "within 10 points")
    line("---", "---:", "---:", "---:")
    for unit in UNITS:
        all_off = sorted(off(one, unit) for one in compared)
        line(unit, f"{statistics.median(all_off):.1f}", f"{all_off[int(0.9 * (n - 1))]:.1f}",
             f"{sum(value <= 10 for value in all_off)} of {n}")
    limits = sorted(abs(one["model"][one["seen"]] - one["counted"][one["seen"]]) for one in compared)
    line("the busiest unit by ncu", f"{statistics.median(limits):.1f}", f"{limits[int(0.9 * (n - 1))]:.1f}",
         f"{sum(value <= 10 for value in limits)} of {n}")
    print()
    for cache in ("l1", "l2"):
        hits = sorted(abs(a - b) for a, b in (one[cache] for one in compared))
        print(f"Hit rate of {cache.upper()}: median difference {statistics.median(hits):.1f} points, 90 % below {hits[int(0.9 * (n - 1))]:.1f}.")
    apart = [one["stalls"][0] for one in compared]
    print(f"What warps do and wait for, as shares of their time: {100 * statistics.mean(apart):.0f} % of it goes elsewhere than by ncu, on average; "
          f"the longest wait is the same in {sum(one['stalls'][1] for one in compared)} of {n}.")
    more = sorted(abs(one["instructions"] - 1) for one in compared)
    print(f"Instructions of warps: {sum(value <= 0.01 for value in more)} of {n} within 1 %, median difference "
          f"{100 * statistics.median(more):.2f} %, the worst {100 * more[-1]:.1f} %.")
    errors = sorted(abs(one["seconds"] - 1) for one in compared)
    print(f"Time, under the profiler: median error {100 * statistics.median(errors):.1f} %, 90 % below {100 * errors[int(0.9 * (n - 1))]:.1f} %.\n")
    line("kernel", "parameters", "size", "limiter", "by ncu", "its share", "by ncu", "time over measured", "instructions over counted", "L1 hits", "by ncu", "L2 hits", "by ncu")
    line(*["---"] * 5, *["---:"] * 8)
    for one in compared:
        row, seen = one["row"], one["seen"]
        said = one["said"] if one["agrees"] else f"**{one['said']}**"
        line(row["kernel"], row["params"], row["size"], said, seen, f"{one['model'][seen]:.0f}", f"{one['counted'][seen]:.0f}",
             f"{one['seconds']:.2f}", f"{one['instructions']:.3f}", f"{one['l1'][0]:.0f}", f"{one['l1'][1]:.0f}", f"{one['l2'][0]:.0f}", f"{one['l2'][1]:.0f}")
    print("\n## Every unit\n\nThe model's share, then ncu's.\n")
    line("kernel", "parameters", *UNITS)
    line("---", "---", *["---:"] * len(UNITS))
    for one in compared:
        line(one["row"]["kernel"], one["row"]["params"], *(f"{one['model'][unit]:.0f} {one['counted'][unit]:.0f}" for unit in UNITS))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", metavar="FILE", help="what count.sh wrote")
    parser.add_argument("--device", default="h200", help="on which they were counted, DEVICE.csv")
    parser.add_argument("--warplens", default="build/release/bin/warplens", metavar="PROGRAM")
    options = parser.parse_args()
    if options.keep:
        return keep(options.keep)
    rows = counted_rows(options.device)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        predictions = list(pool.map(lambda row: predicted(options.warplens, options.device, row), rows))
    pages([compare(row, prediction) for row, prediction in zip(rows, predictions)])


if __name__ == "__main__":
    main()
