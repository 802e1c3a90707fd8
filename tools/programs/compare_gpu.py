#!/usr/bin/env python3
"""Runs programs on a GPU and on the emulator, and compares what they print and what each launch counts.

    tools/programs/compare_gpu.py --warplens BIN --out DIR [FILE.cu or FOLDER ...]
    tools/programs/compare_gpu.py --warplens BIN --out DIR --repositories FOLDER --list FILE.toml

On a machine with nvcc, ncu and a GPU of compute capability 9.0; without files those of tools/programs/compare. Each is compiled twice, by nvcc
and by `warplens nvcc`, runs on the GPU, under ncu, and under `warplens exec --json`. Those of a list, which is written as the [[file]]s of
programs.toml, are compiled once, by `warplens nvcc`, and the GPU runs the same executable with CUDA's own runtime. DIR gets compared.json,
compared.txt and all that was said (said.txt). A failure is a row, and the others go on. Without a GPU (--no-gpu) only the emulator's side runs.
"""
import argparse
import concurrent.futures
import csv
import glob
import io
import json
import os
import subprocess
import re
import threading
import time
import tomllib

import run_programs

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-w", "-std=c++17"]
# Of `exec --json`, and ncu's name of it. Requests to shared memory have no twin: the hardware's instructions count where all lanes are off too.
COUNTS = {
    "global_load/requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load/sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store/requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store/sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "local_load/sectors": "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "local_store/sectors": "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "shared_load/wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store/wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}
TIME = "gpu__time_duration.sum"
MOST = 40  # launches of a program that are measured


def said_by(words, seconds, folder, environment):
    try:
        done = subprocess.run(words, capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL, cwd=folder, env=environment)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return 124, "", f"no end in {seconds} s"
    except OSError as error:
        return 126, "", str(error)


def tool(name, places):
    paths = [os.path.join(folder, name) for place in os.environ["PATH"].split(":") + places for folder in glob.glob(place)]
    return next((path for path in paths if os.access(path, os.X_OK)), name)


class Side:
    """One program, where its files stand and what was said."""

    def __init__(self, source, own):
        self.name = os.path.basename(source)[:-len(".cu")]
        self.source, self.own = source, own
        self.base = os.path.join(own.work, self.name)
        self.said, self.arguments = [], []
        self.real, self.environment = self.base + ".real", None

    def do(self, what, words, seconds, environment=None):
        begin = time.time()
        code, out, err = said_by(words, seconds, own_folder(self.base), environment)
        self.said.append(f"== {self.name}: {what}: exit {code}, {time.time() - begin:.1f} s\n{' '.join(words)}\n{out[-4000:]}\n{err[-4000:]}\n")
        return code, out, err

    def build(self):
        libraries = ["-lcublas"] if "cublas" in open(self.source, errors="replace").read() else []
        own = self.do("warplens nvcc", [self.own.warplens, "nvcc", *FLAGS, "-o", self.base + ".own", self.source, *libraries], 180)
        real = 0
        if self.own.gpu:
            real = self.do("nvcc", [self.own.nvcc, *FLAGS, "-lineinfo", "-gencode=arch=compute_90,code=[sm_90,compute_90]", "-o",
                                    self.real, self.source, *libraries], 180)[0]
        return own[0], real

    def emulate(self):
        limit = self.own.emulate_seconds
        confined = ["--unconfined"] if self.own.unconfined else []
        code, out, _ = self.do("warplens exec", [self.own.warplens, "exec", "--time", str(limit), *confined, "--json", self.base + ".json",
                                                 self.base + ".own", *self.arguments], limit + 30)
        report = json.load(open(self.base + ".json")) if os.path.exists(self.base + ".json") else {}
        return {"exit": report.get("exit_code", code), "out": out, "report": report}

    def measure(self):
        program = [self.real, *self.arguments]
        code, out, _ = self.do("on the GPU", program, 30, self.environment)
        _, table, _ = self.do("ncu", [self.own.ncu, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                                      "--launch-count", str(MOST), "--metrics",
                                      ",".join([*COUNTS.values(), TIME]), *program], 60, self.environment)
        return {"exit": code, "out": out, "launches": launches_of(table)}


class Published(Side):
    """A program of a list: one executable for both sides."""

    def __init__(self, row, own):
        self.row = run_programs.published(own.repositories, row)
        super().__init__(re.sub(r"[^\w.-]", "_", self.row["name"]) + ".cu", own)
        self.name, self.arguments = self.row["name"], row.get("arguments", [])
        self.real = self.base + ".own"
        toolkit = os.path.dirname(os.path.dirname(os.path.realpath(own.nvcc)))
        libraries = [toolkit + "/lib64", toolkit + "/lib", os.environ.get("LD_LIBRARY_PATH", "")]
        self.environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(part for part in libraries if part)}

    def build(self):
        if self.row["not_asked"]:
            said = self.row["not_asked"]
        else:
            run_programs.make_place(self.row, self.base + ".exe")
            said = run_programs.build(self.own.warplens, self.row, self.base + ".own")
        self.said.append(f"== {self.name}: built: {said or 'yes'}\n")
        return (1, 1) if said else (0, 0)


def own_folder(base):
    os.makedirs(base + ".folder", exist_ok=True)
    return base + ".folder"


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def launches_of(table):
    """Of ncu's table, which stands behind what the program printed: a row of names, one of units, one a launch."""
    lines = table.split("\n")
    first = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if first is None:
        return []
    rows = list(csv.DictReader(io.StringIO("\n".join(lines[first:]))))
    return [{"kernel": row.get("Kernel Name", ""), **{metric: number(row.get(metric) or "") for metric in [*COUNTS.values(), TIME]}}
            for row in rows if row.get("ID")]


def at(counts, path):
    for part in path.split("/"):
        counts = counts.get(part, {})
    return counts if isinstance(counts, (int, float)) else None


def compare_launches(report, measured):
    """A row for each count of each launch that differs, and how many were compared."""
    launches = [launch for launch in report.get("launches", []) if launch["ran"] != "refused"]
    if len(launches) != len(measured) and not len(launches) > len(measured) == MOST:
        return {"differences": [f"{len(launches)} launches emulated, {len(measured)} measured"], "compared": 0, "equal": 0}
    differences, compared, equal, whole = [], 0, 0, 0
    for i, (launch, row) in enumerate(zip(launches, measured)):
        kernel = report["kernels"][launch["kernel"]]["kernel"]
        before = len(differences)
        for ours, theirs in COUNTS.items():
            have, want = at(launch["counts"], ours), row.get(theirs)
            if have is None or want is None:
                continue
            compared += 1
            equal += have == want
            if have != want:
                differences.append(f"launch {i}, {kernel}: {ours} {have:.0f}, measured {want:.0f}")
        whole += len(differences) == before
    return {"differences": differences, "compared": compared, "equal": equal, "launches": len(measured), "whole_launches": whole}


ONE_AT_A_TIME = threading.Lock()  # on the GPU


def one(side, begin):
    """Built twice, emulated, and measured when the GPU is free."""
    row = {"program": side.name}
    late = lambda: time.time() - begin > side.own.seconds
    if late():
        return {**row, "differences": [f"not tried: {side.own.seconds:.0f} s were over"]}
    own, real = side.build()
    row["built"] = own == 0 and real == 0
    if not row["built"]:
        return row
    ours = side.emulate()
    row["emulated"] = {key: ours["report"].get(key) for key in ("launch_count", "seconds", "predicted_seconds")}
    row["findings"] = [finding["message"] for kernel in ours["report"].get("kernels", []) for finding in kernel["findings"]]
    row["out"] = ours["out"]
    if not side.own.gpu:
        return row
    with ONE_AT_A_TIME:
        if late():
            return {**row, "differences": [f"not measured: {side.own.seconds:.0f} s were over"]}
        theirs = side.measure()
    row["measured_out"] = theirs["out"]
    row["same_output"], row["same_exit"] = ours["out"] == theirs["out"], ours["exit"] == theirs["exit"]
    row.update(compare_launches(ours["report"], theirs["launches"]))
    row["measured_seconds"] = sum(launch[TIME] or 0 for launch in theirs["launches"]) / 1e9
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--warplens", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--work", default="/tmp/warplens_compare")
    parser.add_argument("--no-gpu", dest="gpu", action="store_false")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=280, help="no program is measured after these")
    parser.add_argument("--emulate-seconds", type=int, default=60, help="for each program on the emulator")
    parser.add_argument("--repositories", help="OWNER/NAME below it, a tree each, for --list")
    parser.add_argument("--list", help="programs of these repositories")
    parser.add_argument("--unconfined", action="store_true", help="where Linux has no Landlock")
    parser.add_argument("files", nargs="*")
    own = parser.parse_args()
    begin = time.time()
    own.warplens = os.path.abspath(own.warplens)
    own.nvcc = tool("nvcc", ["/usr/local/cuda/bin", "/usr/local/cuda-13*/bin"])
    own.ncu = tool("ncu", ["/usr/local/cuda/bin", "/opt/nvidia/nsight-compute/*", "/usr/local/cuda*/nsight-compute*"])
    os.makedirs(own.out, exist_ok=True)
    os.makedirs(own.work, exist_ok=True)
    if own.list:
        own.repositories, own.work = os.path.abspath(own.repositories), os.path.abspath(own.work)
        with open(own.list, "rb") as file:
            sides = [Published(row, own) for row in tomllib.load(file)["file"]]
    else:
        places = own.files or [HERE + "/compare"]
        sources = [file for place in places for file in (sorted(glob.glob(place + "/*.cu")) if os.path.isdir(place) else [place])]
        sides = [Side(os.path.abspath(source), own) for source in sources]
    with concurrent.futures.ThreadPoolExecutor(own.jobs) as workers:
        rows = []
        for row in workers.map(lambda side: one(side, begin), sides):
            rows.append(row)
            with open(own.out + "/compared.json", "w") as file:
                json.dump(rows, file, indent=1)
    with open(own.out + "/said.txt", "w") as file:
        file.write("\n".join(part for side in sides for part in side.said)[-12_000_000:])
    write_table(own.out + "/compared.txt", rows, time.time() - begin)
    print(open(own.out + "/compared.txt").read())


def write_table(path, rows, seconds):
    text = f"{len(rows)} programs, {seconds:.0f} s\n"
    for row in rows:
        word = lambda key: "-" if key not in row else "yes" if row[key] else "NO"
        text += (f"{row['program']:20} built {word('built'):3} output {word('same_output'):3} exit {word('same_exit'):3} "
                 f"counts {row.get('equal', '-')} of {row.get('compared', '-')}\n")
        for key in ("differences", "findings"):
            text += "".join(f"    {key}: {line}\n" for line in row.get(key, [])[:12])
        if row.get("same_output") is False:
            text += f"    emulated: {row['out']!r}\n    measured: {row['measured_out']!r}\n"
    with open(path, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
