"""The manifest as it is on a Mac, where the products of the emulated phone stand aside: same names, and sources that say what to do.

No Mac takes part: the manifest is asked with a variable, and the sources are compiled here.
"""

import json
import os
import pathlib
import re
import subprocess

import pytest
import yaml
from processes import BINARY

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The command of a Mac, built on Linux.
ON_MAC = pathlib.Path(BINARY).with_name("PosthornOnMac")
# How tests begin, and the name that says what to do.
APP = ("InstalledApp", 'let app = InstalledApp(bundleID: "com.example.app", info: ["CFBundleVersion": "1"])')
PHONE = ("TestPhone", "func test() { let phone = TestPhone(.iOS(17)); _ = phone }")
USES = {
    "AppleFrameworks": [],
    "PosthornTesting": [
        APP,
        PHONE,
        ("TestPhone", "func test() { _ = TestPhone() }"),
        ("TestPhone", "func test() { _ = TestPhone(startingAt: 0) }"),
        ("TestJPush", "let service = TestJPush()"),
    ],
    "PosthornXCTest": [APP, PHONE, ("PhoneTestCase", "final class Tests: PhoneTestCase { func testTap() {} }")],
    "PosthornMatrix": [("CallbackMatrix", "func test() async throws { try await CallbackMatrix.run { 1 } }")],
}
KIT = ["PosthornTesting", "PosthornXCTest", "PosthornMatrix"]


@pytest.fixture(scope="module")
def manifests(tmp_path_factory):
    scratch = tmp_path_factory.mktemp("manifests")
    return {
        system: json.loads(
            subprocess.run(
                ["swift", "package", "--package-path", ROOT, "--scratch-path", scratch, "dump-package"],
                env={**os.environ, "POSTHORN_MANIFEST": system},
                stdout=subprocess.PIPE,
                check=True,
                timeout=600,
            ).stdout
        )
        for system in ["Linux", "macOS"]
    }


def products(manifest):
    return {(product["name"], *product["type"]) for product in manifest["products"]}


def targets(manifest):
    return {target["name"]: target for target in manifest["targets"]}


def test_same_products(manifests):
    assert products(manifests["macOS"]) == products(manifests["Linux"])
    assert {name for name, _ in products(manifests["macOS"])} > {"UIKit", "UserNotifications", "JPush", "posthorn", *KIT}


def test_no_target_shadows_a_framework(manifests):
    mac = targets(manifests["macOS"])
    assert not mac.keys() & {"UIKit", "UserNotifications", "UserNotificationsUI", "CoreLocation", "AdSupport"}
    for product in manifests["macOS"]["products"]:
        assert set(product["targets"]) <= mac.keys()
    for name, target in mac.items():
        here = {word[0] for dependency in target["dependencies"] for word in dependency.values() if len(word) < 4}
        assert here <= mac.keys(), f"{name} depends on what is not there"
    for name in ["JPush", "JPushExtension"]:
        assert mac[name]["path"] == f"Mac/{name}" and mac[f"{name}ForApple"]["path"] == f"Sources/Frameworks/{name}/Portable"
    (privacy,) = mac["PosthornClient"]["resources"]
    assert (ROOT / mac["PosthornClient"]["path"] / privacy["path"]).is_file()
    for name in [*KIT, "AppleFrameworks", "posthorn"]:
        assert mac[name]["path"] == f"Mac/{name}"
        assert not mac[name]["dependencies"] or name == "posthorn"
    # What is built and tested on Linux under another name.
    here = targets(manifests["Linux"])["PosthornOnMac"]
    assert (here["path"], here["dependencies"]) == (mac["posthorn"]["path"], mac["posthorn"]["dependencies"])


@pytest.mark.parametrize("module", ["AppleFrameworks", *KIT])
def test_modules_say_what_to_do(module, tmp_path):
    sources = sorted((ROOT / "Mac" / module).glob("*.swift"))
    compiled = subprocess.run(
        ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-emit-module"]
        + ["-module-name", module, "-o", tmp_path / f"{module}.swiftmodule", *sources],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert compiled.returncode == 0, compiled.stderr
    for number, (name, use) in enumerate(USES[module]):
        user = tmp_path / f"Uses{number}.swift"
        user.write_text(f"import {module}\n{use}\n")
        told = subprocess.run(
            ["swiftc", "-typecheck", "-I", tmp_path, user], capture_output=True, text=True, timeout=600
        )
        assert told.returncode != 0
        assert f"'{name}' is unavailable: The emulated phone needs Linux: docker run" in told.stderr, told.stderr


@pytest.mark.skipif(not ON_MAC.is_file(), reason="the build of the tests makes the program")
def test_command_says_what_to_do():
    said = subprocess.run([ON_MAC], capture_output=True, text=True, check=True, timeout=60).stdout
    assert "all other commands need Linux" in " ".join(said.split())
    assert "docker build -t posthorn -f Containerfile ." in said
    assert "simulator" in said


def test_the_page_lists_every_product(manifests):
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "Documentation" / "Products.md").read_text(), re.M)
    assert sorted(rows) == sorted({name for name, _ in products(manifests["macOS"])})


def test_an_example_chooses_its_tests_by_system():
    """The manifest of the example names a folder of tests for each system, and the one for a Mac needs no emulated phone."""
    example = ROOT / "Examples" / "TestingNotifications"
    manifest = (example / "Package.swift").read_text()
    mac, linux = re.search(
        r'#if canImport\(Darwin\)\nlet tests = "([\w/]+)"\n#else\nlet tests = "([\w/]+)"\n#endif', manifest
    ).groups()
    imports = {
        folder: set(re.findall(r"^(?:@testable )?import (\w+)", "\n".join(map(pathlib.Path.read_text, files)), re.M))
        for folder in [mac, linux]
        if (files := sorted((example / folder).glob("*.swift")))
    }
    assert imports[mac] == {"Testing"}
    assert "PosthornTesting" in imports[linux]
    named = set(re.findall(r'\.product\(name: "(\w+)", package: "posthorn"\)', manifest))
    assert named >= {"UIKit", "UserNotifications", "CoreLocation", "JPush", "PosthornTesting"}


def test_the_project_of_the_example_app_names_files_that_exist():
    """What XcodeGen would read: every source and setting of a target is there, and each extension is embedded in the app."""
    folder = ROOT / "Examples" / "PushLab"
    targets = yaml.safe_load((folder / "project.yml").read_text())["targets"]
    for name, target in targets.items():
        for source in target["sources"]:
            path = folder / source["path"]
            assert path.exists(), f"{name}: {path} is missing"
            for pattern in source.get("includes", []):
                assert list(path.glob(pattern)), f"{name}: no file is {pattern}"
        settings = target["settings"]["base"]
        for key in ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"]:
            assert key not in settings or (folder / settings[key]).is_file(), f"{name}: {settings[key]} is missing"
        assert settings["PRODUCT_BUNDLE_IDENTIFIER"].startswith("com.example.pushlab")
    extensions = {name for name, target in targets.items() if target["type"] == "app-extension"}
    dependencies = targets["PushLab"]["dependencies"]
    assert {dependency["target"] for dependency in dependencies if "target" in dependency} == extensions
    # JPush is the client's, from the package without dependencies.
    assert {"package": "posthorn-client", "product": "JPush"} in dependencies
    (package,) = yaml.safe_load((folder / "project.yml").read_text())["packages"].values()
    assert (folder / package["path"]).resolve() == ROOT / ".build/posthorn-client"


def test_the_workflow_for_a_hosted_mac_names_what_is_there(manifests):
    """It is not run here: its scripts and folders exist, and its schemes are products."""
    jobs = yaml.safe_load((ROOT / "Mac/workflow.yml").read_text())["jobs"]
    schemes = jobs["package"]["strategy"]["matrix"]["scheme"]
    assert set(schemes) <= {name for name, _ in products(manifests["macOS"])}
    text = (ROOT / "Mac/workflow.yml").read_text()
    named = set(re.findall(r"(?:Scripts|Examples)/[\w/.]+", text))
    assert len(named) > 1 and all((ROOT / name).exists() for name in named)
    assert {"posthorn_pods", "pods"} <= set(re.findall(r"\w+", text)) and (ROOT / "Packaging/client/pods.rb").is_file()
