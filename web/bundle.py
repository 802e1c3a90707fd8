#!/usr/bin/env python3
"""bundle.py [--all-sets] PROGRAM WIDTHS OUT WORK [CACHE...]: what a page fetches beside the module: data.gz (kernel texts, tables,
lessons, widths of the fonts), for each step kernels/LADDER/STEP.gz, the kernel as PROGRAM compiles it with its own values,
kernels/LADDER.gz, all of these, and kernels/LADDER/sets/FILE.gz, one kernel each: with one value moved (--all-sets: all valid sets),
and for devices of other compute capabilities. What is compiled stays in the folder WORK; what is in a folder CACHE already is not
compiled again.
An archive is a line of JSON, path to length, and then the files one after another. The archives of a step and of its ladder have a
file sets/LADDER/STEP that lists the single ones (page/module.js)."""
import concurrent.futures, gzip, json, os, re, shutil, struct, subprocess, sys, tomllib

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FNV_START, FNV_PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
# Of a cubin, what neither the time model nor the merges read; the PTX is there a second time.
LEFT_OUT = (b".nv_debug_ptx_txt",)
# Whose sliders may be moved as well.
OLDER = "80"
LETTERS = 16  # of a file's name, that lists have


def archive(files):
    head = json.dumps({path: len(data) for path, data in files}, separators=(",", ":"))
    return gzip.compress(head.encode() + b"\n" + b"".join(data for _, data in files), 9, mtime=0)


def fnv(data):
    value = FNV_START
    for byte in data:
        value = (value ^ byte) * FNV_PRIME & MASK
    return value


def emptied(cubin):
    """The same ELF file, with zeros where nothing is read."""
    if cubin[:4] != b"\x7fELF":
        return cubin
    out = bytearray(cubin)
    sections, size, count, names = struct.unpack_from("<Q", cubin, 40)[0], *struct.unpack_from("<HHH", cubin, 58)
    header = lambda i: struct.unpack_from("<IIQQQQ", cubin, sections + i * size)
    names_at = header(names)[4]
    for i in range(count):
        name, _, _, _, offset, length = header(i)
        if cubin[names_at + name : cubin.index(b"\0", names_at + name)] in LEFT_OUT:
            out[offset : offset + length] = bytes(length)
    return bytes(out)


def texts_of(entry):
    """engine/compile/cache.cpp: magic, length, checksum, six texts with their lengths, the request first and the cubin last."""
    at, texts = 24, []
    while at < len(entry):
        size = struct.unpack_from("<Q", entry, at)[0]
        texts.append(entry[at + 8 : at + 8 + size])
        at += 8 + size
    return texts


def stripped(entry):
    texts = texts_of(entry)
    texts[-1] = emptied(texts[-1])
    payload = b"".join(struct.pack("<Q", len(t)) + t for t in texts)
    return entry[:8] + struct.pack("<QQ", len(payload), fnv(payload)) + payload


def kept(path, folder):
    """The file as one of this folder: programs that run meanwhile clear the caches that they share."""
    to = os.path.join(folder, "of-caches", os.path.basename(path))
    os.makedirs(os.path.dirname(to), exist_ok=True)
    try:
        os.link(path, to)
    except FileExistsError:
        pass
    except OSError:  # another file system
        shutil.copy2(path, to)
    return to


class Compiled:
    """What is in the folders of compiled kernels, by file, architecture and values. What is used of others stays in the first one."""

    def __init__(self, folders):
        self.entries, self.seen, self.folders = {}, set(), folders
        self.look()

    def look(self):
        for folder in self.folders:
            for place, _, names in os.walk(folder):
                for name in sorted(n for n in names if n.endswith(".build") and n not in self.seen):
                    self.seen.add(name)
                    try:
                        self.add(os.path.join(place, name), folder)
                    except FileNotFoundError:
                        pass  # cleared since it was listed

    def add(self, path, folder):
        request = texts_of(read(path))[0].decode()
        head = re.match(r"arch (\w+) cubin true file \d+:/?(\S+)\n((?:define .*\n)*)", request)
        if head:
            source = request[request.index("\nsource ") :].split(":", 1)[1]
            if folder != self.folders[0]:
                path = kept(path, self.folders[0])
            values = tuple(sorted(re.findall(r"define \d+:(\w+)=(-?\d+)", head[3])))
            self.entries.setdefault((head[2], source), {}).setdefault((head[1], values), []).append(path)

    def of(self, kernel):
        """(architecture, values) -> files, of the text that the kernel has now; several where what it includes changed."""
        return self.entries.get((os.path.basename(kernel["path"]), read(kernel["path"]).decode()), {})


def files_below(folder, ends=()):
    for place, _, names in sorted(os.walk(os.path.join(root, folder))):
        for name in sorted(names):
            if not ends or name.endswith(ends):
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    yield "home/" + os.path.relpath(path, root), file.read()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def own_values(kernel):
    return tuple(sorted((p["name"], str(p["default"])) for p in kernel["params"]))


def architecture(kernel):
    own = re.search(r'^arch\s*=\s*"(\w+)"', read(kernel["path"]).decode(), re.M)
    return own[1] if own else "90"


def architectures(program, kernel):
    """What the kernels of each device are compiled for, by its name; first those that are rows of their compute capability alone."""
    with open(os.path.join(root, "assets/devices.toml"), "rb") as file:
        table = tomllib.load(file)
    devices = ["cc" + row["id"] for row in table["capability"]] + [row["id"] for row in table["device"]]
    run = lambda device: subprocess.run([program, "run", kernel["kernel"], "--device", device, "--json", "--home", root], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return {device: json.loads(run(device).stdout)["compiled_for"].removeprefix("sm_") for device in devices}


def compile_missing(program, kernel, compiled, work, devices, all_sets):
    """With its own values for all devices, and with others for two; what is not legal, or cannot be compiled for a device, is nothing."""
    there, own, arch = compiled.of(kernel), own_values(kernel), architecture(kernel)
    # A folder each: the program keeps no more than 256 MiB in one.
    run = lambda *words, of: subprocess.run([program, *words, "--cache", os.path.join(work, kernel["kernel"], of), "--home", root],
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    moved = [(p["name"], str(v)) for p in kernel["params"] for v in p["values"] if dict(own)[p["name"]] != str(v)]
    words_of = {arch: []} | {of: ["--device", device] for device, of in devices.items() if of != "90" and not device.startswith("cc")}
    for of, words in words_of.items():
        if (of, own) not in there and not run("occupancy", kernel["kernel"], *words, of=of) or of not in (arch, OLDER):
            continue
        if all_sets:
            run("tune", kernel["kernel"], "--compile", *words, of=of)
            continue
        for name, value in moved:
            if (of, tuple(sorted({**dict(own), name: value}.items()))) not in there:
                run("occupancy", kernel["kernel"], *words, f"-D{name}={value}", of=of)


def shipped(path):
    """The entry under its request's name, which is that of the engine that lacks it."""
    return f"cache/{os.path.basename(path).split('-')[0]}.build", stripped(read(path))


def write_archive(path, files):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    packed = archive(files)
    with open(path, "wb") as file:
        file.write(packed)
    return len(packed)


def write_step(folder, kernel, compiled):
    """Writes the single kernels of a step; gives what its archive has, and how many bytes the single ones are."""
    own, arch, lines, files, written = own_values(kernel), architecture(kernel), [], [], 0
    found = [(of, values, path) for (of, values), paths in sorted(compiled.of(kernel).items()) for path in paths]
    for of, values, path in found:
        name, data = shipped(path)
        if (of, values) == (arch, own):
            files.append((name, data))
            continue
        letters = name.removeprefix("cache/")[:LETTERS]
        lines.append(" ".join([letters, of, *([] if values == own else [f"{n}={v}" for n, v in values])]))
        written += write_archive(os.path.join(folder, kernel["kernel"].split("/")[0], "sets", f"{letters}.gz"), [(name, data)])
    if not files:
        sys.exit(f"{kernel['kernel']} was not compiled with its own values")
    return [*files, (f"sets/{kernel['kernel']}", "".join(line + "\n" for line in lines).encode())], written


def main():
    all_sets = "--all-sets" in sys.argv
    program, widths, out, work, *caches = [word for word in sys.argv[1:] if word != "--all-sets"]
    kernels = json.loads(subprocess.run([program, "list", "--json", "--home", root], check=True, stdout=subprocess.PIPE, text=True).stdout)
    compiled, devices = Compiled([work, *caches]), architectures(program, min(kernels, key=lambda kernel: len(read(kernel["path"]))))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda kernel: compile_missing(program, kernel, compiled, work, devices, all_sets), kernels))
    compiled.look()
    data = [*files_below("kernels"), *files_below("assets"), *files_below("lessons", (".md", ".cu"))]
    data.append(("home/assets/font_widths.txt", read(widths)))
    data.append(("cache/.keep", b""))
    write_archive(os.path.join(out, "data.gz"), data)
    ladders, folder = {}, os.path.join(out, "kernels")
    for kernel in kernels:
        files, written = write_step(folder, kernel, compiled)
        write_archive(os.path.join(folder, f"{kernel['kernel']}.gz"), files)
        of = ladders.setdefault(kernel["kernel"].split("/")[0], {"files": [], "sets": 0, "bytes": 0})
        of["files"] += files
        of["sets"] += files[-1][1].count(b"\n")
        of["bytes"] += written
    for name, of in sorted(ladders.items()):
        size = write_archive(os.path.join(folder, f"{name}.gz"), of["files"])
        print(f"{name}: {size} bytes, and {of['sets']} kernels of {of['bytes']} bytes one by one")


if __name__ == "__main__":
    main()
