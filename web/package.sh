#!/usr/bin/env bash
# Makes out/warplens-web, a folder for any web server. What takes long is kept in build/: the toolchain, its run time, the objects, the
# compiled kernels. --all-sets: with all values that sliders can be set to together, some 16,000 kernels.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/prepare.sh
source "$root/tools/prepare.sh"

prepare build web nvrtc
build release warplens print_fingerprints print_font_widths

fetch_by_pip build/ziglang "$root/third_party/ziglang-packages.txt" "zig (100 MB)"
export ZIG_GLOBAL_CACHE_DIR=$root/build/wasm-runtime/cache
# The compiler cache sees a script of this tree, not which clang stands behind it.
CCACHE_COMPILERCHECK="string:$(grep -v '^#' "$root/third_party/ziglang-packages.txt")"
export CCACHE_COMPILERCHECK
[[ -e $root/build/wasm-runtime/libc++abi.a ]] || nice python3 "$root/web/toolchain/runtime.py" "$root/build/ziglang/ziglang" "$root/build/wasm-runtime"
[[ -e $root/build/web/build.ninja ]] ||
  cmake -S "$root" -B "$root/build/web" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$root/web/toolchain/zig.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DWARPLENS_PLATFORM=none -DWARPLENS_NATIVE_BUILD="$root/build/release" >&2
nice ninja -C "$root/build/web" warplens_web >&2

site=$root/out/warplens-web
rm -rf "$site"
mkdir -p "$site"
cp "$root"/web/page/* "$site/"
# What the compiler leaves is 7 % smaller on its way to a page.
module=$root/build/web/bin/warplens_web.wasm
[[ $module.small -nt $module ]] ||
  nice wasm-opt -O1 --enable-{simd,exception-handling,bulk-memory,sign-ext,nontrapping-float-to-int,mutable-globals,reference-types} "$module" -o "$module.small"
gzip -9 -n -c "$module.small" >"$site/warplens.wasm.gz"
: >"$site/served" # whoever asks whether a program serves the page is told that none does
# The engine is fetched while the page's own modules still are.
sed -i 's|<link rel="stylesheet" href="style.css">|&\n<link rel="preload" as="fetch" crossorigin href="warplens.wasm.gz"><link rel="preload" as="fetch" crossorigin href="data.gz">|' "$site/index.html" "$site/figure.html"
"$root/build/release/bin/print_font_widths" >"$root/build/font_widths.txt"
python3 "$root/web/bundle.py" "$@" "$root/build/release/bin/warplens" "$root/build/font_widths.txt" "$site" "$root/build/web-kernels" \
  "${XDG_CACHE_HOME:-$HOME/.cache}"/warplens{,_tests/warplens} >&2

# The fonts that the widths are of, those characters alone: a browser without them would fill the same widths with others.
letters='U+20-7E,U+A0-17F,U+370-3FF,U+2009-2044,U+2070-209F,U+2190-21FF,U+2200-22FF,U+2500-25FF,U+2713-2717,U+FFFD'
add_font() { # FAMILY WEIGHT FILE
  local name kept
  name=$(basename "$3" | sed 's/\.[a-z]*$/.woff2/') kept=$root/build/web-fonts/$name
  [[ $kept -nt $3 && $kept -nt $root/web/package.sh ]] ||
    /usr/bin/python3 -m fontTools.subset "$3" --unicodes="$letters" --flavor=woff2 --layout-features='kern,liga,calt,tnum' --output-file="$kept"
  cp "$kept" "$site/fonts/"
  echo "@font-face { font-family: \"$1\"; font-weight: $2; font-display: swap; src: url(fonts/$name) format(\"woff2\"); }" >>"$site/fonts.css"
}
mkdir -p "$site/fonts" "$root/build/web-fonts"
: >"$site/fonts.css"
for of in 400=Regular 500=Medium 600=SemiBold 700=Bold; do
  add_font Inter "${of%=*}" "/usr/share/fonts/opentype/inter/Inter-${of#*=}.otf"
  add_font 'JetBrains Mono' "${of%=*}" "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-${of#*=}.ttf"
done

say "$site, $(du -sh "$site" | cut -f 1)"
