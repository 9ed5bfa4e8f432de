#!/usr/bin/env bash
# Builds and tests a package that depends only on PosthornTesting, from scratch, and checks that no server package was
# compiled for it. Prints the time of the build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../Examples/TestingNotifications"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
TIMEFORMAT='clean build and test: %U s of CPU, %R s'
time swift test --quiet --scratch-path "$scratch"
for module in Hummingbird GRDB NIOCore Crypto CryptoExtras X509; do
    if [ -n "$(find "$scratch" -name "$module.swiftmodule" -print -quit)" ]; then
        echo "light-build: $module was compiled for a package that depends on PosthornTesting alone" >&2
        exit 1
    fi
done
echo "no server package was compiled"
