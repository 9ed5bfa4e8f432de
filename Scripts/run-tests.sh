#!/usr/bin/env bash
# Runs all tests that `swift build --build-tests` has built, and ends with one status.
#
# Each group of suites has a process of its own, in which one test runs after the other; a few groups run at a time. So no
# more than that many tests compete for the processor, and every test has the time that it takes by itself, however slow the
# machine is. A group that does not end is stopped; the others run all the same. Logs: .build/test-logs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Suites that take long, each a group of its own; the tests of a target that are in none of them are one more group.
apart=(
    APNSTransportTests.AbuseTests
    PushServiceTests.AudiencePropertyTests
    SystemPortSocketTests.MatrixProcessTests
    PushClockTests.CalendarPropertyTests
    APNSTransportTests.MemoryTests
)
# Groups at a time: tests wait for sockets and processes, so there is room for one more than there are processors.
jobs=${POSTHORN_TEST_JOBS:-$(($(nproc) + 1))}
[ "$jobs" -ge 1 ] || { echo "run-tests: POSTHORN_TEST_JOBS is '$jobs'; expected 1 or more" >&2; exit 2; }
# Seconds for one group: some twenty times what the longest takes on an idle machine.
limit=${POSTHORN_TEST_LIMIT:-1200}
binary=.build/debug/posthornPackageTests.xctest
logs=.build/test-logs
begin=$(date +%s.%N)

seconds() { awk -v begin="$1" -v end="$(date +%s.%N)" 'BEGIN { printf "%.1f", end - begin }'; }

# The regular expression for the tests of a group, as their names begin.
pattern() {
    case $1 in
        *.*) printf '^%s/' "${1//./\\.}" ;;
        *) printf '^%s\\.' "$1" ;;
    esac
}

# The names of a group's tests, from all names.
members() {
    local others=() suite
    for suite in "${apart[@]}"; do
        [ "$1" = "$suite" ] || others+=(-e "$(pattern "$suite")")
    done
    grep -E -e "$(pattern "$1")" "$logs/list" | grep -v -E "${others[@]}" || true
}

# Runs a group; its log, and its status if it ends, are files.
run_group() {
    local group=$1 skips=() suite status=0 start
    for suite in "${apart[@]}"; do
        [ "$group" = "$suite" ] || skips+=(--skip "$(pattern "$suite")")
    done
    start=$(date +%s.%N)
    timeout -k 30 "$limit" "$binary" --testing-library swift-testing --no-parallel --filter "$(pattern "$group")" \
        "${skips[@]}" >"$logs/$group.log" 2>&1 </dev/null &
    # `timeout` hands a signal on to the tests.
    trap 'kill $! 2>/dev/null' TERM
    wait $! || status=$?
    # In one piece: other groups report at the same time.
    printf '%s\n' "$(report "$group" "$status" "$(seconds "$start")")"
}

# Prints how a group has ended, and why not well. Only a group whose every test was run has passed.
report() {
    local group=$1 status=$2 time=$3 wanted found
    wanted=$(members "$group" | wc -l)
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

# The test that has begun and has not ended.
running() {
    sed -nE 's/^. Test (.*) started\.$/\1/p' "$logs/$1.log" | tail -n 1
}

[ -x "$binary" ] || { echo "run-tests: $binary is not there; 'swift build --build-tests' makes it" >&2; exit 1; }
rm -rf "$logs"
mkdir -p "$logs"
swift test list --skip-build 2>/dev/null | grep -E '^[A-Za-z_0-9]+\.' >"$logs/list"
mapfile -t targets < <(cut -d. -f1 "$logs/list" | sort | uniq -c | sort -rn | awk '{ print $2 }')
groups=("${apart[@]}" "${targets[@]}")

# The groups' processes end with this one.
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
