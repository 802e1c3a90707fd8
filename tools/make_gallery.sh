#!/usr/bin/env bash
# Draws docs/gallery.md and its pictures with a built program: tools/make_gallery.sh [PROGRAM]
# Every view in both sizes, both themes and both text scales, so that what is clipped or empty is seen.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${1:-$root/build/release/bin/warplens}
pictures=$root/docs/gallery
page=$root/docs/gallery.md
most_bytes=60000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# name | title | kernel | size | what else the state says of the view, | of the access, | and tables
views() {
  cat <<'END'
access|The accesses of a warp, naive|matmul/01_naive|M=512 N=512 K=512|figure="access"|access=28|
access-tile|A shared tile and the tail of a size that is no multiple of it|matmul/03_shared_tile|M=100 N=79 K=51|figure="access"|block=11 access=41 warp=1|
access-registers|A tile of registers|matmul/05_register_2d|M=256 N=256 K=256|figure="access"|access=13|
coalescing|Lanes, lines and sectors|matmul/01_naive|M=512 N=512 K=512|figure="coalescing"|access=6|
banks|Lanes and banks, wavefront by wavefront|transpose/02_tiled|M=1024 N=1024|figure="banks" counter="wavefronts"|access=10|
bank-map|The banks of a whole kernel|ncsa/04_k4|M=256 N=256 K=256|figure="bank-map" counter="wavefronts"|access=7|
occupancy|The occupancy calculator|matmul/05_register_2d|M=256 N=256 K=256|figure="occupancy"|access=1|
flow|The way of the data|matmul/03_shared_tile|M=512 N=512 K=512|figure="flow"|access=1|
stage-flow|The way of the data on stage|matmul/03_shared_tile|M=512 N=512 K=512|figure="flow" presenter=true|access=1|
time|One SM at work, by the model|matmul/03_shared_tile|M=512 N=512 K=512|figure="time"|access=1|
stage-time|One SM at work on stage|matmul/03_shared_tile|M=512 N=512 K=512|figure="time" presenter=true|access=1|
speed-map|The predicted speed of all tiles|matmul/05_register_2d|M=512 N=512 K=512|figure="speed-map"|access=1|
latency|Speed over the warps on an SM, by the model|latency/02_several_chains|N=270336|figure="latency"|access=1|
timeline|All SMs over one launch, by the model|matmul/05_register_2d|M=4096 N=4096 K=4096|figure="timeline"|access=1|
ladder|The ladder, recorded on the H100, with the bound of each step|matmul/03_shared_tile|M=512 N=512 K=512|figure="ladder"|access=1|
size-curve|Speed against size|matmul/10_async_pipeline|M=512 N=512 K=512|figure="size-curve"|access=1|
roofline|The roofline|matmul/05_register_2d|M=512 N=512 K=512|figure="roofline"|access=1|
ptx|The source and its PTX|reduction/03_sequential|N=1048576|figure="access" code="both"|access=4|
sass|The source and its machine code|reduction/03_sequential|N=1048576|figure="access" code="source_sass"|access=4|
edit|A kernel in the editor|matmul/03_shared_tile|M=64 N=64 K=64|page="edit"|access=1|
presenter|A step on stage|matmul/01_naive|M=512 N=512 K=512|figure="access" presenter=true|access=2|
compare|Two steps side by side|matmul/01_naive|M=256 N=256 K=256|page="compare" figure="access"|access=1|[compare] left="matmul/01_naive" right="matmul/03_shared_tile" access=6
start|The page that the window opens with|matmul/01_naive|M=64 N=64 K=64|page="start"|access=1|
lesson|A lesson beside the picture|matmul/01_naive|M=64 N=64 K=64|lesson="01_matmul_naive_to_tiles" stop=4|access=1|
question|A question covers what gives its answer away|matmul/01_naive|M=64 N=64 K=64|lesson="04_transpose" stop=7|access=1|
stage|A stop of a lesson in front of a class|matmul/01_naive|M=64 N=64 K=64|lesson="04_transpose" stop=2 presenter=true|access=1|
stage-compare|Two steps side by side in front of a class|matmul/01_naive|M=64 N=64 K=64|lesson="04_transpose" stop=15 presenter=true|access=1|
playground|The playground|matmul/01_naive|M=256 N=256 K=256|page="playground"|access=1|[playground] index="(lane % 8) * 33"
END
}

# Words to lines.
lines() { tr ' ' '\n' <<<"$1"; }

# A view's index may hold spaces: tables are written as they are, one key a line.
table() {
  [[ -z $1 ]] && return
  sed -E 's/ ([a-z_]+)=/\n\1=/g' <<<"$1"
}

draw() {  # name kernel size view selection tables | width height theme scale
  local state=$scratch/state.toml
  {
    echo "kernel = \"$2\""
    echo "size = { ${3// /, } }"
    lines "$4"
    lines "$5"
    printf 'window_width = %s\nwindow_height = %s\ntheme = "%s"\ntext_scale = %s\n' "$7" "$8" "$9" "${10}"
    table "$6"
  } >"$state"
  local file=$pictures/$1-$8-$9-${10}.png
  "$program" screenshot "$state" --thumbnail 800 -o "$file"
  local bytes
  bytes=$(wc -c <"$file")
  if ((bytes > most_bytes)); then
    "$program" screenshot "$state" --thumbnail 640 -o "$file"
  fi
}

row() {  # name height scale
  printf '| %s high, text %s | ![](gallery/%s-%s-dark-%s.png) | ![](gallery/%s-%s-light-%s.png) |\n' \
    "$2" "$3" "$1" "$2" "$3" "$1" "$2" "$3"
}

mkdir -p "$pictures"
rm -f "$pictures"/*.png
cat >"$page" <<'END'
# Gallery

Every view of the window at 1600x900 and 1280x720, dark and light, at text scale 1 and 1.75, drawn by the program itself
with `tools/make_gallery.sh` and scaled down.
END
while IFS='|' read -r name title kernel size view selection tables; do
  for size_of_window in '1600 900' '1280 720'; do
    for theme in dark light; do
      for scale in 1 1.75; do
        # shellcheck disable=SC2086
        draw "$name" "$kernel" "$size" "$view" "$selection" "$tables" $size_of_window "$theme" "$scale"
      done
    done
  done
  {
    printf '\n## %s\n\n`%s`\n\n| | dark | light |\n|---|---|---|\n' "$title" "$kernel"
    for height in 900 720; do for scale in 1 1.75; do row "$name" "$height" "$scale"; done; done
  } >>"$page"
  echo "$name"
done < <(views)
