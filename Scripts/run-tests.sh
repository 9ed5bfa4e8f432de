#!/usr/bin/env bash
# Runs all tests built by `swift build --build-tests`, and exits with one status for all.
#
# Each group of suites runs in its own process, one test after the other, and a few groups run at a time. So only that many
# tests compete for the processor, and a slow machine does not starve any of them. A group that hangs is stopped; the others
# still run. Logs: .build/test-logs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Slow suites, each a group by itself.
apart=(
    APNSTransportTests.AbuseTests
    PushServiceTests.AudiencePropertyTests
    PushServiceTests.NodeTests
    PushServiceTests.PostgresStoreTests
    SystemPortSocketTests.MatrixProcessTests
    PushClockTests.CalendarPropertyTests
    APNSTransportTests.MemoryTests
)
# The remaining suites of a target form groups of about so many tests.
size=150
# Concurrent groups: tests wait for sockets and processes, so there is room for one more group than processors.
jobs=${POSTHORN_TEST_JOBS:-$(($(nproc) + 1))}
[ "$jobs" -ge 1 ] || { echo "run-tests: POSTHORN_TEST_JOBS is '$jobs'; expected 1 or more" >&2; exit 2; }
# Timeout of a group in seconds: about twenty times the duration of the longest on an idle machine.
limit=${POSTHORN_TEST_LIMIT:-1200}
binary=.build/debug/posthornPackageTests.xctest
logs=.build/test-logs
begin=$(date +%s.%N)

seconds() { awk -v begin="$1" -v end="$(date +%s.%N)" 'BEGIN { printf "%.1f", end - begin }'; }

# Prints each group with the regular expression of its suites' tests: GROUP PATTERN. The slow suites are first, then the largest.
plan() {
    cut -d/ -f1 "$logs/list" | LC_ALL=C sort | uniq -c | awk -v size="$size" -v apart="${apart[*]}" '
        # Tests outside of suites have parentheses.
        function escaped(name) { gsub(/[][().*+?{}|^$]/, "\\\\&", name); return name }
        function close_group() {
            if (count) print count, target (part > 1 || more ? "-" part : ""), "^" target "\\.(" names ")(/|$)"
            count = 0
            names = ""
        }
        BEGIN { split(apart, slow, " "); for (place in slow) is_slow[slow[place]] = 1 }
        {
            dot = index($2, ".")
            suite = escaped(substr($2, dot + 1))
            if ($2 in is_slow) { print 100000, $2, "^" substr($2, 1, dot - 1) "\\." suite "/"; next }
            if (substr($2, 1, dot - 1) != target) { more = 0; close_group(); target = substr($2, 1, dot - 1); part = 1 }
            else if (count >= size) { more = 1; close_group(); part++ }
            count += $1
            names = names (names == "" ? "" : "|") suite
        }
        END { more = 0; close_group() }' | sort -rn -k1,1 | cut -d' ' -f2-
}

# Runs a group. Writes its log and, if all its tests passed, their number to files.
run_group() {
    local group=$1 status=0 start
    start=$(date +%s.%N)
    timeout -k 30 "$limit" "$binary" --testing-library swift-testing --no-parallel --filter "${patterns[$group]}" \
        >"$logs/$group.log" 2>&1 </dev/null &
    # `timeout` forwards the signal to the tests.
    trap 'kill $! 2>/dev/null' TERM
    wait $! || status=$?
    # Printed at once, because other groups report at the same time.
    printf '%s\n' "$(report "$group" "$status" "$(seconds "$start")")"
}

# Prints the result of a group and the reason of a failure. A group passes only if all its tests were run.
report() {
    local group=$1 status=$2 time=$3 wanted found
    wanted=$(grep -c -E -e "${patterns[$group]}" "$logs/list")
    found=$(sed -nE 's/^. Test run with ([0-9]+) tests? .*/\1/p' "$logs/$group.log" | tail -n 1)
    if [ "$status" -eq 0 ] && [ "$wanted" -eq "${found:-0}" ]; then
        printf '✔ %s: %d tests, %s s\n' "$group" "$wanted" "$time"
        printf '%s\n' "$wanted" >"$logs/$group.passed"
        return
    fi
    printf '✘ %s: ' "$group"
    case $status in
        0) printf 'ran %s of %s tests\n' "${found:-no}" "$wanted" ;;
        124 | 137) printf 'did not end within %s s\n' "$limit" ;;
        *) printf 'failed with status %s after %s s\n' "$status" "$time" ;;
    esac
    [ -n "$found" ] || printf '  it ended in: %s\n' "$(running "$group")"
    grep -A 3 -E '^✘|Fatal error|^↳' "$logs/$group.log" | grep -v -E '^(◇|✔|--$)|^↳ (Testing Library|Target Platform)' |
        sed 's/^/  /' || true
    printf '  all of it: %s\n' "$logs/$group.log"
}

# Prints the last test that was started.
running() {
    sed -nE 's/^. Test (.*) started\.$/\1/p' "$logs/$1.log" | tail -n 1
}

[ -x "$binary" ] || { echo "run-tests: $binary is missing; 'swift build --build-tests' builds it" >&2; exit 1; }
rm -rf "$logs"
mkdir -p "$logs"
# The cases of XCTest fail on purpose; tests of Swift Testing run them.
"$binary" --testing-library swift-testing --list-tests | grep -E '^[A-Za-z_0-9]+\.' >"$logs/list"
groups=()
declare -A patterns=()
while read -r group pattern; do
    groups+=("$group")
    patterns[$group]=$pattern
done < <(plan)

# Stops the groups' processes together with this one.
trap 'kill $(jobs -rp) 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
for group in "${groups[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
    run_group "$group" &
done
wait

echo "the slowest:"
sed -nE 's/^. Test (.*) (passed|failed) after ([0-9.]+) seconds.*/\3 s  \1/p' "$logs"/*.log | grep -v '  run with' |
    sort -rn | sed 's/^/  /' | head -n 10 || true
listed=$(wc -l <"$logs/list")
passed=$(cat "$logs"/*.passed 2>/dev/null | awk '{ sum += $1 } END { print sum + 0 }')
suites=$(cut -d/ -f1 "$logs/list" | sort -u | wc -l)
if [ "$passed" -ne "$listed" ] || [ "$(find "$logs" -name '*.passed' | wc -l)" -ne "${#groups[@]}" ]; then
    echo "✘ Test run failed after $(seconds "$begin") seconds: the groups above that passed have $passed of $listed tests."
    exit 1
fi
echo "✔ Test run with $listed tests in $suites suites passed after $(seconds "$begin") seconds."
