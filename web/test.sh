#!/usr/bin/env bash
# Of ./test --web: the module says of every kernel what the native program says, and the page does its tasks in a browser, with the
# module and with `warplens serve`. Pictures of the page are left in out/web-test to be looked at.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/prepare.sh
source "$root/tools/prepare.sh"

prepare browser
"$root/package" --web
program=$root/build/release/bin/warplens
node "$root/web/test/compare.mjs" "$program" "$root" "$root/out/warplens-web"

serving=
trap '[[ -z $serving ]] || kill "$serving"' EXIT
# with_server COMMAND...: its first line is where it serves.
with_server() {
  local said
  said=$(mktemp)
  "$@" >"$said" &
  serving=$!
  until [[ -s $said ]]; do sleep 0.1; done
  node "$root/web/test/page.mjs" "$(head -n 1 "$said")" "$root/out/web-test" || failed=1
  kill "$serving"
  serving=
}
failed=0
with_server node "$root/web/test/files.mjs" "$root/out/warplens-web"
with_server "$program" --home "$root" serve --port 0
((!failed)) || fail "the page does not do what it has to; see above"
