#!/usr/bin/env bash
# All tests: of the report's page in a browser, then of the crates.
#
# Installs what the page's tests need and is missing: packages by lock file, Chromium by apt-get.
# Where there is no Node or no Chromium and none can be had, it says so and leaves the page's
# tests out; with CI set, that is a failure.
set -euo pipefail
cd "$(dirname "$0")"

leave_out() {
    printf 'test.sh: the tests of the page are left out: %s\n' "$1" >&2
    if [ -n "${CI:-}" ]; then exit 1; fi
}

has_node() {
    command -v npm >/dev/null && node -e '
        const [major, minor] = process.versions.node.split(".").map(Number);
        process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)'
}

has_chromium() {
    [ -n "${CHROMIUM:-}" ] || [ -x /usr/bin/chromium ] && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && apt-get install -y -qq chromium >/dev/null && return
    fi
    return 1
}

if ! has_node; then
    leave_out 'they need Node 20.19 or newer'
elif ! has_chromium; then
    leave_out 'they need Chromium: install the package chromium, or name a browser in CHROMIUM'
else
    # The program that the crates' tests run: building it once more, optimised, takes minutes.
    cargo test --workspace --locked --no-run
    export FANMILL="$PWD/target/debug/fanmill"
    (cd web && npm ci --no-audit --no-fund --loglevel=error && npm test)
fi

cargo test --workspace --locked
