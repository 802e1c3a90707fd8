#!/usr/bin/env bash
# Fails where clang-tidy finds something by the checks of .clang-tidy:
#   tools/check_tidy.sh [FILE...]     of these sources, or of all in engine/ and in viz/{theme,scene,paint,plot}, some seconds each
# Sources that include viz/figures/parts/subject.hpp need a newer clang than Debian 12's 14.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/prepare.sh
source "$root/tools/prepare.sh"
cd "$root"
need_packages fuzz tidy
# Each source alone, as clang compiles it.
[[ -e build/tidy/compile_commands.json ]] ||
  cmake --preset fuzz -B build/tidy -DWARPLENS_UNITY=OFF -DWARPLENS_SANITIZE=OFF -DWARPLENS_FUZZ=OFF \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >&2 || fail "the build could not be configured; the reason stands above"

files=("$@")
((${#files[@]})) || mapfile -t files < <(find engine viz/theme viz/scene viz/paint viz/plot -name '*.cpp' ! -path '*/testing/*' \
  ! -name '*_test.cpp' ! -name '*_fuzz.cpp' ! -name '*_benchmark.cpp' | sort)
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet ||
  fail "clang-tidy says above what to mend"
say "${#files[@]} sources hold"
