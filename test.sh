#!/usr/bin/env bash
# All tests: of the report's page in a browser, of the Python package, with Spark on a small cluster, and of the crates.
#
# Installs what is missing: packages for the page by lock file, Chromium and poppler-utils by apt-get, a target by rustup, Python packages into a
# new environment below target/. Where there is no Node, no browser, no Python or no Java 17 and none can be had, it says so and leaves
# those tests out; with CI set, that is a failure. It goes on after a failure. Its last paragraph says what failed and what was left out.
set -uo pipefail
cd "$(dirname "$0")" || exit

target="${CARGO_TARGET_DIR:-target}"
failed=
left_out=

# Says which tests fail.
fail() {
    failed="${failed:+$failed, }$1"
    printf 'test.sh: the tests of %s FAIL\n' "$1" >&2
}

# Says whose tests are left out, and why.
leave_out() {
    local what="the tests of $1 are left out: $2"
    left_out="${left_out:+$left_out; }$what"
    printf 'test.sh: %s\n' "$what" >&2
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

# Installs what reads PDFs where that can be done without asking: tests of the page read back what it prints. Where it is missing,
# these tests fail, and say so.
install_poppler() {
    if command -v pdftotext >/dev/null || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        return
    fi
    printf 'test.sh: installing poppler-utils for the tests of the page\n' >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || true
    apt-get install -y -qq --no-install-recommends poppler-utils >/dev/null || true
}

# Names a Python in PYTHON that makes environments, from 3.9 on.
find_python() {
    local name
    for name in ${PYTHON:-python3 python}; do
        if "$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
            PYTHON="$name"
            return
        fi
    done
    return 1
}

# Installs what makes environments where that can be done without asking.
install_venv() {
    if [ -n "${PYTHON:-}" ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        return 1
    fi
    printf 'test.sh: installing python3-venv for the tests of the Python package\n' >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || true
    apt-get install -y -qq --no-install-recommends python3-venv >/dev/null || true
    find_python
}

# Whether the crates and their tests build. All that is tested is built once, by this command: a build of the program alone would be
# another one, with other features of its libraries, and an optimised one takes minutes more.
build_crates() {
    cargo test --tests --locked --no-run || return
    FANMILL="$(cd "$target" && pwd)/debug/fanmill"
    export FANMILL
}

# The crates, by nextest where it is installed, which runs tests of several crates at once, and by cargo elsewhere. Their examples
# are a run of their own, as nextest knows none.
test_crates() {
    local status=0
    cargo test --doc --locked --no-fail-fast || status=1
    if cargo nextest --version >/dev/null 2>&1; then
        cargo nextest run --tests --locked --no-fail-fast || status=1
    else
        cargo test --tests --locked --no-fail-fast || status=1
    fi
    return "$status"
}

# The page in a browser, and the comparison in it, which the program does not need. Ends with 3 if all but the comparison was tested.
test_page() {
    web/install || return
    local browser=0
    # With the profile of the other tests, whose macros and build scripts it takes over: a release's takes longer to build.
    FANMILL_BROWSER_PROFILE=dev packaging/browser || browser=$?
    case $browser in
    0) FANMILL_BROWSER="$(cd "$target/page" && pwd)" && export FANMILL_BROWSER ;;
    3) ;;
    *) return 1 ;;
    esac
    (cd web && npm test) || return 1
    return "$browser"
}

# Names the tests of the page that failed, each with the first line of its fault, as Node's runner lists them at its end.
named_failures() {
    sed -n '/^✖ failing tests:/,$ { /^✖ .* ([0-9.]*ms)$/ { N; s/^✖ \(.*\) ([0-9.]*ms)\n */\1: /p } }' "$1" |
        cut -c 1-200 | head -5 | paste -sd ';' | sed '/./!d; s/;/; /g; s/.*/ (&)/'
}

# Waits for the tests of the page, if they run, and shows what they printed.
end_page() {
    local status=0
    [ -n "$page" ] || return
    wait "$page" || status=$?
    cat "$target/page.log"
    case $status in
    0) ;;
    3) leave_out 'the comparison in a browser' 'they need the Rust target wasm32-unknown-unknown' ;;
    *) fail "the page$(named_failures "$target/page.log")" ;;
    esac
}

# An environment that has the package, with the native part as cargo has built it for its own tests, and no other libraries.
install_package() {
    local home="$1" library wheel=
    rm -rf "$home" && mkdir "$home" && "$PYTHON" -m venv "$home/env" || return
    for library in "$target"/debug/deps/{libfanmill_python.so,libfanmill_python.dylib,fanmill_python.dll}; do
        [ ! -e "$library" ] || wheel="$("$PYTHON" python/wheel_of_build.py "$library" "$home")" || return
    done
    python="$home/env/bin/python"
    [ -x "$python" ] || python="$home/env/Scripts/python.exe"
    "$python" -m pip install --quiet --disable-pip-version-check "$wheel" -r python/tests/needed.txt
}

# The package for Python: alone, then with the libraries that people have their texts in, and its types.
test_python() {
    local home python status=0
    home="$(cd "$target" && pwd)/python"
    install_package "$home" || return
    export PYTHONDONTWRITEBYTECODE=1
    "$python" -m pytest -q python/tests || status=1
    "$python" -m pip install --quiet --disable-pip-version-check -r python/tests/libraries.txt || return
    # The tests that were left out for want of them; `.ci/nightly python` runs all with them.
    # shellcheck disable=SC2046 # names without blanks
    "$python" -m pytest -q $(grep -l importorskip python/tests/test_*.py) || status=1
    (cd python && "$python" -m mypy --strict fanmill) || status=1
    (cd "$home" && "$python" -m mypy.stubtest fanmill._native) || status=1
    return "$status"
}

# Names the home of a Java in JAVA_HOME that all releases of Spark run on.
find_java() {
    local home
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*17* /Library/Java/JavaVirtualMachines/*17*/Contents/Home; do
        if "$home/bin/java" -version 2>&1 | grep -q 'version "17\.'; then
            export JAVA_HOME="$home"
            return
        fi
    done
    return 1
}

# A sample, with Spark 3.5, the smaller download: 300 MB. `.ci/nightly spark` runs all tests, with Spark 4 too.
test_spark() {
    local python="$target/python/env/bin/python"
    if ! find_java; then
        leave_out 'fanmill.spark' 'they need Java 17; install openjdk-17-jre-headless, or name its folder in JAVA_HOME'
    elif ! "$python" -m pip install --quiet --disable-pip-version-check 'pyspark==3.5.*' -r python/tests/spark/needed.txt; then
        leave_out 'fanmill.spark' 'they need Spark, which pip cannot install here'
    else
        "$python" -m pytest -q python/tests/spark/test_answer.py || fail 'fanmill.spark'
    fi
}

page=
built=true
build_crates || { built=; fail 'the crates, which do not build'; }

if ! has_node; then
    leave_out 'the page' 'they need Node 20.19 or newer'
elif ! find_browser && ! install_browser; then
    if [ -n "${CHROMIUM:-}" ]; then
        leave_out 'the page' "there is no browser \`$CHROMIUM\`, which CHROMIUM names"
    else
        leave_out 'the page' 'they need Chromium; install the package chromium, or name a browser in CHROMIUM'
    fi
elif [ -z "$built" ]; then
    leave_out 'the page' 'they need the program'
else
    install_poppler
    # A browser's tests wait half of their time: those of Python and Spark run beside them. What runs beside hears no Ctrl-C.
    trap 'trap - INT; kill 0' INT
    test_page >"$target/page.log" 2>&1 &
    page=$!
fi

if ! find_python && ! install_venv; then
    leave_out 'the Python package' "they need a Python from 3.9 on with venv and pip${PYTHON:+, which $PYTHON is not}"
elif [ -z "$built" ]; then
    leave_out 'the Python package' 'they need its native part'
else
    test_python || fail 'the Python package'
    test_spark
fi

end_page

# Last, as most tests are theirs, so that the runner's own account is what is read first.
[ -z "$built" ] || test_crates || fail 'the crates'

if [ -n "$failed" ]; then
    printf 'test.sh: FAILED: the tests of %s%s\n' "$failed" "${left_out:+; $left_out}"
    exit 1
elif [ -n "$left_out" ]; then
    printf 'test.sh: all other tests pass; %s\n' "$left_out"
    [ -z "${CI:-}" ]
else
    printf 'test.sh: all tests pass\n'
fi
