#!/usr/bin/env bash
# Fails where a source is not laid out as .clang-format says, or a script does not hold by shellcheck:
#   tools/check_format.sh [FILE...]     of these files, or of all
#   tools/check_format.sh --fix [FILE...]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/prepare.sh
source "$root/tools/prepare.sh"
cd "$root"
how=(--dry-run --Werror)
if [[ ${1:-} == --fix ]]; then
  how=(-i)
  shift
fi
need_packages format

files=("$@")
((${#files[@]})) || mapfile -t files < <(find engine viz app tools -name '*.[ch]pp' | sort; ls run test package tools/*.sh)
sources=() scripts=()
for file in "${files[@]}"; do
  case $file in
    *.cpp | *.hpp) sources+=("$file") ;;
    *.sh | run | test | package) scripts+=("$file") ;;
  esac
done
((${#sources[@]} == 0)) || printf '%s\0' "${sources[@]}" | xargs -0 -P "$(nproc)" -n 40 clang-format "${how[@]}" ||
  fail "these sources are laid out in another way; 'tools/check_format.sh --fix' lays them out"
((${#scripts[@]} == 0)) || shellcheck -x "${scripts[@]}" || fail "shellcheck says above what to mend"
say "${#sources[@]} sources and ${#scripts[@]} scripts are laid out as they should be"
