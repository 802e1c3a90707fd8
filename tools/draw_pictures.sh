#!/usr/bin/env bash
# Draws the pictures of Warplens with a built program:
#   tools/draw_pictures.sh docs [PROGRAM]     those that README and guides show, in docs/pictures, and docs/gallery.md
#   tools/draw_pictures.sh views [PROGRAM]    every view in two sizes, dark and light, in normal and large type: out/views
#   tools/draw_pictures.sh lessons [PROGRAM]  every stop of every lesson, on stage as it asks and beside its text as it is
#                                             answered, dark and light, and a sheet of each lesson: out/lessons
#   tools/draw_pictures.sh all [PROGRAM]      all of these
# PROGRAM is build/release/bin/warplens where none is named. Only the pictures of "docs" are committed: at most 40, and none
# above 150 KB (tools/check_docs.py). A stop that was drawn is not drawn again.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/prepare.sh
source "$root/tools/prepare.sh"
what=${1:-}
program=$(realpath "${2:-$root/build/release/bin/warplens}")
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
fragments|Who holds which element of a product of tensor cores|tensor/05_swizzle|M=256 N=256 K=256|figure="fragments"|access=1|[drawing] element="A,5,37"
swizzle|A swizzled tile in its banks|tensor/09_wgmma_tma|M=256 N=256 K=256|figure="swizzle"|access=1|[drawing] element="A,5,37"
tma|A box of the tensor memory accelerator|tensor/09_wgmma_tma|M=104 N=104 K=256|figure="tma"|block=3 access=1|
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
lesson|A lesson beside the picture|matmul/01_naive|M=64 N=64 K=64|lesson="03_matmul_to_tiles" stop=4|access=1|
question|A question covers what gives its answer away|matmul/01_naive|M=64 N=64 K=64|lesson="06_transpose" stop=7|access=1|
stage|A stop of a lesson in front of a class|matmul/01_naive|M=64 N=64 K=64|lesson="06_transpose" stop=2 presenter=true|access=1|
stage-compare|Two steps side by side in front of a class|matmul/01_naive|M=64 N=64 K=64|lesson="06_transpose" stop=17 presenter=true|access=1|
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

draw_view() {  # kernel size view selection tables | width height theme scale | picture
  local state=$scratch/state.toml
  {
    echo "kernel = \"$1\""
    echo "size = { ${2// /, } }"
    lines "$3"
    lines "$4"
    printf 'window_width = %s\nwindow_height = %s\ntheme = "%s"\ntext_scale = %s\n' "$6" "$7" "$8" "$9"
    table "$5"
  } >"$state"
  "$program" --home "$root" screenshot "$state" --thumbnail 800 -o "${10}"
}

# The README's window, a picture of each view with the page that shows them, and the plots of what was recorded.
draw_docs() {
  need_packages pictures
  local name title kernel size view selection tables
  "$program" --home "$root" screenshot "$root/docs/pictures/window.toml" --thumbnail 1600 -o "$root/docs/pictures/window.png"
  mkdir -p "$root/docs/pictures/views"
  cat >"$root/docs/gallery.md" <<'END'
# Gallery

Every view of the window, drawn by the program itself. Made by `tools/draw_pictures.sh docs`; do not edit.
`tools/draw_pictures.sh views` draws them in two sizes, dark and light, in normal and large type.
END
  while IFS='|' read -r name title kernel size view selection tables; do
    draw_view "$kernel" "$size" "$view" "$selection" "$tables" 1280 720 dark 1 "$root/docs/pictures/views/$name.png"
    printf '\n## %s\n\n![%s](pictures/views/%s.png)\n' "$title" "$title" "$name" >>"$root/docs/gallery.md"
  done < <(views)
  (cd "$root" && tools/make_performance.py "$program")
}

draw_views() {
  local folder=$root/out/views name title kernel size view selection tables window theme scale
  mkdir -p "$folder"
  while IFS='|' read -r name title kernel size view selection tables; do
    for window in '1600 900' '1280 720'; do
      for theme in dark light; do
        for scale in 1 1.75; do
          # shellcheck disable=SC2086
          draw_view "$kernel" "$size" "$view" "$selection" "$tables" $window "$theme" "$scale" \
            "$folder/$name-${window#* }-$theme-$scale.png"
        done
      done
    done
    say "$name"
  done < <(views)
}

draw_stop() {  # lesson stop presenter theme width height picture
  [[ -s $7 ]] && return
  printf 'lesson = "%s"\nstop = %s\npresenter = %s\nanswered = %s\ntheme = "%s"\nwindow_width = %s\nwindow_height = %s\n' \
    "$1" "$2" "$3" "$([[ $3 == true ]] && echo false || echo true)" "$4" "$5" "$6" >"$scratch/stop.toml"
  "$program" --home "$root" screenshot "$scratch/stop.toml" -o "$7" >/dev/null || say "no picture of $1, stop $2, $4"
}

draw_lessons() {
  need_packages sheets
  local folder=$root/out/lessons name stops stop at theme
  while read -r name stops; do
    mkdir -p "$folder/$name"
    for ((stop = 1; stop <= stops; ++stop)); do
      at=$folder/$name/$(printf %02d "$stop")
      for theme in dark light; do
        draw_stop "$name" "$stop" true "$theme" 1280 720 "$at-stage-$theme.png"
        draw_stop "$name" "$stop" false "$theme" 1600 900 "$at-text-$theme.png"
      done
    done
    montage -font /usr/share/fonts/opentype/inter/Inter-Regular.otf -label '%t' "$folder/$name"/*-*.png -tile 4x \
      -geometry 400x225+4+4 -quality 70 "$folder/$name.webp"
    say "$name: $stops stops"
  done < <("$program" --home "$root" lesson list --json | python3 -c '
import json, sys
for lesson in json.load(sys.stdin):
    print(lesson["lesson"], lesson["stops"])')
}

case $what in
  docs | views | lessons) "draw_$what" ;;
  all)
    draw_docs
    draw_views
    draw_lessons
    ;;
  *)
    help_of "$0" >&2
    exit 2
    ;;
esac
