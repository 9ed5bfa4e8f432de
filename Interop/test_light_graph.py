"""Scripts/light-graph.py: the way from a light package to another package is found."""

import importlib.util
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "Scripts/light-graph.py"
EXAMPLES = ["TestingNotifications", "OwnEngine", "DesktopReminder"]

spec = importlib.util.spec_from_file_location("light_graph", SCRIPT)
light_graph = importlib.util.module_from_spec(spec)
spec.loader.exec_module(light_graph)


@pytest.fixture
def manifest(tmp_path):
    """A function that reads a manifest of the project, to change it."""
    return lambda folder: light_graph.manifest(folder, tmp_path)


def needs(package, target, *dependency):
    package.targets[target]["dependencies"].append({dependency[0]: [*dependency[1:], None]})


def test_the_examples_are_light():
    done = subprocess.run([SCRIPT], capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == EXAMPLES


def test_an_edge_deep_below_the_test_kit_is_found(manifest):
    own, example = manifest(ROOT), manifest(ROOT / "Examples/TestingNotifications")
    found, targets = light_graph.reached(example, own)
    assert found == {} and {"PosthornTesting", "UIKit", "PushModel"} <= targets and "PushService" not in targets
    needs(own, "PushClock", "product", "NIOCore", "swift-nio", None)
    found, _ = light_graph.reached(example, own)
    assert list(found) == ["NIOCore"] and found["NIOCore"][0] in example.targets and found["NIOCore"][-2:] == ["PushClock", "NIOCore"]


def test_a_server_module_brings_its_packages(manifest):
    own, example = manifest(ROOT), manifest(ROOT / "Examples/OwnEngine")
    needs(own, "SystemPortConformance", "byName", "APNSGateway")
    found, _ = light_graph.reached(example, own)
    assert {"NIOCore", "Hummingbird", "Crypto", "X509"} <= set(found)


def test_what_an_example_itself_needs_counts(manifest):
    own, example = manifest(ROOT), manifest(ROOT / "Examples/OwnEngine")
    needs(example, "MemoryEngine", "product", "GRDB", "GRDB.swift", None)
    assert light_graph.reached(example, own)[0] == {"GRDB": ["MemoryEngine", "GRDB"]}


def test_what_is_only_there_with_a_trait_counts_for_who_chooses_it(manifest):
    own = manifest(ROOT)
    needs(own, "SystemPortDesktop", "product", "NIOCore", "swift-nio", None)
    found = {name: list(light_graph.reached(manifest(ROOT / "Examples" / name), own)[0]) for name in EXAMPLES}
    assert found == {"TestingNotifications": [], "OwnEngine": [], "DesktopReminder": ["NIOCore"]}


def test_the_check_fails_and_prints_the_way(tmp_path):
    folder = tmp_path / "Heavy"
    (folder / "Sources/Heavy").mkdir(parents=True)
    (folder / "Sources/Heavy/Heavy.swift").write_text("")
    (folder / "Package.swift").write_text(f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Heavy",
    dependencies: [.package(name: "posthorn", path: "{ROOT}")],
    targets: [.target(name: "Heavy", dependencies: [.product(name: "APNSProvider", package: "posthorn")])]
)
""")
    done = subprocess.run([SCRIPT, folder], capture_output=True, text=True, timeout=1200)
    assert done.returncode == 1 and done.stdout == ""
    assert "Heavy would compile another package for NIOCore: Heavy → APNSProvider → NIOCore\n" in done.stderr


def test_the_fuzzing_package_has_all_files_and_modules_that_it_links_to():
    """It is built before a release only, so what is moved or imported in Sources would be noticed late."""
    folder = ROOT / "Fuzzing/Sources"
    targets = set(re.findall(r'arget\(\s*name: "(\w+)"', (ROOT / "Fuzzing/Package.swift").read_text()))
    assert targets == {path.name for path in folder.iterdir()}
    files = [path for target in folder.iterdir() for path in [target, *(file for file in walk(target))]]
    assert [str(path) for path in files if not path.exists()] == []
    known = targets | {"SwiftASN1", "Foundation", "Synchronization", "Glibc", "Musl", "Darwin"}
    imports = {
        (module, path.name) for path in files if path.suffix == ".swift"
        for module in re.findall(r"^(?:@\w+ )?(?:package |public |internal )?import (?:\w+ )?(\w+)", path.read_text(), re.M)
    }
    assert len(imports) > 20 and {found for found in imports if found[0] not in known} == set()


def walk(folder):
    for root, folders, names in os.walk(folder, followlinks=True):
        yield from (pathlib.Path(root, name) for name in [*folders, *names])
