#!/usr/bin/env bash
# All tests: of the report's page in a browser, then of the crates.
#
# Installs what the page's tests need and is missing: packages by lock file, Chromium by apt-get.
# Where there is no Node or no browser and none can be had, it says so, leaves the page's tests out,
# and says so again in its last line; with CI set, that is a failure.
set -euo pipefail
cd "$(dirname "$0")"

target="${CARGO_TARGET_DIR:-target}"
left_out=

leave_out() {
    left_out="the tests of the page are left out: $1"
    printf 'test.sh: %s\n' "$left_out" >&2
    if [ -n "${CI:-}" ]; then exit 1; fi
}

has_node() {
    command -v npm >/dev/null && node -e '
        const [major, minor] = process.versions.node.split(".").map(Number);
        process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)'
}

# Names the browser in CHROMIUM: the one that is named there already, or one that is installed.
find_browser() {
    if [ -n "${CHROMIUM:-}" ]; then
        [ -x "$(command -v "$CHROMIUM")" ]
        return
    fi
    local name
    for name in chromium chromium-browser google-chrome google-chrome-stable chrome \
        chromium-headless-shell \
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome' \
        '/Applications/Chromium.app/Contents/MacOS/Chromium'; do
        # Without -x, a file of that name will do for `command -v`.
        if CHROMIUM="$(command -v "$name")" && [ -x "$CHROMIUM" ]; then
            export CHROMIUM
            return
        fi
    done
    unset CHROMIUM
    return 1
}

# Installs a browser where that can be done without asking, and looks again, whatever apt-get says:
# it may fail over a package that is not needed.
install_browser() {
    if [ -n "${CHROMIUM:-}" ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        return 1
    fi
    printf 'test.sh: installing Chromium for the tests of the page\n' >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || true
    apt-get install -y -qq --no-install-recommends chromium >/dev/null || true
    find_browser
}

if ! has_node; then
    leave_out 'they need Node 20.19 or newer'
elif ! find_browser && ! install_browser; then
    if [ -n "${CHROMIUM:-}" ]; then
        leave_out "there is no browser \`$CHROMIUM\`, which CHROMIUM names"
    else
        leave_out 'they need Chromium; install the package chromium, or name a browser in CHROMIUM'
    fi
else
    # The program that the crates' tests run: building it once more, optimised, takes minutes.
    cargo test --workspace --locked --no-run
    FANMILL="$(cd "$target" && pwd)/debug/fanmill"
    export FANMILL
    (cd web && npm ci --no-audit --no-fund --loglevel=error && npm test)
fi

cargo test --workspace --locked
if [ -n "$left_out" ]; then
    printf 'test.sh: all other tests pass; %s\n' "$left_out"
fi
