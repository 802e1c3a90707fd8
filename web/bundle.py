#!/usr/bin/env python3
"""bundle.py PROGRAM WIDTHS OUT [WORK]: what a page fetches beside the module: data.gz (kernel texts, tables, lessons, widths of the
fonts), for each ladder kernels/LADDER.gz, the kernels as PROGRAM compiles them with their own values, and for some steps
kernels/LADDER/STEP.gz, those with one value moved. What is compiled stays below the folder WORK.
An archive is a line of JSON, path to length, and then the files one after another."""
import gzip, json, os, struct, subprocess, sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FNV_START, FNV_PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
# Of a cubin, what neither the time model nor the merges read; the PTX is there a second time.
LEFT_OUT = (b".nv_debug_ptx_txt",)
# Of these every slider has its values, one moved at a time; of the others the files' own values.
WITH_SLIDERS = ("matmul", "transpose", "reduction")
# That others than those of the newest compute capability compile for.
OLDER_DEVICE = "a100"


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


def stripped(entry):
    """engine/compile/cache.cpp: magic, length, checksum, six texts with their lengths, the cubin last."""
    at, texts = 24, []
    while at < len(entry):
        size = struct.unpack_from("<Q", entry, at)[0]
        texts.append(entry[at + 8 : at + 8 + size])
        at += 8 + size
    texts[-1] = emptied(texts[-1])
    payload = b"".join(struct.pack("<Q", len(t)) + t for t in texts)
    return entry[:8] + struct.pack("<QQ", len(payload), fnv(payload)) + payload


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


def entries_of(program, kernel, defines, cache):
    """What the kernel compiles to with each of these, in the order of their names."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    for define in defines:
        subprocess.run([program, "occupancy", kernel, *define, "--cache", cache, "--home", root], **quiet)
    names = sorted(os.listdir(cache)) if os.path.isdir(cache) else []
    return [(f"cache/{n}", stripped(read(f"{cache}/{n}"))) for n in names if n.endswith(".build")]


def write_archive(path, files):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    packed = archive(files)
    with open(path, "wb") as file:
        file.write(packed)
    print(f"{os.path.basename(path)}: {len(files)} kernels, {len(packed)} bytes")


def main():
    program, widths, out = sys.argv[1:4]
    work = sys.argv[4] if len(sys.argv) > 4 else os.path.join(root, "build/web-kernels")
    data = [*files_below("kernels"), *files_below("assets"), *files_below("lessons", (".md", ".cu"))]
    data.append(("home/assets/font_widths.txt", read(widths)))
    data.append(("cache/.keep", b""))
    with open(os.path.join(out, "data.gz"), "wb") as file:
        file.write(archive(data))
    kernels = json.loads(subprocess.run([program, "list", "--json", "--home", root], check=True, stdout=subprocess.PIPE, text=True).stdout)
    for ladder in sorted({k["kernel"].split("/")[0] for k in kernels}):
        steps = [k for k in kernels if k["kernel"].startswith(ladder + "/")]
        own = [e for k in steps for e in entries_of(program, k["kernel"], [[]], os.path.join(work, k["kernel"], "own"))]
        more = [(f"moved/{k['kernel']}", b"") for k in steps if ladder in WITH_SLIDERS]
        more.append((f"moved/{ladder}@{OLDER_DEVICE}", b""))
        write_archive(os.path.join(out, "kernels", f"{ladder}.gz"), own + more)
        older = [e for k in steps for e in entries_of(program, k["kernel"], [["--device", OLDER_DEVICE]], os.path.join(work, k["kernel"], OLDER_DEVICE))]
        write_archive(os.path.join(out, "kernels", f"{ladder}@{OLDER_DEVICE}.gz"), older)
        for k in steps if ladder in WITH_SLIDERS else []:
            moved = [[f"-D{p['name']}={v}"] for p in k["params"] for v in p["values"] if v != p["default"]]
            write_archive(os.path.join(out, "kernels", f"{k['kernel']}.gz"), entries_of(program, k["kernel"], moved, os.path.join(work, k["kernel"], "moved")))


if __name__ == "__main__":
    main()
