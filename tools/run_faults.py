#!/usr/bin/env python3
"""Runs a folder of faulty and right kernels through `warplens run` and says what was found.

    tools/run_faults.py build/release/bin/warplens engine/check/testdata/faults [--only TEXT] [--verbose]

A line that ends in `// fault: KIND` is one that a finding of that kind may name; a kernel whose first comment says
`// right` must have no error and no warning. Exits 1 where fewer are found than --least asks for (a share), or where a
right kernel has an alarm. Of whole files with their host code: `// right, not checked` where nobody knows the result, `// fault:
refused` of a launch that no device makes, `// severity: error` where a warning is too little, `// says: TEXT` that the
report has to have. --sanitizer TABLE.csv (of sanitize_faults.py) prints a Markdown table of both, kind by kind."""
import argparse
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import time


def arguments_of(text):
    """What comments in the kernel ask for: // size: 32,32,100   // defines: TILE=16   // device: h100"""
    words = []
    for key, option in (("size", "--size"), ("device", "--device")):
        found = re.search(rf"^\s*//\s*{key}:\s*(\S+)", text, re.M)
        if found:
            words += [option, found.group(1)]
    found = re.search(r"^\s*//\s*defines:\s*(.+)$", text, re.M)
    for define in found.group(1).split() if found else []:
        words += ["-D", define]
    return words


def run(program, file, text):
    start = time.time()
    try:
        done = subprocess.run([program, "run", str(file), "--json", *arguments_of(text)],
                              capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return None, "timeout", 120
    try:
        return json.loads(done.stdout), done.stderr, time.time() - start
    except ValueError:
        return None, done.stderr.strip(), time.time() - start


def verdict(text, report, words):
    """(state, what): found, line (wrong line), kind (wrong kind), missed, right, alarm, broken"""
    expected = {}
    says = re.findall(r"^\s*//\s*says:\s*(.+)$", text, re.M)
    for number, line in enumerate(text.splitlines(), 1):
        found = re.findall(r"//\s*fault:\s*([\w-]+)", line)
        if found:
            expected[number] = found
    is_right = not expected
    if report is None:
        refused = [number for number, kinds in expected.items() if "refused" in kinds]
        if any(re.search(rf"\.cu:{number}:", words) for number in refused):
            return ("found", words[:300])
        return ("line" if refused else "broken", words[:300])
    unsaid = [words for words in says if words not in json.dumps(report)]
    if unsaid:
        return ("alarm" if is_right else "missed", f"does not say {unsaid[0]}: {json.dumps(report.get('tried'))}")
    findings = [f for f in report["findings"] if f["severity"] != "information"]
    shown = "; ".join(f"{f['severity']} {f['kind']} {f['line']}/{f['other_line']} {f['message']}" for f in findings)
    if is_right:
        bad = [f for f in findings if f["kind"] != "wrong-at-odd-size"]
        unverified = report["verified"] is not True and not re.search(r"^\s*//\s*right, not checked", text, re.M)
        return ("alarm", shown or "not verified") if bad or unverified else ("right", shown)
    if re.search(r"^\s*//\s*severity:\s*error", text, re.M):
        findings = [f for f in findings if f["severity"] == "error"]
    if not findings:
        return ("missed", f"verified: {report['verified']} {shown}")
    kinds = {kind for line in expected.values() for kind in line}
    for f in findings:
        if f["kind"] in kinds and (f["line"] in expected or f["other_line"] in expected):
            return ("found", shown)
    for f in findings:
        if f["line"] in expected or f["other_line"] in expected:
            return ("kind", shown)
    return ("line", shown)


def print_table(states, sanitizer):
    """states: (kernel, kind, state) of each; beside it what compute-sanitizer reported on a GPU."""
    with open(sanitizer) as file:
        reported = {row["kernel"]: any(row[tool] not in ("0", "timeout")
                                       for tool in ("memcheck", "racecheck", "initcheck", "synccheck"))
                    for row in csv.DictReader(file)}
    rows = collections.defaultdict(collections.Counter)
    for kernel, kind, state in states:
        for row in (rows[kind], rows["all faulty"] if kind != "right" else collections.Counter()):
            row["kernels"] += 1
            row["found"] += state in ("found", "kind", "line", "alarm")
            row["line"] += state in ("found", "kind")
            row["sanitizer"] += reported.get(kernel, False)
    print("| kind | kernels | found here | at the right line | compute-sanitizer |\n|---|---:|---:|---:|---:|")
    last = ["all faulty", "right"]
    for kind in sorted(set(rows) - set(last)) + last:
        row = rows[kind]
        print(f"| {kind} | {row['kernels']} | {row['found']} | {row['line']} | {row['sanitizer']} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--least", type=float, default=0.0)
    parser.add_argument("--sanitizer")
    options = parser.parse_args()
    counts = collections.Counter()
    slow, states = [], []
    for file in sorted(options.folder.glob("*.cu")):
        if options.only not in file.name:
            continue
        text = file.read_text()
        report, words, seconds = run(options.program, file, text)
        state, what = verdict(text, report, words)
        counts[state] += 1
        kinds = re.findall(r"//\s*fault:\s*([\w-]+)", text)
        states.append((file.stem, kinds[0] if kinds else "right", state))
        if seconds > 3:
            slow.append(f"{file.name} {seconds:.1f} s")
        if options.verbose or state not in ("found", "right"):
            expected = sorted(set(re.findall(r"//\s*fault:\s*([\w-]+)", text)))
            print(f"{state:7} {file.name} {expected}: {what}")
    faulty = sum(counts[s] for s in ("found", "kind", "line", "missed"))
    noticed = faulty - counts["missed"]
    right_line = counts["found"] + counts["kind"]
    print(f"{noticed} of {faulty} found, {right_line} with the right line, {counts['found']} with line and kind; "
          f"{counts['alarm']} false alarms of {counts['right'] + counts['alarm']}; {counts['broken']} not run")
    if options.sanitizer:
        print_table(states, options.sanitizer)
    if slow:
        print("slower than 3 s:", ", ".join(slow))
    share = noticed / faulty if faulty else 1
    return 1 if counts["alarm"] or share < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
