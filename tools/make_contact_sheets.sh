#!/usr/bin/env bash
# Draws every stop of every lesson, on stage as it asks and beside its text as it is answered, dark and light, and a
# sheet of them for each lesson:
#   tools/make_contact_sheets.sh [PROGRAM [FOLDER]]
# The sheets are docs/lessons/NAME.webp; the pictures in their full size stay in FOLDER (out/stops), one folder a lesson.
# Needs ImageMagick's montage. Pictures that are in FOLDER already are not drawn again.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${1:-$root/build/release/bin/warplens}
folder=${2:-$root/out/stops}
sheets=$root/docs/lessons

draw() {  # lesson stop presenter theme width height picture
  [[ -s $7 ]] && return
  printf 'lesson = "%s"\nstop = %s\npresenter = %s\nanswered = %s\ntheme = "%s"\nwindow_width = %s\nwindow_height = %s\n' \
    "$1" "$2" "$3" "$([[ $3 == true ]] && echo false || echo true)" "$4" "$5" "$6" >"${7%.png}.toml"
  "$program" screenshot "${7%.png}.toml" -o "$7" >/dev/null || echo "no picture of $1, stop $2, $4" >&2
  rm "${7%.png}.toml"
}

mkdir -p "$sheets"
while read -r name stops; do
  mkdir -p "$folder/$name"
  for ((stop = 1; stop <= stops; ++stop)); do
    at=$folder/$name/$(printf %02d "$stop")
    for theme in dark light; do
      draw "$name" "$stop" true "$theme" 1280 720 "$at-stage-$theme.png"
      draw "$name" "$stop" false "$theme" 1600 900 "$at-text-$theme.png"
    done
  done
  montage -font /usr/share/fonts/opentype/inter/Inter-Regular.otf -label '%t' "$folder/$name"/*-*.png -tile 4x -geometry 400x225+4+4 -quality 70 "$sheets/$name.webp"
  echo "$name: $stops stops"
done < <("$program" lesson list --json | python3 -c '
import json, sys
for lesson in json.load(sys.stdin):
    print(lesson["lesson"], lesson["stops"])')
