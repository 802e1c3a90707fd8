#!/usr/bin/env bash
# Draws the pictures "after" of docs/before-after.md with a built program:
#   tools/make_before_after.sh [PROGRAM [FOLDER [NAME...]]]
# Into FOLDER (docs/before-after), all or those named, each at 1600 x 900 dark and 1280 x 720 light, scaled down and in
# 128 colours by ImageMagick. The pictures "before" are kept as they are: the versions that drew them are gone.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${1:-$root/build/release/bin/warplens}
folder=${2:-$root/docs/before-after}
wanted=" ${*:3} "
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# name | kernel | what else the state says | and its table
views() {
  cat <<'END'
1-naive|matmul/01_naive||
1-compare|matmul/01_naive|page="compare"|[compare]
2-step-10|matmul/10_async_pipeline||
2-size-curve|matmul/10_async_pipeline|figure="size-curve"|
3-padding-0|transpose/02_tiled|params={PAD=0}|
4-ladder|matmul/01_naive|figure="ladder"|
4-roofline|matmul/01_naive|figure="roofline"|
5-reduction|reduction/01_interleaved|access=15|
6-ladder-8800|reduction/06_shuffle|device="g80" figure="ladder"|
6-gtx-280|matmul/04_register_1d|device="gtx280" figure="occupancy" params={BM=32,BN=32,BK=16,TM=2}|
6-structures|memory/11_aligned_arrays|device="g80" figure="ladder"|
7-sectors|matmul/01_naive|figure="coalescing"|
7-broadcast|matmul/02_coalesced|figure="coalescing" access=2|
7-banks|transpose/02_tiled|figure="banks" params={PAD=0} counter="wavefronts"|
7-panels|transpose/02_tiled|figure="banks" access=10 counter="wavefronts"|
8-source|transpose/01_naive|access=2|
8-cells|matmul/01_naive|access=26|
8-words|matmul/01_naive|page="compare"|[compare] part="counters"
8-colours|matmul/01_naive|figure="size-curve"|
END
}

# Words to lines: one key a line.
lines() { tr ' ' '\n' <<<"$1"; }

draw() {  # name kernel keys table | width height theme
  local state=$scratch/state.toml picture=$folder/$1-after-$6-$7.png
  {
    echo "kernel = \"$2\""
    lines "$3"
    printf 'window_width = %s\nwindow_height = %s\ntheme = "%s"\n' "$5" "$6" "$7"
    lines "$4"
  } >"$state"
  "$program" screenshot "$state" --thumbnail 800 -o "$scratch/picture.png" >/dev/null
  convert "$scratch/picture.png" -colors 128 -define png:compression-level=9 "$picture"
}

mkdir -p "$folder"
while IFS='|' read -r name kernel keys table; do
  [[ $wanted == "  " || $wanted == *" $name "* ]] || continue
  draw "$name" "$kernel" "$keys" "$table" 1600 900 dark
  draw "$name" "$kernel" "$keys" "$table" 1280 720 light
  echo "$name"
done < <(views)
