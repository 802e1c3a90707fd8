#!/usr/bin/env python3
"""Fails where a source includes a room that is on no lower floor of tools/floors.txt, or one that its target does not
link, and where a file or a folder is too large: check_floors.py TREE [--table]. With --table it prints the floors as the
tree is now.

A room is a folder with sources. Tests, and what is in a folder named testing, may include what their target links."""

import fnmatch
import pathlib
import re
import sys

LAYERS = ("runtime", "engine", "viz", "app", "tools")
MOST_LINES, MOST_HEADER_LINES, MOST_FILES = 600, 150, 40

# What only some folders may see: a pattern of include, link or library loaded at run time, and who may.
OUTSIDE = [
    (r"imgui", "viz/paint/* app/*", "only viz/paint and app see ImGui"),
    (r"glfw|GLFW", "app/*", "only app sees GLFW"),
    (r"<(glad|GL|EGL|GLES\d*)/|OpenGL::|warplens_glad", "viz/live/* app/*", "only viz/live and app see GL"),
    (r"<(cuda|cudaGL|cuda_runtime\w*)\.h>|libcuda\.so|CUDA::(?!nvrtc)", "engine/gpu/* runtime/* tools/*", "only engine/gpu sees the CUDA driver, and runtime stands in for it"),
    (r"<nvrtc\.h>|libnvrtc|CUDA::nvrtc", "engine/compile/* runtime/* tools/*", "only engine/compile sees NVRTC, and runtime stands in for it"),
]


def matches(path, patterns):
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns.split())


class Tree:
    def __init__(self, root):
        self.root = root
        self.complaints = []
        self.files = sorted(str(path.relative_to(root)) for layer in LAYERS for path in (root / layer).rglob("*")
                            if path.suffix in (".cpp", ".hpp", ".h", ".inc") or path.name == "CMakeLists.txt")
        self.text = {file: (root / file).read_text() for file in self.files}
        self.sources = [file for file in self.files if not file.endswith(".txt")]

    def complain(self, file, what):
        self.complaints.append(f"{file}: {what}")

    def includes(self, file):
        return re.findall(r'^\s*#\s*include\s*"([^"]+)"', self.text[file], re.M)


def is_test(file):
    return re.search(r"(_test|_benchmark|_fuzz)\.cpp$|/testing/|_main\.cpp$", file) is not None or file.startswith("tools/")


def room_of(file):
    return str(pathlib.PurePosixPath(file).parent)


# ---- the floors, from the ground up: a room includes what is on lower floors, so that there are no circles

TABLE = "tools/floors.txt"


def read_floors(tree):
    """{room: its floor}."""
    path = tree.root / TABLE
    floors, floor = {}, 0
    for line in path.read_text().splitlines() if path.exists() else []:
        rooms = line.partition("#")[0].split()
        for room in rooms:
            if room in floors:
                tree.complain(TABLE, f"{room} is named twice")
            floors[room] = floor
        floor += bool(rooms)
    return floors


def uses_of(tree):
    """{room: {another room that it includes: a file that does, and what}}, without tests."""
    uses = {room_of(file): {} for file in tree.sources if not is_test(file)}
    for file in tree.sources:
        for include in [] if is_test(file) else tree.includes(file):
            if include.startswith(LAYERS) and room_of(include) != room_of(file):
                uses[room_of(file)].setdefault(room_of(include), (file, include))
    return uses


def check_rooms(tree, floors):
    uses = uses_of(tree)
    for room in sorted(set(uses) - set(floors)):
        tree.complain(room, f"on no floor of {TABLE}")
    for room in sorted(set(floors) - set(uses)):
        tree.complain(TABLE, f"{room} has no sources")
    for room, used in uses.items():
        for other, (file, include) in used.items():
            if "testing" in include.split("/"):
                tree.complain(file, f"{include} is for tests")
            elif floors.get(other, len(floors)) >= floors.get(room, -1):
                tree.complain(file, f"{include} is not on a lower floor than {room}")


def print_floors(tree):
    """The fewest floors that the rooms fit on; rooms of circles come last, each with those that it includes."""
    left = {room: set(used) for room, used in uses_of(tree).items()}
    while left:
        ready = sorted(room for room, used in left.items() if not used & set(left))
        if not ready:
            break
        print(" ".join(ready))
        for room in ready:
            left.pop(room)
    for room, used in sorted(left.items()):
        print(f"# a circle, or above one: {room} includes {' '.join(sorted(used & set(left)))}")


# ---- links

KEYWORDS = {"SOURCES", "LINKS", "PRIVATE_LINKS", "PUBLIC", "PRIVATE", "INTERFACE", "COST", "SHARDS", "LONG", "FEW"}


def arguments(call):
    """{keyword: its words} of a call of CMake; "" has those before the first keyword."""
    result, keyword = {"": []}, ""
    for word in call.split():
        if word in KEYWORDS:
            keyword = word
        result.setdefault(keyword, []).extend([] if word in KEYWORDS else [word])
    return result


def resolved(folder, source):
    parts = []
    for part in pathlib.PurePosixPath(folder, source).parts:
        parts = parts[:-1] if part == ".." else parts + [part]
    return "/".join(parts)


class Targets:
    """Who compiles which source, and what that target links."""

    def __init__(self, tree):
        self.links, self.private, self.compiled, self.homes = {}, {}, {}, {}
        for file in tree.files:
            if file.endswith("CMakeLists.txt"):
                self.read(room_of(file), re.sub(r"#.*", "", tree.text[file]))

    def read(self, folder, text):
        for kind, call in re.findall(r"\b(warplens_library|warplens_test|warplens_benchmark|add_executable|"
                                     r"target_sources|target_link_libraries)\s*\(([^)]*)\)", text):
            words = arguments(call)
            name = words[""][0]
            self.links.setdefault(name, []).extend(words.get("LINKS", []) + (
                words.get("PUBLIC", []) if kind == "target_link_libraries" else []))
            self.private.setdefault(name, []).extend(words.get("PRIVATE_LINKS", []) + (
                words.get("PRIVATE", []) if kind == "target_link_libraries" else []))
            for source in re.findall(r"\S+\.cpp", "" if kind == "target_link_libraries" else call):
                file = resolved(folder, source)
                self.compiled.setdefault(file, set()).add(name)
                if kind in ("warplens_library", "target_sources"):
                    self.homes.setdefault(room_of(file), name)

    def home(self, file):
        """The library that a header belongs to: that of the nearest folder's sources."""
        folder = room_of(file)
        while folder and folder not in self.homes and not folder.endswith("/testing"):
            folder = folder.rpartition("/")[0]
        return self.homes.get(folder)

    def owners(self, file):
        return self.compiled.get(file) or {self.home(file)} - {None}

    def reach(self, name):
        """What this target compiles with: what it links, and what that links in public."""
        seen, left = {name}, self.links.get(name, []) + self.private.get(name, [])
        while left:
            other = left.pop()
            if other not in seen:
                seen.add(other)
                left += self.links.get(other, [])
        return seen


def check_links(tree):
    targets = Targets(tree)
    for file in tree.sources:
        for owner in sorted(targets.owners(file)):
            reach = targets.reach(owner)
            for include in tree.includes(file):
                home = targets.home(include)
                if home and home not in reach:
                    tree.complain(file, f"{include} is of {home}, which {owner} does not link")


# ---- layers, what is outside of the tree, sizes

def check_layers(tree):
    for file in tree.files:
        layer = file.split("/")[0]
        allowed = LAYERS[: LAYERS.index(layer) + 1]
        for other in LAYERS:
            if other in allowed:
                continue
            if any(include.startswith(other + "/") for include in tree.includes(file)):
                tree.complain(file, f"{layer} does not know {other}")
        if file.endswith("CMakeLists.txt") and layer in ("engine", "viz"):
            for word in re.findall(r"\bwarplens_(?:app|viz)\b" if layer == "viz" else
                                   r"\bwarplens_(?:app|viz|theme|scene|paint|plot|figures|live)\w*", tree.text[file]):
                tree.complain(file, f"{layer} may not link {word}")


def check_outside(tree):
    for file in tree.files:
        if file.endswith("CMakeLists.txt"):
            lines = [line for line in tree.text[file].splitlines() if not line.lstrip().startswith("#")]
        else:
            lines = [line for line in tree.text[file].splitlines()
                     if re.match(r'\s*#\s*include|[^/]*"[^"]*\.so', line)]
        for pattern, who, why in OUTSIDE:
            if not matches(file, who):
                for line in lines:
                    if re.search(pattern, line):
                        tree.complain(file, f"{line.strip()}: {why}")


def check_sizes(tree):
    folders = {}
    for file in tree.sources:
        lines = tree.text[file].count("\n")
        most = MOST_HEADER_LINES if file.endswith(".hpp") and "/testing/" not in file else MOST_LINES
        if lines > most:
            tree.complain(file, f"{lines} lines; {most} is the most")
        folders.setdefault(room_of(file), []).append(file)
    for folder, files in folders.items():
        if len(files) > MOST_FILES:
            tree.complain(folder, f"{len(files)} sources; {MOST_FILES} is the most in one folder")


def main():
    tree = Tree(pathlib.Path(sys.argv[1]))
    if not tree.sources:
        sys.exit(f"no sources under {tree.root}")
    if "--table" in sys.argv:
        return print_floors(tree)
    check_rooms(tree, read_floors(tree))
    check_links(tree)
    check_layers(tree)
    check_outside(tree)
    check_sizes(tree)
    for complaint in tree.complaints:
        print(complaint, file=sys.stderr)
    print(f"{len(tree.sources)} sources checked")
    sys.exit(1 if tree.complaints else 0)


if __name__ == "__main__":
    main()
