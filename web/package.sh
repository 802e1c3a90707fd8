#!/usr/bin/env bash
# Makes out/warplens-web, a folder for any web server. What takes long is kept in build/: the toolchain, its run time, the objects.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/prepare.sh
source "$root/tools/prepare.sh"

prepare build web
build release warplens print_fingerprints print_font_widths

# Pinned: another clang would give another module, and other libraries to mend.
if [[ ! -e $root/build/ziglang/zig ]]; then
  python3 -m venv "$root/build/web-toolchain"
  "$root/build/web-toolchain/bin/pip" install -q ziglang==0.16.0
  ln -sfn "$(cd "$root/build" && ls -d web-toolchain/lib/python3*/site-packages/ziglang)" "$root/build/ziglang"
fi
export ZIG_GLOBAL_CACHE_DIR=$root/build/wasm-runtime/cache
[[ -e $root/build/wasm-runtime/libc++abi.a ]] || nice python3 "$root/web/toolchain/runtime.py" "$root/build/ziglang" "$root/build/wasm-runtime"
[[ -e $root/build/web/build.ninja ]] ||
  cmake -S "$root" -B "$root/build/web" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$root/web/toolchain/zig.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DWARPLENS_PLATFORM=none -DWARPLENS_NATIVE_BUILD="$root/build/release" >&2
nice ninja -C "$root/build/web" warplens_web >&2

site=$root/out/warplens-web
rm -rf "$site"
mkdir -p "$site"
cp "$root"/web/page/* "$site/"
gzip -9 -n -c "$root/build/web/web/warplens_web.wasm" >"$site/warplens.wasm.gz"
"$root/build/release/bin/print_font_widths" >"$root/build/font_widths.txt"
python3 "$root/web/bundle.py" "$root/build/release/bin/warplens" "$root/build/font_widths.txt" "$site" >&2
say "$site, $(du -sh "$site" | cut -f 1)"
