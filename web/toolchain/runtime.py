#!/usr/bin/env python3
"""runtime.py ZIGLANG OUT: what ziglang leaves out for wasm32-wasi, made of its own sources: the run time of C++ exceptions,
std::filesystem and file streams, and its C++ libraries without what stands in for exceptions."""
import glob, os, shutil, subprocess, sys

zig_folder, out = (os.path.abspath(p) for p in sys.argv[1:3])
here = os.path.dirname(os.path.abspath(__file__))
zig, lib = f"{zig_folder}/zig", f"{zig_folder}/lib"
os.makedirs(out, exist_ok=True)
os.environ["ZIG_GLOBAL_CACHE_DIR"] = f"{out}/cache"
FEATURES = "generic+exception_handling+bulk_memory+sign_ext+nontrapping_fptoint+mutable_globals+simd128"
FLAGS = f"-w -target wasm32-wasi -mcpu={FEATURES} -fwasm-exceptions -fPIC -O2".split()
FILES = "-U_LIBCPP_HAS_FILESYSTEM -D_LIBCPP_HAS_FILESYSTEM=1 -D_LIBCPP_BUILDING_LIBRARY".split()
ABI = [f"-I{lib}/{d}" for d in ("libcxxabi/include", "libcxxabi/src", "libcxx/src", "libunwind/include")]
ABI += "-D_LIBCXXABI_BUILDING_LIBRARY -D_LIBCPP_BUILDING_LIBRARY -D_LIBCXXABI_HAS_NO_THREADS".split()


def call(*words):
    subprocess.run(words, check=True)


def compile_cxx(source, flags):
    call(zig, "c++", *FLAGS, "-std=c++23", *flags, "-c", source, "-o", f"{out}/{os.path.basename(source)}.o")


for name in ("cxa_exception", "cxa_personality"):
    compile_cxx(f"{lib}/libcxxabi/src/{name}.cpp", ABI)
for name in ("directory_entry", "directory_iterator", "filesystem_clock", "filesystem_error", "operations", "path"):
    compile_cxx(f"{lib}/libcxx/src/filesystem/{name}.cpp", [*FILES, f"-I{lib}/libcxx/src"])
for name in ("fstream", "ios.instantiations"):
    compile_cxx(f"{lib}/libcxx/src/{name}.cpp", [*FILES, f"-I{lib}/libcxx/src"])
call(zig, "cc", *FLAGS, "-fdeclspec", f"-I{lib}/libunwind/include", "-c", f"{lib}/libunwind/src/Unwind-wasm.c", "-o", f"{out}/unwind.o")
call(zig, "cc", "-target", "wasm32-wasi", "-mcpu=generic+exception_handling", "-c", f"{here}/tag.s", "-o", f"{out}/tag.o")

# The libraries are in zig's cache once any program is linked with them.
with open(f"{out}/any.cpp", "w") as file:
    file.write("#include <string>\n#include <cstdio>\nint main(int c, char** v) { std::string s(v[0]); std::puts(s.c_str()); }\n")
made = subprocess.run([zig, "c++", "-target", "wasm32-wasi", "-mcpu=generic+bulk_memory", "-O2", "-fno-exceptions", f"{out}/any.cpp", "-o", f"{out}/any.wasm"],
                      capture_output=True, text=True)
if made.returncode:
    sys.exit(made.stderr)
for name in ("libc++.a", "libc++abi.a"):
    newest = max(glob.glob(f"{out}/cache/o/*/{name}"), key=os.path.getmtime)
    shutil.copy(newest, f"{out}/{name}")
members = subprocess.run([zig, "ar", "t", f"{out}/libc++abi.a"], check=True, capture_output=True, text=True).stdout.split()
call(zig, "ar", "d", f"{out}/libc++abi.a", *[m for m in members if "cxa_noexception" in m])
