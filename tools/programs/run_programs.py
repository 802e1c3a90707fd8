#!/usr/bin/env python3
"""Runs published CUDA programs with `warplens exec` and sorts how each ends; --page writes docs/evidence/programs.md.

    tools/programs/run_programs.py --warplens BIN --work DIR [--samples FOLDER] [--repositories FOLDER] [NAME...]

FOLDER of --samples: a tree of NVIDIA's cuda-samples; of --repositories: OWNER/NAME below it, a tree each, as programs.toml names
them. Nothing is fetched, and nothing is written there. What was built and how it ended stays in DIR: with NAMEs only these are run
again, without any only what is not there yet. It says what ran and how, not whether that is right: what a reader of the source found
out stands in programs.toml.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import tomllib

from outcome import first_error, sort_result
from page import write_page

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = ("0_Introduction", "2_Concepts_and_Techniques", "6_Performance")
# Of a sample that is not asked: textures, graphics, other systems. By its sources and its CMakeLists.txt.
NOT_ASKED = {
    "textures or surfaces": re.compile(r"cudaTextureObject|cudaSurfaceObject|cuTexObject|cuTexRef|CUtexref|<cudaTex|tex2D"),
    "graphics": re.compile(r"find_package\((OpenGL|GLUT|EGL)|include *<(GL|EGL)/"),
    "MPI": re.compile(r"find_package\(MPI"),
}
MAIN = re.compile(r"\bmain\s*\(")
SOURCES = ("*.cu", "*.cpp", "*.cc", "*.c")
# What an #include, or a target of CMake, says of the libraries that are linked.
LIBRARIES = {
    "cublas": r"cublas(_v2)?\.h", "cufft": r"cufft\.h", "curand": r"curand\.h", "cusparse": r"cusparse\.h", "cusolver": r"cusolver\w*\.h",
    "cublasLt": r"cublasLt\.h", "nvrtc": r"<nvrtc\.h>|CUDA::nvrtc", "cuda": r"<cuda\.h>|CUDA::cuda_driver",
}


# What a compiler or linker asks for, by its words.
REMEDIES = {"undefined reference to `cublasLt": ["-lcublasLt"], "undefined reference to `cublas": ["-lcublas"],
            "ptxas|nvlink|Unresolved extern": ["-rdc=true"]}


def text_of(path):
    with open(path, errors="replace") as file:
        return file.read()


def words_of(cmake, command):
    found = re.search(command + r"\s*\(([^)]*)\)", cmake)
    return found.group(1).split() if found else []


def sample(folder, notes):
    cmake = re.sub(r"#.*", "", text_of(folder + "/CMakeLists.txt"))
    sources = [folder + "/" + word for word in words_of(cmake, "add_executable")[1:]]
    text = cmake + "".join(text_of(file) for file in glob.glob(folder + "/**/*.*", recursive=True)
                           if file.endswith((".cu", ".cpp", ".cuh", ".h", ".c")))
    loaded = glob.glob(folder + "/*_kernel.cu") if "fatbin" in cmake else []
    headers = ["cooperative_groups.h", "cooperative_groups", "cccl/nv", "cccl/cuda"] if "cooperative_groups.h" in cmake else []
    why = next((what for what, sign in NOT_ASKED.items() if sign.search(text)), "")
    return {"name": os.path.basename(folder), "folder": folder, "builds": [sources], "text": text, "not_asked": why, "loaded": loaded, "headers": headers,
            "include": [folder + "/../../../Common", folder, folder + "/inc"], **notes.get(os.path.basename(folder), {})}


def samples(root, notes):
    base = root if os.path.isdir(root + "/" + SAMPLES[0]) else root + "/Samples"
    folders = [folder for part in SAMPLES for folder in sorted(glob.glob(f"{base}/{part}/*"))]
    return [sample(folder, notes) for folder in folders if os.path.exists(folder + "/CMakeLists.txt")]


def listed(folder):
    return sorted(file for pattern in SOURCES for file in glob.glob(glob.escape(folder) + "/" + pattern))


def published(root, row):
    """The file alone; else with what stands beside it and has no main, or with the one there that has."""
    folder = os.path.join(root, row["repository"], os.path.dirname(row["path"]))
    source = os.path.join(root, row["repository"], row["path"])
    program = {"name": row["repository"] + "/" + row["path"], "folder": folder, "builds": [], "text": "", "not_asked": "",
               "include": [], **row}
    if not os.path.exists(source):
        return {**program, "not_asked": "the file is not there"}
    others = [file for file in listed(folder) if file != source]
    mains = [file for file in others if MAIN.search(text_of(file))]
    rest = [file for file in others if file not in mains]
    if "sources" in row:
        builds = [[os.path.join(folder, name) for name in row["sources"]]]
    elif MAIN.search(text_of(source)):
        builds = [[source], [source] + rest]
    else:
        builds = [[main] + [file for file in [source] + rest if file != main and file.endswith((".cu", ".cpp", ".cc", ".c"))]
                  for main in mains[:1]] + [mains[:1]]
    top = os.path.join(root, row["repository"])
    program["include"] = [folder]
    near = ["..", "../..", "inc", "include", "../include", "common", "../common", "../../common"]
    program["near"] = [folder + "/" + name for name in near] + [top, top + "/common", top + "/Common", top + "/src/include",
                                                                   top + "/CUDA", *(top + "/" + one for one in row.get("include", []))]
    program["builds"] = [build for build in builds if build]
    program["text"] = "".join(text_of(file) for build in program["builds"] for file in build)
    return program


def place_of(executable):
    return executable[:-len(".exe")] + ".folder"


def make_place(program, target):
    """The folder that a program runs in: all that is in its own, what it writes, and headers of CUDA that it compiles with."""
    place = place_of(target)
    os.makedirs(place, exist_ok=True)
    toolkit = os.path.join(os.path.dirname(os.path.realpath(shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")), "../include")
    files = [os.path.join(program["folder"], name) for name in os.listdir(program["folder"])]
    for file in files + [os.path.join(toolkit, name) for name in program.get("headers", [])]:
        link = os.path.join(place, os.path.basename(file))
        if not os.path.lexists(link):
            os.symlink(file, link)
    for name, (line, count) in program.get("inputs", {}).items():
        with open(os.path.join(place, name), "w") as file:
            file.write((line + "\n") * count)


def build(warplens, program, target):
    """None, or what stopped the compiler."""
    libraries = ["-l" + name for name, sign in LIBRARIES.items() if re.search(sign, program["text"])]
    include = ["-I" + folder for folder in program["include"] if os.path.isdir(folder)]
    near = ["-I" + folder for folder in program.get("near", []) if os.path.isdir(folder)]
    said = "no file here has a main()"
    for kernel in program.get("loaded", []):  # that it loads while it runs
        fatbin = os.path.join(place_of(target), os.path.basename(kernel)[:-len(".cu")] + "64.fatbin")
        subprocess.run([warplens, "nvcc", "-w", "-fatbin", *include, "-o", fatbin, kernel], capture_output=True, timeout=400)
    for files in program["builds"]:
        more = []
        while True:
            words = [warplens, "nvcc", "-w", "-O3", "-std=c++17", "-Xcompiler", "-fopenmp,-w", *program.get("options", []), *include]
            done = subprocess.run([*words, "-o", target, *files, *libraries, *more], cwd=program["folder"], capture_output=True, text=True,
                                  errors="replace", timeout=400)
            if done.returncode == 0:
                return None
            said = first_error(done.stderr)
            wanted = next((words for sign, words in REMEDIES.items() if re.search(sign, said)), near if "No such file" in said else [])
            if not wanted or wanted[0] in more:
                break
            more += wanted
    return said


def run(own, program, base):
    seconds = program.get("seconds", own.seconds)
    confined = ["--read", os.path.dirname(program["folder"]), "--write", base + ".folder"]
    words = [own.warplens, "exec", "--time", str(seconds), "--json", base + ".json", *(["--unconfined"] if own.unconfined else confined),
             base + ".exe", *program.get("arguments", [])]
    if os.path.exists(base + ".json"):
        os.remove(base + ".json")
    try:
        done = subprocess.run(words, cwd=base + ".folder", capture_output=True, stdin=subprocess.DEVNULL, timeout=seconds + 60)
    except subprocess.TimeoutExpired:
        return {"hung": True, "code": None, "out": "", "err": ""}
    out, err = (part.decode(errors="replace")[-20000:] for part in (done.stdout, done.stderr))
    report = json.load(open(base + ".json")) if os.path.exists(base + ".json") else {}
    report.pop("launches", None)
    return {"hung": False, "code": done.returncode, "out": out, "err": err, "report": report}


def one(own, program, again):
    base = os.path.join(own.work, re.sub(r"[^\w.-]", "_", program["name"]))
    if os.path.exists(base + ".result") and not again:
        return sort_result(program, json.load(open(base + ".result")))
    result = {}
    if program["not_asked"] == "":
        make_place(program, base + ".exe")
        if not os.path.exists(base + ".exe"):
            result["not_built"] = build(own.warplens, program, base + ".exe")
        if not result.get("not_built"):
            result.update(run(own, program, base))
    with open(base + ".result", "w") as file:
        json.dump(result, file)
    return sort_result(program, result)


def overhead(warplens, work):
    """(launches, seconds of the program, seconds of its kernels) of launches.cu: of five times the one whose share beside kernels is in the middle."""
    report = os.path.join(work, "launches.json")
    times = []
    for _ in range(5):
        subprocess.run([warplens, "exec", "--no-repeats", "--json", report, HERE + "/launches.cu"], check=True, capture_output=True)
        read = json.load(open(report))
        times.append((read["launch_count"], read["seconds"], read["emulated_seconds"]))
    return sorted(times, key=lambda one: one[1] / one[2])[2]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--warplens", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--samples")
    parser.add_argument("--repositories")
    parser.add_argument("--seconds", type=float, default=30, help="for a program that programs.toml gives no other limit")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--first", default="", help="parts of names, a comma between them: what takes longest, which begins before the others")
    parser.add_argument("--unconfined", action="store_true", help="where Linux has no Landlock")
    parser.add_argument("--page", help="the page to write")
    parser.add_argument("--machine", default="", help="a sentence for the page: where they ran")
    parser.add_argument("--launches", help="LAUNCHES,SECONDS,SECONDS_IN_KERNELS of launches.cu, where it ran elsewhere")
    parser.add_argument("names", nargs="*", help="run these again: parts of names")
    own = parser.parse_args()
    os.makedirs(own.work, exist_ok=True)
    notes = tomllib.load(open(HERE + "/programs.toml", "rb"))
    programs = samples(own.samples, notes["sample"]) if own.samples else []
    if own.repositories:
        programs += [published(own.repositories, row) for row in notes["file"]]
    if own.names and not own.page:
        programs = [program for program in programs if any(name in program["name"] for name in own.names)]
    first = [part for part in own.first.split(",") if part]
    programs_by_length = sorted(programs, key=lambda program: not any(part in program["name"] for part in first))
    rows = {}
    with concurrent.futures.ThreadPoolExecutor(own.jobs) as workers:
        running = [workers.submit(one, own, program, bool(own.names) and not own.page) for program in programs_by_length]
        for program in concurrent.futures.as_completed(running):
            row = program.result()
            rows[row["name"]] = row
            if not own.page:
                print(row["kind"], row["name"], row["words"], sep="\t", flush=True)
    sorted_results = [rows[program["name"]] for program in programs]
    if own.page:
        launches = tuple(float(part) for part in own.launches.split(",")) if own.launches else overhead(own.warplens, own.work)
        write_page(own.page, sorted_results, launches, own.machine)


if __name__ == "__main__":
    main()
