"""`./posthorn` and `./test` in a small checkout with a stand-in for `swift`: which binary runs, what is built, and what is shown meanwhile.

Also the benchmarks' choice of a binary.
"""

import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import termios
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPTS = ["posthorn", "test", "Scripts/prepare.sh", "Scripts/build.sh", "Scripts/build-flags", "Scripts/standard.hpp", "Benchmarks/Wire/program.py"]
# A debug build of whole modules.
WHOLE = [word for flag in ["-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "2"] for word in ("-Xswiftc", flag)]
# It notes its arguments and prints what SwiftPM prints. The binary is a script that says what it is.
SWIFT = r"""#!/usr/bin/env bash
[ "$1" != --version ] || { echo "Swift version 6.3.1 (swift-6.3.1-RELEASE)"; exit; }
echo "$*" >>"$CHECKOUT/calls"
[ "$1" = build ] || exit 0
[[ " $* " == *" -c release "* ]] && kind=release || kind=debug
build=$CHECKOUT/.build
mkdir -p "$build/$kind"
product=$build/$kind/product
module() {
    echo "  \"C.$1-debug.module\":"
    echo "    tool: shell"
    echo "    inputs: [\"$CHECKOUT/Sources/$1/One.swift\",\"$CHECKOUT/Sources/$1/Two.swift\"]"
    echo "    outputs: [\"$product/$1/One.swift.o\",\"$product/$1/Two.swift.o\"]"
    echo "    description: \"Compiling Swift Module '$1' (2 sources)\""
}
{
    echo 'targets:'
    echo '  "posthorn-debug.exe": ["<posthorn.exe>"]'
    echo '  "test": ["<posthorn.exe>","<Tests.module>"]'
    echo 'commands:'
    for name in Model Service; do module "$name"; done
    echo '  "C.Source":'
    echo "    outputs: [\"$product/shims.c.o\"]"
    echo '    description: "Compiling CShims shims.c"'
    echo '  "<posthorn.exe>":'
    echo "    inputs: [\"$product/Model/One.swift.o\",\"$product/Service/One.swift.o\",\"$product/shims.c.o\"]"
    echo '    outputs: ["<posthorn.exe>"]'
    module Tests
    echo '  "<Tests.module>":'
    echo "    inputs: [\"$product/Tests/Two.swift.o\"]"
    echo '    outputs: ["<Tests.module>"]'
} >"$build/$kind.yaml"
echo "Fetching https://example.com/swift-nio"
[ ! -e "$CHECKOUT/waits" ] || while [ -e "$CHECKOUT/waits" ]; do read -r -t 0.1 <>"$CHECKOUT/nothing"; done
echo "Building for ${kind}ging..."
echo "[0/9] Write sources"
echo "[1/9] Compiling CShims shims.c"
echo "[2/9] Emitting module Model"
for name in Model Service; do
    for file in One Two; do
        # SwiftPM leaves lines out if there are many in a moment.
        [ "$name $file" = "Service Two" ] || echo "[3/9] Compiling $name $file.swift"
        if [ "$FAILS" = "$name $file" ]; then
            for again in 1 2; do
                echo "$CHECKOUT/Sources/$name/$file.swift:1:7: error: cannot find 'x' in scope"
                echo "1 | print(x)"
                echo "  |       \`- error: cannot find 'x' in scope"
            done
            echo 'echo half' >"$build/$kind/posthorn"
            chmod +x "$build/$kind/posthorn"
            exit 1
        fi
    done
    echo "[7/9] Wrapping AST for $name for debugging"
done
echo "[8/9] Linking posthorn"
[ -n "$LEAVES" ] || printf '#!/bin/sh\necho "%s $*"\n' "$kind" >"$build/$kind/posthorn"
cp "$build/$kind/posthorn" "$build/$kind/posthornPackageTests.xctest"
chmod +x "$build/$kind/posthorn" "$build/$kind/posthornPackageTests.xctest"
echo "Build complete! (1.00s)"
"""


class Checkout:
    def __init__(self, folder):
        self.folder = folder
        for name in SCRIPTS:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
        for name in ["Package.swift", "Sources/Model/One.swift", "Examples/PushLab/One.swift"]:
            self.write(name, "// a source\n", age=1000)
        (folder / "tools").mkdir()
        (folder / "tools/swift").write_text(SWIFT)
        (folder / "tools/swift").chmod(0o755)
        # A toolchain that cannot say where its C++ compiler is: most tests need no precompiled headers.
        (folder / "tools/swiftc").write_text("#!/bin/sh\nexit 1\n")
        (folder / "tools/swiftc").chmod(0o755)
        # The stand-in waits with it, without a process.
        os.mkfifo(folder / "nothing")
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("POSTHORN_")}
        self.environment |= {"PATH": f"{folder / 'tools'}:{os.environ['PATH']}", "CHECKOUT": str(folder), "FAILS": "", "LEAVES": ""}

    def write(self, name, text, age=0):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.date(path, age)
        # Also the folders on the way.
        for folder in path.relative_to(self.folder).parents:
            self.date(self.folder / folder, age)

    @staticmethod
    def date(path, age):
        os.utime(path, (time.time() - age,) * 2)

    def binary(self, kind, age):
        """A binary by some `swift build`, whose state nothing has noted."""
        self.write(f".build/{kind}/posthorn", f'#!/bin/sh\necho "old {kind} $*"\n', age)
        (self.folder / f".build/{kind}/posthorn").chmod(0o755)

    def run(self, *arguments, status=0, script="posthorn", **environment):
        done = subprocess.run(
            [self.folder / script, *arguments], cwd=self.folder, env=self.environment | environment, capture_output=True, text=True,
            timeout=600, stdin=subprocess.DEVNULL,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    @property
    def builds(self):
        """The arguments of the builds so far."""
        calls = self.folder / "calls"
        lines = calls.read_text().splitlines() if calls.exists() else []
        return [line.split()[1:] for line in lines if line.startswith("build ")]

    def arguments(self, kind, *more, whole=False):
        optimised = ["-Xcc", "-O1", "-Xcxx", "-O1", "-Xswiftc", "-Xfrontend", "-Xswiftc", "-disable-llvm-verify"] if kind == "debug" else []
        modules = WHOLE if whole else []
        # The linker beside the compiler, if there is one.
        own = self.folder / "tools/swiftc"
        compiler = own if own.exists() else pathlib.Path(shutil.which("swiftc")).resolve()
        if kind == "debug" and compiler.with_name("ld.lld").exists():
            optimised += ["-Xswiftc", "-use-ld=lld"]
        return ["--package-path", str(self.folder), "-c", kind, "--disable-index-store", "-debug-info-format", "none", *optimised, *modules, *more]


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path)


def test_a_current_release_build_runs(checkout):
    checkout.binary("debug", age=10)
    checkout.binary("release", age=20)
    done = checkout.run("demo", "--exit")
    assert (done.stdout, done.stderr, checkout.builds) == ("old release demo --exit\n", "", [])
    assert checkout.run("a", POSTHORN_BUILD="debug").stdout == "old debug a\n"


def test_a_current_debug_build_runs_if_the_release_build_is_older_than_a_source(checkout):
    checkout.binary("release", age=2000)
    checkout.binary("debug", age=10)
    done = checkout.run("when")
    assert (done.stdout, done.stderr, checkout.builds) == ("old debug when\n", "", [])


def test_without_a_build_the_debug_build_is_made_once(checkout):
    done = checkout.run("when", "a b")
    assert done.stdout == "debug when a b\n"
    assert checkout.builds == [checkout.arguments("debug", "--product", "posthorn", whole=True)]
    assert checkout.run("again").stdout == "debug again\n" and checkout.run("again").stderr == ""
    assert len(checkout.builds) == 1


@pytest.mark.parametrize("has_linker", [False, True])
def test_a_debug_build_is_linked_by_the_toolchains_linker_where_there_is_one(checkout, has_linker):
    if has_linker:
        shutil.copy(checkout.folder / "tools/swiftc", checkout.folder / "tools/ld.lld")
    checkout.run("when")
    checkout.run("when", POSTHORN_BUILD="release")
    assert checkout.builds == [
        checkout.arguments("debug", "--product", "posthorn", whole=True), checkout.arguments("release", "--product", "posthorn"),
    ]
    assert ["-use-ld=lld" in words for words in checkout.builds] == [has_linker, False]


def test_a_debug_build_from_nothing_reads_the_headers_of_cplusplus_once(checkout):
    (checkout.folder / "tools/swiftc").unlink()
    headers = ["-Xcxx", "-include-pch", "-Xcxx", ".build/standard.pch"]
    checkout.run("when")
    assert checkout.builds == [checkout.arguments("debug", *headers, "--product", "posthorn", whole=True)]
    precompiled = checkout.folder / ".build/standard.pch"
    first = precompiled.stat()
    checkout.write("Sources/Model/One.swift", "// another source\n")
    checkout.run("when")
    assert checkout.builds[1] == checkout.builds[0] and precompiled.stat().st_ino == first.st_ino

    # An update of the compiler or of a header leaves one that cannot be used any more.
    precompiled.write_bytes(b"of another compiler")
    checkout.write("Sources/Model/One.swift", "// a third source\n")
    checkout.run("when")
    assert checkout.builds[2] == checkout.builds[0] and precompiled.stat().st_size == first.st_size

    # What cannot be compiled is read as usual.
    precompiled.write_bytes(b"of another compiler")
    checkout.write("Scripts/standard.hpp", "#error none\n")
    checkout.write("Sources/Model/One.swift", "// a fourth source\n")
    checkout.run("when")
    assert checkout.builds[3] == checkout.arguments("debug", "--product", "posthorn", whole=True)


def test_the_release_build_is_made_if_asked_for_and_then_used(checkout):
    checkout.binary("debug", age=10)
    assert checkout.run("serve", POSTHORN_BUILD="release").stdout == "release serve\n"
    assert checkout.builds == [checkout.arguments("release", "--product", "posthorn")]
    assert checkout.run("serve").stdout == "release serve\n"
    assert checkout.run("serve", POSTHORN_BUILD="debug").stdout == "old debug serve\n"
    refused = checkout.run("serve", POSTHORN_BUILD="fast", status=2)
    assert "POSTHORN_BUILD is 'fast'; expected 'debug' or 'release'" in refused.stderr
    assert len(checkout.builds) == 1


@pytest.fixture
def postgres():
    if not (shutil.which("initdb") or list(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))):
        pytest.skip("needs PostgreSQL, which ./test would install")


def test_whole_modules_are_compiled_from_nothing_until_someone_edits(checkout, postgres):
    checkout.run("when")
    checkout.run("--build", script="test")
    assert checkout.builds[1:] == [checkout.arguments("debug", "--build-tests", whole=True)]
    checkout.write("Sources/Model/One.swift", "// edited\n")
    hint = "whole modules, which is slow after an edit; for quicker builds from the next one on: rm .build/whole-modules\n"
    assert hint in checkout.run("when").stderr
    (checkout.folder / ".build/whole-modules").unlink()
    checkout.write("Sources/Model/One.swift", "// edited again\n")
    assert "whole" not in checkout.run("when").stderr
    assert checkout.builds[3:] == [checkout.arguments("debug", "--product", "posthorn")]


def test_the_tests_and_the_program_share_a_build(checkout, postgres):
    ran = checkout.run("--filter", "Journeys", script="test")
    assert ran.stdout == "debug --testing-library swift-testing --filter Journeys\n"
    assert checkout.builds == [checkout.arguments("debug", "--build-tests")]
    assert checkout.run("when").stdout == "debug when\n"
    assert len(checkout.builds) == 1
    assert (checkout.folder / ".build/tests.log").read_text().endswith("Build complete! (1.00s)\n")


@pytest.mark.parametrize("change", ["edited", "touched", "added", "removed", "from the future"])
def test_a_change_leads_to_one_build_even_if_the_binary_stays_as_it_was(checkout, change):
    checkout.write("Sources/Model/Two.swift", "// another\n", age=1000)
    checkout.run("when")
    checkout.date(checkout.folder / ".build/debug/posthorn", age=500)
    assert checkout.run("when").stderr == "" and len(checkout.builds) == 1
    source = checkout.folder / "Sources/Model/Two.swift"
    match change:
        case "edited": source.write_text("// edited\n")
        case "touched": checkout.date(source, age=0)
        case "added": checkout.write("Sources/Model/Three.swift", "// old, moved here\n", age=3000)
        case "removed": source.unlink()
        case "from the future": checkout.date(source, age=-100_000)
    for _ in range(2):
        assert checkout.run("when", LEAVES="1").stdout == "debug when\n"
    assert len(checkout.builds) == 2


def test_a_build_that_fails_shows_its_errors_once_and_its_binary_never_runs(checkout):
    checkout.binary("debug", age=2000)
    failed = checkout.run("when", FAILS="Service One", status=1)
    assert failed.stdout == ""
    assert failed.stderr.count("One.swift:1:7: error: cannot find 'x' in scope") == 1
    assert "1 | print(x)" in failed.stderr
    assert failed.stderr.endswith("posthorn: the build has failed; all of its output: .build/debug.log\n")
    log = (checkout.folder / ".build/debug.log").read_text()
    assert log.count("error: cannot find") == 4 and "[3/9] Compiling Model Two.swift" in log
    # The linker may have left something that is newer than all sources.
    assert checkout.run("when").stdout == "debug when\n"
    assert len(checkout.builds) == 2


def test_a_build_that_is_killed_is_made_again(checkout):
    (checkout.folder / "waits").touch()
    checkout.binary("debug", age=2000)
    running = subprocess.Popen(
        [checkout.folder / "posthorn", "when"], cwd=checkout.folder, env=checkout.environment, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )
    assert running.stderr.readline() == "posthorn: building (debug); log: .build/debug.log\n"
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate(timeout=60)
    (checkout.folder / "waits").unlink()
    checkout.binary("debug", age=0)
    assert checkout.run("when").stdout == "debug when\n"


def test_where_no_terminal_is_a_build_prints_few_lines(checkout):
    checkout.binary("debug", age=2000)
    lines = checkout.run("when").stderr.splitlines()
    assert lines[0] == "posthorn: building (debug); log: .build/debug.log"
    # A source in C is one of five units, and the second module begins with the fourth.
    assert lines[1:-1] == [
        "posthorn: building, 40 %, less than a minute left", "posthorn: building, 60 %, less than a minute left",
        "posthorn: building, 80 %, less than a minute left",
    ]
    assert re.fullmatch("posthorn: built in 0 min [0-9]+ s", lines[-1])


def test_modules_weigh_what_the_table_of_costs_says(checkout):
    checkout.binary("debug", age=2000)
    checkout.write("CONTRIBUTING.md", "| module | debug | release |\n| --- | ---: | ---: |\n| Model | 100 | 8 |\n| Service with others | 3,00 | – |\n")
    lines = checkout.run("when").stderr.splitlines()
    assert [line.split(",")[1] for line in lines[1:-1]] == [" 25 %", " 62 %", " 99 %"]


@pytest.mark.parametrize("columns", [100, 40])
def test_on_a_terminal_a_build_is_one_line_with_an_estimate(checkout, columns):
    checkout.binary("debug", age=2000)
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    process = subprocess.Popen(
        [checkout.folder / "posthorn", "when"], cwd=checkout.folder, env=checkout.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=theirs, text=True,
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # the end of a terminal
        pass
    os.close(ours)
    assert process.communicate(timeout=60)[0] == "debug when\n" and process.returncode == 0
    *states, end = shown.decode().split("\r\x1b[K")
    assert re.fullmatch("posthorn: built in 0 min [0-9]+ s\r\n", end)
    assert "\n" not in "".join(states) and all(len(state) < columns for state in states)
    if columns == 40:
        return
    assert "posthorn: fetching swift-nio; log .build/debug.log" in states
    assert "posthorn: building 20 %, shims.c; log .build/debug.log" in states
    assert "posthorn: building 80 %, Service, less than a minute left; log .build/debug.log" in states
    percents = [int(found[1]) for state in states if (found := re.search(r"building (\d+) %", state))]
    assert percents == sorted(percents) and percents[-1] == 99


@pytest.mark.parametrize("seconds, finished, total, text", [
    (60, 1, 4, "about 3 min left"), (100, 50, 100, "about 2 min left"), (100, 70, 100, "less than a minute left"),
])
def test_the_time_left_is_that_of_the_rest_at_the_speed_so_far(seconds, finished, total, text):
    script = f"source {ROOT / 'Scripts/build.sh'}; time_left {seconds} {finished} {total}"
    assert subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout == text + "\n"


def measured(checkout, status=0, **environment):
    """The binary that a benchmark measures, and what is printed about it."""
    done = subprocess.run(
        [sys.executable, "-B", "-c", "import program; print(program.binary())"], cwd=checkout.folder / "Benchmarks/Wire",
        env=checkout.environment | environment, capture_output=True, text=True, timeout=60,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout.strip(), done.stderr


def test_benchmarks_make_and_measure_the_release_build(checkout):
    checkout.binary("debug", age=10)
    assert measured(checkout)[0] == str(checkout.folder / ".build/release/posthorn")
    assert checkout.builds == [checkout.arguments("release", "--product", "posthorn")]


def test_benchmarks_refuse_a_debug_build_without_an_excuse(checkout):
    binary = checkout.folder / "program"
    binary.write_text("#!/bin/sh\necho '1.2.3 (debug build)'\n")
    binary.chmod(0o755)
    path, refusal = measured(checkout, POSTHORN_BINARY=str(binary), status=1)
    assert path == "" and f"{binary} is a debug build; a benchmark needs the release build" in refusal
    path, note = measured(checkout, POSTHORN_BINARY=str(binary), POSTHORN_DEBUG_IS_FINE="a test of counts")
    assert (path, note) == (str(binary), "A debug build is measured: a test of counts.\n")
