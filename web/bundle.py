#!/usr/bin/env python3
"""bundle.py PROGRAM WIDTHS OUT [WORK]: what a page fetches beside the module: data.gz (kernel texts, tables, lessons, widths of the
fonts) and for each ladder kernels/LADDER.gz, the kernels that PROGRAM compiled with their defaults into the cache folder WORK.
An archive is a line of JSON, path to length, and then the files one after another."""
import gzip, json, os, struct, subprocess, sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FNV_START, FNV_PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
# Of a cubin, what neither the time model nor the merges read; the PTX is there a second time.
LEFT_OUT = (b".nv_debug_ptx_txt",)
# Of these every slider has its values, one moved at a time; of the others the files' own values.
WITH_SLIDERS = ("matmul", "transpose", "reduction")


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


def compile_ladder(program, ladder, cache):
    """Every step with its own values, and with each slider moved alone."""
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    where = ["--cache", cache, "--home", root]
    subprocess.run([program, "run", ladder, "--json", *where], **quiet)
    kernels = json.loads(subprocess.run([program, "list", "--json", "--home", root], check=True, **quiet).stdout)
    for kernel in (k for k in kernels if k["kernel"].startswith(ladder + "/") and ladder in WITH_SLIDERS):
        for p in kernel["params"]:
            for value in (v for v in p["values"] if v != p["default"]):
                subprocess.run([program, "occupancy", kernel["kernel"], "-D", f"{p['name']}={value}", *where], **quiet)


def main():
    program, widths, out = sys.argv[1:4]
    work = sys.argv[4] if len(sys.argv) > 4 else os.path.join(root, "build/web-kernels")
    os.makedirs(os.path.join(out, "kernels"), exist_ok=True)
    data = [*files_below("kernels"), *files_below("assets"), *files_below("lessons", (".md", ".cu"))]
    data.append(("home/assets/font_widths.txt", read(widths)))
    data.append(("cache/.keep", b""))
    with open(os.path.join(out, "data.gz"), "wb") as file:
        file.write(archive(data))
    for ladder in sorted(d for d in os.listdir(f"{root}/kernels") if os.path.isdir(f"{root}/kernels/{d}")):
        cache = os.path.join(work, ladder)
        compile_ladder(program, ladder, cache)
        entries = [(f"cache/{n}", stripped(read(f"{cache}/{n}"))) for n in sorted(os.listdir(cache)) if n.endswith(".build")]
        packed = archive(entries)
        with open(os.path.join(out, "kernels", f"{ladder}.gz"), "wb") as file:
            file.write(packed)
        print(f"{ladder}: {len(entries)} kernels, {len(packed)} bytes")


if __name__ == "__main__":
    main()
