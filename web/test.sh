#!/usr/bin/env bash
# Of ./test --web: the module says of every kernel what the native program says, and the page does its tasks in a browser, with the
# module and with `warplens serve`. Pictures of the page are left in out/web-test to be looked at.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/prepare.sh
source "$root/tools/prepare.sh"

prepare browser
"$root/package" --web
program=$root/build/release/bin/warplens site=$root/out/warplens-web
node "$root/web/test/compare.mjs" "$program" "$root" "$site"
node "$root/web/test/pictures.mjs" "$program" "$root" "$site"

# What PTX instructions compute, as WebAssembly.
nice ninja -C "$root/build/web" semantics_test emulator_ptx_test >&2
for name in semantics_test emulator_ptx_test; do node "$root/web/test/command.mjs" "$root/build/web/bin/$name.wasm"; done

failed=0 serving=
trap '[[ -z $serving ]] || kill "$serving"' EXIT
# with_server TEST BROWSER COMMAND...: the command's first line is where it serves.
with_server() {
  local said test=$1 browser=$2
  shift 2
  said=$(mktemp)
  "$@" >"$said" &
  serving=$!
  until [[ -s $said ]]; do sleep 0.1; done
  node "$root/web/test/$test" "$(head -n 1 "$said")" "$root/out/web-test" "$browser" || failed=1
  kill "$serving"
  serving=
}
fetch_by_pip build/reveal "$root/third_party/reveal-packages.txt" "reveal.js"
python3 "$root/web/scorm.py" "$site" 06_transpose "$root/out/transpose.zip"
browsers=(chromium)
if command -v firefox-esr >/dev/null; then browsers+=(firefox); fi
for browser in "${browsers[@]}"; do
  with_server page.mjs "$browser" node "$root/web/test/files.mjs" "$site"
  with_server page.mjs "$browser" "$program" --home "$root" serve --port 0
  with_server speed.mjs "$browser" node "$root/web/test/files.mjs" "$site"
  node "$root/web/test/embed.mjs" "$site" "$root/build/reveal/sphinx_revealjs/_static/revealjs" "$root/out/transpose.zip" "$root/out/web-test" "$browser" || failed=1
  node "$root/web/test/serve.mjs" "$program" "$root" "$root/out/web-test" "$browser" || failed=1
done
((!failed)) || fail "the page does not do what it has to; see above"
