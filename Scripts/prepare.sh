# Checks what this machine needs to build Posthorn. Installs it if permitted, or says how. Sourced by ./posthorn and ./test;
# prints only to standard error, and nothing if everything is installed.

# shellcheck source=Scripts/build-flags
source "$(dirname "${BASH_SOURCE[0]}")/build-flags"

say() { printf 'posthorn: %s\n' "$*" >&2; }

# Chooses whole modules for a debug build from nothing.
choose_whole_modules() {
    [ ! -e "$(dirname "$whole_modules")/debug" ] || return 0
    mkdir -p "$(dirname "$whole_modules")"
    : >"$whole_modules"
    precompile_headers
}

# Compiles Scripts/standard.hpp for a debug build of whole modules, again after an update of the compiler or of the headers. The flags are
# those with which SwiftPM compiles C++; the templates that the headers use are instantiated here, else each file would do so. Without a
# compiler that can, the build reads the headers as usual.
precompile_headers() {
    local scripts info triple compile
    scripts=$(dirname "${BASH_SOURCE[0]}")
    info=$(swiftc -print-target-info 2>/dev/null) || info=
    triple=$(sed -n 's|.*"triple": "\(.*\)".*|\1|p' <<<"$info" | head -n 1)
    compile=("$(sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin/clang|p' <<<"$info")")
    compile+=(-target "$triple" -std=c++17 -O1 -g0 -fPIC -fblocks -fno-omit-frame-pointer -w)
    (
        cd "$scripts/.."
        "${compile[@]}" -include-pch .build/standard.pch -fsyntax-only -x c++ /dev/null ||
            "${compile[@]}" -fpch-instantiate-templates -x c++-header Scripts/standard.hpp -o .build/standard.pch || rm -f .build/standard.pch
    ) >/dev/null 2>&1
    # shellcheck source=Scripts/build-flags
    source "$scripts/build-flags"
}

# Installs Debian packages, or prints the command and exits.
install_packages() {
    local run=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then run=(sudo -n); else run=(none); fi
    fi
    if ! command -v apt-get >/dev/null; then
        say "missing: $*. Install them with this system's package manager, then try again."
        exit 1
    fi
    if [ "${run[0]:-}" = none ]; then
        say "missing: $*. Install them with: sudo apt-get install -y $*"
        exit 1
    fi
    say "installing $* …"
    # Without what they recommend, such as a web browser for the manual of a shell.
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@")
    if ! "${run[@]}" "${install[@]}" >&2; then
        "${run[@]}" apt-get update -qq >&2
        "${run[@]}" "${install[@]}" >&2 || {
            say "could not install $*; see above. By hand: sudo apt-get install -y $*"
            exit 1
        }
    fi
}

prepare() {
    if [ "$(uname -s)" = Darwin ]; then
        say "on macOS the libraries should build with 'swift build' (model, links, APNs provider and gateway, service; untested)."
        say "The products of the emulated phone and its frameworks resolve there, and stand aside for Apple's own."
        say "The emulated iPhone and the command line need Linux, where they do not shadow Apple's own frameworks."
        say "The Containerfile builds and runs them on Debian:"
        say "    docker build -t posthorn -f Containerfile . && docker run --rm -it posthorn demo"
        exit 1
    fi
    if ! command -v swift >/dev/null; then
        say "no Swift toolchain found. Install Swift 6.2 or later from https://www.swift.org/install, then try again."
        exit 1
    fi
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    if [ "$(printf '%s\n6.2\n' "${version:-0}" | sort -V | head -n 1)" != 6.2 ]; then
        say "Swift ${version:-of an unknown version} found; 6.2 or later is needed: https://www.swift.org/install"
        exit 1
    fi
    if [ ! -e /usr/include/sqlite3.h ] && ! pkg-config --exists sqlite3 2>/dev/null; then
        install_packages libsqlite3-dev
    fi
    [ ! -e "$whole_modules" ] || precompile_headers
}

# Checks what the tests need besides: a PostgreSQL server of their own, which they start in a temporary folder.
prepare_tests() {
    if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! command -v initdb >/dev/null; then
        # The package would otherwise create and start a server of its own.
        install_packages postgresql-common
        if [ -w /etc/postgresql-common/createcluster.conf ]; then
            sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
        fi
        install_packages postgresql
    fi
}
