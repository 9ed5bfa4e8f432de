"""The manifest as it is on a Mac, where the products of the emulated phone stand aside: same names, and sources that say what to do.

No Mac takes part: the manifest is asked with a variable, and the sources are compiled here.
"""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
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
                timeout=300,
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
    assert not mac.keys() & {"UIKit", "UserNotifications", "UserNotificationsUI", "CoreLocation", "JPush", "AdSupport"}
    for product in manifests["macOS"]["products"]:
        assert set(product["targets"]) <= mac.keys()
    for name, target in mac.items():
        here = {word[0] for dependency in target["dependencies"] for word in dependency.values() if len(word) < 4}
        assert here <= mac.keys(), f"{name} depends on what is not there"
    for name in [*KIT, "AppleFrameworks", "posthorn"]:
        assert mac[name]["path"] == f"Mac/{name}"
        assert not mac[name]["dependencies"]


@pytest.mark.parametrize("module", ["AppleFrameworks", *KIT])
def test_modules_say_what_to_do(module, tmp_path):
    sources = sorted((ROOT / "Mac" / module).glob("*.swift"))
    compiled = subprocess.run(
        ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-emit-module"]
        + ["-module-name", module, "-o", tmp_path / f"{module}.swiftmodule", *sources],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert compiled.returncode == 0, compiled.stderr
    for number, (name, use) in enumerate(USES[module]):
        user = tmp_path / f"Uses{number}.swift"
        user.write_text(f"import {module}\n{use}\n")
        told = subprocess.run(
            ["swiftc", "-typecheck", "-I", tmp_path, user], capture_output=True, text=True, timeout=120
        )
        assert told.returncode != 0
        assert f"'{name}' is unavailable: The emulated phone needs Linux: docker run" in told.stderr, told.stderr


def test_command_says_what_to_do(tmp_path):
    program = tmp_path / "posthorn"
    source = ROOT / "Mac" / "posthorn" / "main.swift"
    subprocess.run(["swiftc", "-swift-version", "6", "-o", program, source], check=True, timeout=120)
    said = subprocess.run([program], capture_output=True, text=True, check=True, timeout=30).stdout
    assert "need Linux" in said
    assert "docker build -t posthorn -f Containerfile ." in said
