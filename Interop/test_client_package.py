"""The client for apps as the package that Scripts/release writes: what is in it, and that it compiles as an app would compile it."""

import os
import pathlib
import re
import subprocess
import sys
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRODUCTS = pathlib.Path(os.environ.get("POSTHORN_PRODUCTS") or ROOT / ".build/debug")
# The older mode refuses what the newer ones brought; Posthorn itself is compiled in the newer.
MODES = ["5", pytest.param("6", marks=pytest.mark.release("compiles the client again"))]
sys.path.insert(0, str(ROOT / "Scripts/packaging"))

import client  # noqa: E402


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The unpacked archive."""
    folder = tmp_path_factory.mktemp("package")
    archive = client.write(folder, "1.2.3", 1_790_000_000, 0)
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "posthorn-client-1.2.3"


def sources(package, module):
    return sorted((package / "Sources" / module).rglob("*.swift"))


def check(package, module, mode, *more):
    """Type-checks a module as SwiftPM would compile it, with warnings as errors."""
    done = subprocess.run(
        ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", mode, "-warnings-as-errors", "-module-name", module, *more,
         *sources(package, module)],
        capture_output=True, text=True, timeout=300,
    )
    assert done.returncode == 0, done.stderr


def frameworks():
    """Words that let the compiler find Posthorn's own frameworks. The port to the emulated phone is for modules of the package alone."""
    maps = [
        word for folder in [*(ROOT / "Sources" / name for name in ("Device/CSymbols", "Frameworks/CObjectCreation", "Device/CProcess")), PRODUCTS / "CWords.build"]
        for word in ["-Xcc", f"-fmodule-map-file={folder / 'module.modulemap'}"]
    ]
    return ["-I", PRODUCTS / "Modules", "-package-name", ROOT.name.lower(), *maps]


def test_the_archive_is_complete_and_needs_nothing(package):
    names = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    assert names > {"Package.swift", "README.md", "LICENSE", "Sources/PosthornClient/PosthornClient.swift"}
    assert len(sources(package, "JPush")) > 10
    manifest = (package / "Package.swift").read_text()
    assert manifest.startswith("// swift-tools-version: 5.9\n") and ".package(" not in manifest
    # The same bytes, whoever writes them, into a checkout too.
    subprocess.run([sys.executable, ROOT / "Scripts/packaging/client.py", package / "again"], check=True)
    for name in names:
        assert (package / "again" / name).read_bytes() == (package / name).read_bytes()


@pytest.mark.parametrize("mode", MODES)
def test_the_client_compiles_in_both_modes(package, mode):
    check(package, "PosthornClient", mode)


@pytest.mark.parametrize("mode", MODES)
def test_jpush_compiles_in_both_modes_against_posthorns_own_frameworks(package, mode):
    check(package, "JPush", mode, *frameworks())


def test_the_parts_for_objective_c_compile_as_far_as_linux_can_tell(package, tmp_path):
    """With the compiler's support for Objective-C switched on. Linux's NSObject and Posthorn's classes are none of Objective-C's, so
    they are left out of the signatures of its protocols.
    """
    for file in sources(package, "JPush"):
        text = file.read_text()
        if "&& !canImport(ObjectiveC)" in text.split("\n\n")[0]:
            # The protocols for Linux, in place of which those for Objective-C are compiled.
            continue
        text = text.replace("#if os(iOS) && canImport(ObjectiveC)", "#if true")
        text = text.replace("#if canImport(ObjectiveC)", "#if true").replace("#if !canImport(ObjectiveC)", "#if true")
        if file.name == "ObjectiveCDelegates.swift":
            text = text.replace(": NSObjectProtocol {", " {", text.split("#else")[0].count(": NSObjectProtocol {"))
            text = re.sub(r"\bUN(UserNotificationCenter|NotificationResponse|Notification)\b", "AnyObject", text)
        text = text.replace("@objc(jpushReceiveNotificationRequest:with:)", "@nonobjc")
        copy = tmp_path / "Sources/JPush" / file.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
    flags = ["-Xfrontend", "-enable-objc-interop", "-Xfrontend", "-disable-objc-attr-requires-foundation-module"]
    check(tmp_path, "JPush", "6", *flags, *frameworks())


@pytest.mark.release("compiles the package twice")
@pytest.mark.parametrize("mode", ["5", "6"])
def test_an_app_builds_with_it(package, tmp_path, mode):
    (tmp_path / "Sources/App").mkdir(parents=True)
    (tmp_path / "Package.swift").write_text(f"""// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [.package(path: "{package}")],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(name: "PosthornClient", package: "{package.name}"), .product(name: "JPush", package: "{package.name}"),
            ]
        )
    ]
)
""")
    (tmp_path / "Sources/App/main.swift").write_text("""import Foundation
import PosthornClient

var values = DeviceValues(environment: AppBuild.read().environment, system: "iOS 17.0")
values.zone = "Europe/Berlin"
let store = FileStateStore(folder: URL(fileURLWithPath: "/tmp/nowhere"))
let configuration = try PosthornConfiguration(
    service: URL(fileURLWithPath: "/"), appKey: "key", bundleID: "com.example.app", values: values, store: store
)
let client = PosthornClient(configuration)
client.start()
""")
    flags = ["-Xswiftc", "-warnings-as-errors", "-Xswiftc", "-swift-version", "-Xswiftc", mode]
    built = subprocess.run(["swift", "build", "--package-path", tmp_path, *flags], capture_output=True, text=True, timeout=900)
    assert built.returncode == 0, built.stdout + built.stderr
    run = subprocess.run([tmp_path / ".build/debug/App"], capture_output=True, text=True, timeout=60)
    assert run.returncode != 0 and "expected one like 'https://push.example.com'" in run.stderr
