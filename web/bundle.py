#!/usr/bin/env python3
"""bundle.py PROGRAM WIDTHS OUT WORK [CACHE...]: what a page fetches beside the module: data.gz (kernel texts, tables, lessons, widths
of the fonts), for each step kernels/LADDER/STEP.gz, the kernel as PROGRAM compiles it with its own values, kernels/LADDER.gz, all of
these, and kernels/LADDER/STEP+.gz, those with other values: one moved at a time, and whatever else was compiled. For devices of other
compute capabilities kernels/LADDER@ARCH.gz with the kernels' own values, and for one of them kernels/LADDER/STEP@ARCH+.gz. What is compiled stays in the folder WORK; what is in a folder CACHE already is not compiled again.
An archive is a line of JSON, path to length, and then the files one after another."""
import gzip, json, os, re, struct, subprocess, sys, tomllib

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FNV_START, FNV_PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
# Of a cubin, what neither the time model nor the merges read; the PTX is there a second time.
LEFT_OUT = (b".nv_debug_ptx_txt",)
# Whose sliders may be moved as well.
OLDER = "80"


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


class Compiled:
    """What is in the folders of compiled kernels, by file, architecture and values."""

    def __init__(self, folders):
        self.entries, self.seen, self.folders = {}, set(), folders
        self.look()

    def look(self):
        for folder in self.folders:
            for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
                if name.endswith(".build") and name not in self.seen:
                    self.seen.add(name)
                    self.add(name, os.path.join(folder, name))

    def add(self, name, path):
        request = texts_of(read(path))[0].decode()
        head = re.match(r"arch (\w+) cubin true file \d+:/?(\S+)\n((?:define .*\n)*)", request)
        if head:
            source = request[request.index("\nsource ") :].split(":", 1)[1]
            values = tuple(sorted(re.findall(r"define \d+:(\w+)=(-?\d+)", head[3])))
            self.entries.setdefault((head[2], source), {}).setdefault((head[1], values), []).append((name, path))

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


def compile_missing(program, kernel, compiled, work, devices):
    """With its own values for all devices, and with one value moved for two; what is not legal, or cannot be compiled for a device, is nothing."""
    there, own, arch = compiled.of(kernel), own_values(kernel), architecture(kernel)
    compile = lambda words: subprocess.run([program, "occupancy", kernel["kernel"], *words, "--cache", work, "--home", root], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    moved = [(p["name"], str(v)) for p in kernel["params"] for v in p["values"] if dict(own)[p["name"]] != str(v)]
    words_of = {arch: []} | {of: ["--device", device] for device, of in devices.items() if of != "90" and not device.startswith("cc")}
    for of, words in words_of.items():
        if (of, own) not in there and not compile(words) or of not in (arch, OLDER):
            continue
        for name, value in moved:
            if (of, tuple(sorted({**dict(own), name: value}.items()))) not in there:
                compile([*words, f"-D{name}={value}"])


def packed(found):
    return sorted((f"cache/{name}", stripped(read(path))) for name, path in found)


def write_archive(path, files):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    packed = archive(files)
    with open(path, "wb") as file:
        file.write(packed)
    print(f"{os.path.basename(path)}: {len(files)} kernels, {len(packed)} bytes")


def main():
    program, widths, out, work, *caches = sys.argv[1:]
    kernels = json.loads(subprocess.run([program, "list", "--json", "--home", root], check=True, stdout=subprocess.PIPE, text=True).stdout)
    compiled, devices = Compiled([work, *caches]), architectures(program, min(kernels, key=lambda kernel: len(read(kernel["path"]))))
    for kernel in kernels:
        compile_missing(program, kernel, compiled, work, devices)
    compiled.look()
    archives = {}
    for kernel in kernels:
        ladder, own, arch = kernel["kernel"].split("/")[0], own_values(kernel), architecture(kernel)
        for (of, values), found in compiled.of(kernel).items():
            at = "" if of == arch else f"@{of}"
            for name in ([f"{ladder}{at}", *([] if at else [kernel["kernel"]])] if values == own else [f"{kernel['kernel']}{at}+"]):
                archives.setdefault(name, []).extend(found)
    data = [*files_below("kernels"), *files_below("assets"), *files_below("lessons", (".md", ".cu"))]
    data.append(("home/assets/font_widths.txt", read(widths)))
    data.append(("cache/.keep", b""))
    # An archive for an architecture is one of each of its devices.
    of_device = lambda name: [(name, b"")] if "@" not in name else [(name.replace(f"@{of}", f"@{device}"), name.encode()) for device, of in devices.items() if re.search(f"@{of}\\b", name)]
    data += [(f"bundles/{name}", file) for archive in sorted(archives) for name, file in of_device(archive)]
    with open(os.path.join(out, "data.gz"), "wb") as file:
        file.write(archive(data))
    for name, found in sorted(archives.items()):
        write_archive(os.path.join(out, "kernels", f"{name}.gz"), packed(found))


if __name__ == "__main__":
    main()
