"""docs/evidence/programs.md."""
import collections
import re

import outcome

KINDS = (outcome.RIGHT, outcome.FAULT, outcome.TIME, outcome.MISSING, outcome.WRONG, outcome.CRASH, outcome.UNJUDGED, outcome.NOTHING)
HEAD = """# Whole programs

NVIDIA's samples (0_Introduction, 2_Concepts_and_Techniques, 6_Performance) and 150 published files of 17 repositories, compiled by
`warplens nvcc` and run by `warplens exec` with CUDA 13.0's nvcc; no launch of theirs runs on a GPU. None of these sources is part of Warplens.
Written by `tools/programs/run_programs.py` from trees that it is given; arguments, and what a reader of the source found out, stand in
`tools/programs/programs.toml`. {machine}

* right: it ended by itself with the exit code that it promises, and says nothing of a failure. Many say that they passed; some say nothing.
* true fault: it ended with a fault, or a wrong result, that the source has.
* out of time: it did not end within the limit (90 seconds, where programs.toml says nothing else).
* not supported: it asks for what is not there, by name.
* launches nothing: it wants input that is not there, or has no work for one such GPU.
* not judged: it has a finding that nobody has held against the source yet.
* not built: by nvcc and g++ from its folder. Not asked: of textures, graphics and MPI.
"""


def share(rows):
    count = collections.Counter(row["kind"] for row in rows)
    built = sum(count[kind] for kind in KINDS)
    good = count[outcome.RIGHT] + count[outcome.FAULT]
    return count, built, f"{good} of {built} ({good / max(built, 1):.0%})"


def summary(name, rows):
    count, built, good = share(rows)
    cells = [str(count[kind]) for kind in KINDS]
    return f"| {name} | {len(rows)} | {count[outcome.NOT_ASKED]} | {count[outcome.NOT_BUILT]} | {built} | " + " | ".join(cells) + f" | {good} |\n"


def escaped(text):
    text = re.sub(r"(^| )/[^:(]*/", r"\1", text)  # folders of the computer that it ran on
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ").strip()


def table(rows):
    text = "| program | | launches | |\n|---|---|--:|---|\n"
    for row in rows:
        words = escaped("; ".join(part for part in (row["words"], row["note"]) if part))
        text += f"| {escaped(row['name'])} | {row['kind']} | {row.get('launches') or ''} | {words} |\n"
    return text


def speed(launches, seconds, kernels):
    return (f"\n## What launches cost\n\n{launches:.0f} launches of a kernel over 2^20 floats (`tools/programs/launches.cu`), each of which runs: {seconds:.2f} s from the "
            f"program's start to its end, {kernels:.2f} s of it in kernels, so {seconds / kernels - 1:.0%} more than the kernels; "
            f"{(seconds - kernels) / launches * 1e6:.0f} µs a launch, the program's start and the checks of the first launch among them.\n")


def write_page(path, rows, launches, machine):
    sets = {"samples": [row for row in rows if row["set"] == "sample"], "published files": [row for row in rows if row["set"] == "file"]}
    text = HEAD.replace("{machine}", machine) + "\n| | all | not asked | not built | built | " + " | ".join(KINDS) + " | right or true fault |\n"
    text += "|---|" + "--:|" * (len(KINDS) + 5) + "\n"
    text += "".join(summary(name, some) for name, some in sets.items() if some)
    text += speed(*launches)
    for name, some in sets.items():
        if some:
            text += f"\n## {name.capitalize()}\n\n" + table(some)
    with open(path, "w") as file:
        file.write(text)
