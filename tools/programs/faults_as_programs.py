#!/usr/bin/env python3
"""Puts a main() behind each faulty kernel of a folder, with its own sizes and data, and says what `warplens exec` finds.

    tools/programs/faults_as_programs.py --warplens BIN [--jobs N] [--work DIR] [--page docs/evidence/faulty-programs.md] engine/check/testdata/faults [NAME...]

A kernel's launch is that of `warplens run FILE --json`; main() fills the inputs with numbers that differ, launches once, and compares nothing.
So what only the problem knows of (a wrong result, an array that is an input) is left out, as are launches that no device makes. One
line a kernel that was not found as its `// fault:` comments ask for, and the sums; a kernel that says `// right` must have no error. --page: a table
by kind as well."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from run_faults import arguments_of

# Elements of each array, of the sizes by their names; the numbers that a kernel takes, in its order.
PROBLEMS = {
    "reduce": ({"in": "N", "out": "1"}, ["N"]),
    "copy": ({"in": "N", "out": "N"}, ["N"]),
    "transpose": ({"in": "M * N", "out": "M * N"}, ["M", "N"]),
    "minplus": ({"d": "N * N", "t": "N * N", "r": "N * N"}, ["N"]),
    "sgemm": ({"A": "M * K", "B": "K * N", "C": "M * N"}, ["M", "N", "K"]),
    "sgemm_column": ({"a": "M * N", "b": "M * K", "c": "K * N"}, ["M", "N", "K"]),
}
OUTPUTS = {"out", "r", "C", "a"}
# What only the problem knows of (what is right, which array is an input), and launches that nobody makes.
KNOWN_TO_THE_PROBLEM = {"wrong-result", "wrong-at-odd-size", "unwritten-output", "write-to-input", "refused", "launch-cluster", "launch-bounds", "launch-registers"}


def program_of(text, ran, shared):
    problem = re.search(r'^problem\s*=\s*"(\w+)"', text, re.M).group(1)
    arrays, numbers = PROBLEMS[problem]
    sizes = "".join(f"  const int {name} = {value};\n" for name, value in ran["size"].items())
    kind = lambda name: ("zeros" if problem == "reduce" else "unwritten") if name in OUTPUTS else "numbers"
    made = "".join(f"  float* {name}_array = {kind(name)}({count});\n" for name, count in arrays.items())
    defines = "".join(f"#define {name} {value}\n" for name, value in ran["params"].items())
    # The line of a finding is that of the file.
    head = text[:text.index("---*/")].count("\n") + 1
    kernel = text[text.index("---*/") + len("---*/"):].lstrip("\n")
    lines = text.count("\n") - kernel.count("\n")
    name = "kernel" if re.search(r"\bkernel\s*\(", kernel) else re.search(r"__global__\s+void\s+(\w+)\s*\(", kernel).group(1)
    grid, block = (", ".join(map(str, ran[key])) for key in ("grid", "block"))
    words = ", ".join([name + "_array" for name in arrays] + numbers)
    return (defines + "#include <cstdio>\n#include <cstdlib>\n#include <vector>\n" + f'#line {lines + 1} "kernel.cu"\n' + kernel + '\n#line 1 "main.cu"\n'
            + "static float* unwritten(long long count) {\n"
              "  float* array = nullptr;\n"
              "  cudaMalloc(&array, count * sizeof(float));\n"
              "  return array;\n}\n"
              "static float* zeros(long long count) {\n"
              "  float* array = unwritten(count);\n"
              "  cudaMemset(array, 0, count * sizeof(float));\n"
              "  return array;\n}\n"
              "static float* numbers(long long count) {\n"
              "  std::vector<float> values(count);\n"
              "  for (float& value : values) value = static_cast<float>(rand() % 2001 - 1000) / 1000;\n"
              "  float* array = unwritten(count);\n"
              "  cudaMemcpy(array, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);\n"
              "  return array;\n}\n"
            + f"int main() {{\n{sizes}{made}  {name}<<<dim3({grid}), dim3({block}), {shared}>>>({words});\n"
              "  return cudaDeviceSynchronize() != cudaSuccess;\n}\n")


def shared_of(text, ran):
    """Dynamic bytes, of an expression in the file's parameters and sizes."""
    found = re.search(r'^shared\s*=\s*"([^"]*)"', text, re.M)
    return int(eval(found.group(1), {}, {**ran["params"], **ran["size"]})) if found else 0


def first_kind(file):
    found = re.search(r"// fault: ([\w-]+)", file.read_text())
    return found.group(1) if found else ""


def judge(file, own):
    text = file.read_text()
    wanted = {(kind, number) for number, line in enumerate(text.splitlines(), 1) for kind in re.findall(r"// fault: ([\w-]+)", line)}
    is_right = re.search(r"^// right", text, re.M) is not None
    if not is_right and {kind for kind, _ in wanted} <= KNOWN_TO_THE_PROBLEM:
        return file.stem, "left out", ""
    said = subprocess.run([own.warplens, "run", str(file), "--json", *arguments_of(text)], capture_output=True, text=True, timeout=300)
    try:
        ran = json.loads(said.stdout)
    except ValueError:
        ran = {}
    if "grid" not in ran:
        return file.stem, "left out", "no launch is known: " + (said.stderr or said.stdout)[-200:].strip()
    base = pathlib.Path(own.work) / file.stem
    base.mkdir(parents=True, exist_ok=True)
    (base / "program.cu").write_text(program_of(text, ran, shared_of(text, ran)))
    built = subprocess.run([own.warplens, "nvcc", "-w", "-std=c++17", "-lineinfo", "-I", str(file.parent.resolve()), "-o", "program", "program.cu"], cwd=base,
                           capture_output=True, text=True, timeout=300)
    if built.returncode:
        return file.stem, "does not build", built.stderr[-300:]
    device = re.search(r"^\s*//\s*device:\s*(\S+)", text, re.M)
    subprocess.run([own.warplens, "exec", "--unconfined", "--time", "60", *(["--device", device.group(1)] if device else []), "--json", "report.json", "./program"], cwd=base,
                   capture_output=True, text=True, timeout=120)
    report = json.loads((base / "report.json").read_text()) if (base / "report.json").exists() else {}
    findings = [finding for kernel in report.get("kernels", []) for finding in kernel["findings"]]
    lines = {finding[key] for finding in findings for key in ("line", "other_line")}
    words = "; ".join(finding["message"] for finding in findings)[:300]
    if is_right:
        return file.stem, "alarm" if any(finding.get("severity") == "error" for finding in findings) else "right", words
    if not findings:
        return file.stem, "missed", ""
    return file.stem, "found" if {number for _, number in wanted} & lines else "another line", f"{sorted(wanted)}: {words}"


HEAD = """# Faulty kernels as programs

The faulty kernels of `engine/check/testdata/faults`, each with a `main()` behind it that allocates and fills its arrays and launches it once, compiled by
`warplens nvcc` and run by `warplens exec`. Made by `tools/programs/faults_as_programs.py`; do not edit. Left out is what only a problem's definition
knows (a wrong result, an array that is an input) and launches that no device makes. A kernel counts under the first kind that its comments name.

| kind | kernels | found at the line | at another line | missed |
|---|--:|--:|--:|--:|
"""


def page_of(rows):
    kinds = collections.defaultdict(collections.Counter)
    for _, verdict, _, kind in rows:
        if verdict in ("found", "another line", "missed"):
            kinds[kind][verdict] += 1
    line = lambda kind, of: f"| {kind} | {sum(of.values())} | {of['found']} | {of['another line']} | {of['missed']} |\n"
    text = HEAD + "".join(line(kind, kinds[kind]) for kind in sorted(kinds)) + line("all", sum(kinds.values(), collections.Counter()))
    right = collections.Counter(verdict for _, verdict, _, _ in rows)
    missed = ", ".join(f"`{name}`" for name, verdict, _, _ in rows if verdict == "missed")
    return text + f"\nOf {right['right'] + right['alarm']} right kernels {right['alarm']} have an error. Missed: {missed or 'none'}.\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--warplens", required=True, type=os.path.abspath)
    parser.add_argument("--work", default="/tmp/warplens_faults")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    own = parser.parse_args()
    files = [file for file in sorted(own.folder.glob("*.cu")) if not own.names or file.stem in own.names]
    with concurrent.futures.ThreadPoolExecutor(own.jobs) as workers:
        rows = list(workers.map(lambda file: (*judge(file, own), first_kind(file)), files))
    for name, verdict, words, _ in rows:
        if verdict not in ("found", "right", "left out") or own.names:
            print(f"{name}: {verdict}: {words}")
    print(dict(collections.Counter(verdict for _, verdict, _, _ in rows)))
    if own.page:
        own.page.write_text(page_of(rows))


if __name__ == "__main__":
    main()
