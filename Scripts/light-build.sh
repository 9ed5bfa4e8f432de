#!/usr/bin/env bash
# Builds and tests packages that depend only on PosthornTesting, or on SystemPort and its contract, from scratch, and checks that
# no server package was compiled for them. What one has compiled is there for the next. Prints the time of each build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../Examples"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for package in TestingNotifications OwnEngine; do
    TIMEFORMAT="$package, build and test: %U s of CPU, %R s"
    time swift test --quiet --package-path "$package" --scratch-path "$scratch"
    for module in Hummingbird GRDB NIOCore Crypto CryptoExtras X509; do
        if [ -n "$(find "$scratch" -name "$module.swiftmodule" -print -quit)" ]; then
            echo "light-build: $module was compiled for $package, which needs no server" >&2
            exit 1
        fi
    done
done
echo "no server package was compiled"
