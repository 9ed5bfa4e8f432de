"""The checks of the public API notice what they are there for."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import postgres
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTED = "/// The first.\npublic func first() {}\n/// The second.\npublic func second(_ number: Int) {}\n"

pytestmark = pytest.mark.skipif(shutil.which("swiftc") is None, reason="needs the toolchain")


def build(folder, text):
    """Compiles a module `Sample` as a build folder has it."""
    modules = folder / "build/Modules"
    modules.mkdir(parents=True, exist_ok=True)
    source = folder / "sample.swift"
    source.write_text(text)
    subprocess.run(
        ["swiftc", "-emit-module", "-parse-as-library", "-module-name", "Sample", "-o", modules / "Sample.swiftmodule", source], check=True
    )


def run(folder, script, *options):
    command = [ROOT / "Scripts" / script, *options, "--build", folder / "build", "Sample"]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def check(folder, *options):
    return run(folder, "api-check", "--baseline", folder / "baseline.json.xz", "--breaks", folder / "breaks.txt", *options)


def test_a_removed_declaration_fails(tmp_path):
    build(tmp_path, DOCUMENTED)
    assert check(tmp_path, "--update").returncode == 0
    build(tmp_path, DOCUMENTED.replace("public func second(_ number: Int) {}", "func second(_ number: Int) {}"))
    done = check(tmp_path)
    assert done.returncode == 1
    assert "Sample: func second(_:) has been removed\n" in done.stderr
    # With a reason it passes.
    entry = "Sample: func second(_:) has been removed | never worked; call first()\n"
    (tmp_path / "breaks.txt").write_text(f"# Breaks\n{entry}")
    done = check(tmp_path)
    assert (done.returncode, done.stdout) == (0, "1 modules: 1 changes break sources, all of them intended\n")
    # Without one it does not.
    (tmp_path / "breaks.txt").write_text("Sample: func second(_:) has been removed\n")
    assert "breaks.txt:1" in check(tmp_path).stderr


def test_a_changed_type_fails_and_an_addition_does_not(tmp_path):
    build(tmp_path, DOCUMENTED)
    check(tmp_path, "--update")
    build(tmp_path, DOCUMENTED + "public func third() {}\n")
    assert check(tmp_path).returncode == 0
    build(tmp_path, DOCUMENTED.replace("number: Int", "number: String"))
    done = check(tmp_path)
    assert done.returncode == 1
    assert "second(_:) has parameter 0 type change from Swift.Int to Swift.String" in done.stderr


def test_an_entry_that_nothing_needs_fails(tmp_path):
    build(tmp_path, DOCUMENTED)
    (tmp_path / "breaks.txt").write_text("Sample: func second(_:) has been removed | never worked; call first()\n")
    done = check(tmp_path, "--update")
    assert done.returncode == 1
    assert "delete the entry" in done.stderr


def test_missing_comments_fail_with_their_places(tmp_path):
    build(tmp_path, DOCUMENTED)
    done = run(tmp_path, "documented-symbols.py")
    assert done.returncode == 0, done.stderr
    assert "2 of    2  100.0 %" in done.stdout
    build(tmp_path, DOCUMENTED.replace("/// The second.\n", ""))
    done = run(tmp_path, "documented-symbols.py")
    assert done.returncode == 1
    assert f"{tmp_path}/sample.swift:3: second(_:)" in done.stdout
    assert "less than 90 % of the public symbols have doc comments in: Sample" in done.stderr


def test_the_example_of_a_database_needs_nothing_but_public_names():
    """OwnDatabase is not built as a package of its own, because that compiles every package of the service once more."""
    sys.path.insert(0, str(ROOT / "Scripts"))
    import symbol_graphs

    command = ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-package-name", "another", *symbol_graphs.search_paths()]
    sources = sorted((ROOT / "Examples/OwnDatabase/Tests").rglob("*.swift"))
    assert len(sources) == 1
    done = subprocess.run([*command, *sources], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_the_example_of_a_database_is_a_package(tmp_path):
    def manifest(folder):
        # In a folder of its own: another command of SwiftPM may hold the project's for as long as a build takes.
        command = ["swift", "package", "--package-path", folder, "--scratch-path", tmp_path, "dump-package"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    example, own = manifest(ROOT / "Examples/OwnDatabase"), manifest(ROOT)
    assert [target["name"] for target in example["targets"]] == ["OwnDatabaseTests"]
    needed = [dependency["product"][0] for target in example["targets"] for dependency in target["dependencies"]]
    assert needed == ["PushStoreConformance"]
    assert set(needed) <= {product["name"] for product in own["products"]}


@pytest.mark.release("runs the contract of stores on PostgreSQL once more")
def test_the_example_of_a_database_passes_on_postgresql():
    """Its tests are built with those of the project."""
    tests = ROOT / ".build/debug/posthornPackageTests.xctest"
    if not tests.exists():
        pytest.skip("needs the tests: swift build --build-tests")
    server = postgres.Server()
    try:
        done = subprocess.run(
            [tests, "--testing-library", "swift-testing", "--filter", "OwnDatabaseTests"],
            env={**os.environ, "POSTGRES_URL": server.socket_url("postgres")}, capture_output=True, text=True, timeout=3600,
        )
    finally:
        server.close()
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    # Each function has a case for each clause, none of which may be skipped.
    cases = re.findall(r"with (\d+) test cases passed", done.stdout + done.stderr)
    assert len(cases) == 2 and min(map(int, cases)) > 10, done.stdout[-8000:]


def test_names_of_apple_that_the_ledger_lacks_are_listed(tmp_path):
    def lacking(*options):
        run = subprocess.run([ROOT / "Scripts/apple-names.py", *options], capture_output=True, text=True, timeout=60)
        return run.returncode, run.stdout.splitlines()

    assert lacking(ROOT / "Scripts/usernotifications.txt") == (0, [])
    head = {
        "availability": ["iOS: 28.0.0 -"], "documentType": "symbol", "framework": "UserNotifications",
        "identifier": "/documentation/UserNotifications/UNThing/newMember",
    }
    links = "[a](/documentation/UserNotifications/UNNotification/date) [b](/documentation/UserNotifications/UNOther/init(_:)-3kx2p)"
    (tmp_path / "page.md").write_text(f"<!--\n{json.dumps(head)}\n-->\n{links} [c](/documentation/UserNotifications/an-article)\n")
    page = {"kind": "symbol", "identifier": {"url": "doc://com.apple.documentation/documentation/UIKit/UIThing"}, "references": {}}
    (tmp_path / "page.json").write_text(json.dumps(page))
    both = ["uikit UIThing", "usernotifications UNOther.init(_:)", "usernotifications UNThing.newMember (iOS 28.0.0)"]
    assert lacking(tmp_path) == (1, both)
    assert lacking("--since", "28.0", tmp_path) == (1, both[2:])
