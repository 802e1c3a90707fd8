#!/usr/bin/env bash
# Draws the README's pictures with a built program: tools/make_pictures.sh [PROGRAM]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${1:-$root/build/release/bin/warplens}
for state in "$root"/docs/pictures/*.toml; do
  "$program" screenshot "$state" -o "${state%.toml}.png"
done
