"""The client for apps as the package that Scripts/release writes: what is in it, and that it compiles as an app would compile it."""

import json
import os
import pathlib
import plistlib
import re
import subprocess
import sys
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
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
        capture_output=True, text=True, timeout=1800,
    )
    assert done.returncode == 0, done.stderr


def test_the_archive_is_complete_and_needs_nothing(package, tmp_path):
    names = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    assert names > {"Package.swift", "README.md", "README.zh-Hans.md", "LICENSE", "Sources/PosthornClient/PosthornClient.swift",
                    "Sources/PosthornClient/PrivacyInfo.xcprivacy", "Sources/JPush/include/JPUSHService.h", "JPush.podspec", "JCore.podspec"}
    assert len(sources(package, "JPushForApple")) > 10
    manifest = (package / "Package.swift").read_text()
    assert manifest.startswith("// swift-tools-version: 5.9\n") and ".package(" not in manifest
    # The same bytes, whoever writes them, into a checkout too.
    subprocess.run([sys.executable, ROOT / "Scripts/packaging/client.py", tmp_path / "again"], check=True)
    for name in names:
        assert (tmp_path / "again" / name).read_bytes() == (package / name).read_bytes()


def described(package):
    """The files of each target as SwiftPM finds them, with the links resolved."""
    done = subprocess.run(
        ["swift", "package", "--package-path", package, "describe", "--type", "json"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return {
        target["name"]: {(package / target["path"] / file).resolve() for file in target["sources"]}
        for target in json.loads(done.stdout)["targets"]
    }


def test_the_folder_of_a_clone_is_the_package(tmp_path):
    """*Add Local…* takes Packaging/client: SwiftPM finds the sources that the archive has."""
    folder = ROOT / "Packaging/client"
    assert described(folder) == {
        name: {file.resolve() for file in place.rglob("*.[sm]*") if file.suffix in (".swift", ".m")} for name, place in client.modules().items()
    }
    # In the mode of the manifest, and as they are: with access levels of imports, which the archive leaves out.
    check(folder, "PosthornClient", "5")


def git(folder, *words):
    return subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, text=True).stdout.strip()


def commit(folder, version, *more, status=0):
    words = [sys.executable, ROOT / "Scripts/packaging/client.py", "--repository", folder, "--version", version, *more]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == status, done.stderr
    return done.stderr


@pytest.fixture
def author(monkeypatch):
    for role in ["AUTHOR", "COMMITTER"]:
        monkeypatch.setenv(f"GIT_{role}_NAME", "Posthorn")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "posthorn@example.com")


def test_an_app_builds_with_the_repository_by_its_url_and_version(package, tmp_path, author):
    remote, work = tmp_path / "posthorn-client.git", tmp_path / "work"
    commit(work, "1.2.3", "--remote", remote)
    git(work, "push", "--quiet", "--follow-tags", "origin", "main")
    names = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    assert set(git(remote, "ls-tree", "-r", "--name-only", "1.2.3").splitlines()) == names
    app = tmp_path / "app"
    (app / "Sources/App").mkdir(parents=True)
    (app / "Package.swift").write_text(f"""// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [.package(url: "{remote.as_uri()}", from: "1.0.0")],
    targets: [.executableTarget(name: "App", dependencies: [.product(name: "PosthornClient", package: "posthorn-client")])]
)
""")
    (app / "Sources/App/main.swift").write_text("""import PosthornClient

let client = PosthornClient(service: "push.example.com", appKey: "key")
client.whenRegistered { print($0) }
client.start()
_ = try? await client.registration()
""")
    words = ["swift", "run", "--package-path", app, "--cache-path", tmp_path / "cache"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Posthorn: The client sends nothing: The app's Info.plist has no 'CFBundleIdentifier'." in done.stderr
    assert json.loads((app / "Package.resolved").read_text())["pins"][0]["state"]["version"] == "1.2.3"


def test_the_repository_gets_a_commit_for_what_changed_and_a_tag_for_each_version(package, tmp_path, author):
    remote, first, second = tmp_path / "posthorn-client.git", tmp_path / "first", tmp_path / "second"
    commit(first, "1.2.3", "--remote", remote)
    (first / "Sources/PosthornClient/Gone.swift").write_text("")
    assert "has changes that are not committed" in commit(first, "1.2.4", status=1)
    git(first, "add", "--all")
    git(first, "commit", "--quiet", "--message", "A source that the next version does not have")
    git(first, "push", "--quiet", "--follow-tags", "origin", "main")
    # From another folder, as the next release does.
    commit(second, "1.2.4", "--remote", remote)
    git(second, "push", "--quiet", "--follow-tags", "origin", "main")
    assert "Gone.swift" not in git(remote, "ls-tree", "-r", "--name-only", "main")
    commit(second, "1.2.5")
    git(second, "push", "--quiet", "--follow-tags", "origin", "main")
    assert git(remote, "tag").splitlines() == ["1.2.3", "1.2.4", "1.2.5"]
    assert git(remote, "rev-parse", "1.2.4^{commit}") == git(remote, "rev-parse", "1.2.5^{commit}"), "Nothing has changed."
    assert git(remote, "cat-file", "-t", "1.2.3") == "tag", "An annotated tag is pushed with its commit."
    time = git(ROOT, "log", "-1", "--format=%ct")
    assert git(remote, "log", "-1", "--format=%at %ct", "1.2.4") == f"{time} {time}"
    assert "has the tag 1.2.5 already" in commit(second, "1.2.5", status=1)
    assert "such as 0.1.0, by which Xcode finds it; got 'v2'" in commit(second, "v2", status=2)


@pytest.mark.parametrize("mode", MODES)
def test_the_client_compiles_in_both_modes(package, mode):
    check(package, "PosthornClient", mode)


# What CocoaPods does with a podspec, as far as paths and names go.
PODSPECS = """
require 'json'
specs = {}
module Pod
  class Spec
    attr_reader :fields
    def initialize; @fields = { 'dependencies' => [] }; yield self; end
    def dependency(name) = @fields['dependencies'] << name
    def ios = self
    def method_missing(name, *values) = @fields[name.to_s.chomp('=')] = values.size == 1 ? values[0] : values
  end
end
ARGV.each { |file| specs[File.basename(file, '.podspec')] = eval(File.read(file), TOPLEVEL_BINDING, file).fields }
puts JSON.generate(specs)
"""


def test_the_podspecs_name_files_that_are_there(package):
    files = sorted(package.glob("*.podspec"))
    done = subprocess.run(["ruby", "-e", PODSPECS, *files], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    specs = json.loads(done.stdout)
    listed = subprocess.run(["ruby", "-e", "def pod(name, path:) = puts(name)\nrequire ARGV[0]\nposthorn_pods", package / "pods.rb"],
                            capture_output=True, text=True, timeout=60)
    assert listed.stdout.split() and set(listed.stdout.split()) == specs.keys(), listed.stderr
    taken = set()
    for name, spec in specs.items():
        assert spec["name"] == name and set(spec["dependencies"]) <= specs.keys() and (package / spec["license"]["file"]).is_file()
        patterns = spec.get("source_files", [])
        for pattern in [*([patterns] if isinstance(patterns, str) else patterns), *spec.get("resource_bundles", {}).values()]:
            words = ["ruby", "-e", "puts Dir.glob(ARGV[0])", pattern]
            found = subprocess.run(words, cwd=package, capture_output=True, text=True, timeout=60).stdout.split()
            assert found, f"{name}: no file is {pattern}"
            assert not taken & set(found)
            taken |= set(found)
    # All of the package, but for what SwiftPM alone needs.
    theirs = {path.relative_to(package).as_posix() for path in (package / "Sources").rglob("*") if path.is_file()}
    assert theirs - taken == {"Sources/JPush/include/JPush.h"}


SENT = ["Values/DeviceValues.swift", "Transport/ServiceWire.swift", "Transport/LinkWire.swift", "Transport/DeviceOperation+Wire.swift",
        "Core/SocketState.swift"]
# Words in them that name no value: paths and schemes, kinds of operations and frames, and what an answer has.
OTHERS = set("""
    diagnosis link messages push-switch http ws wss  add check clean delete get set  ack in-app-message logged-in login message refused
    bound code error has_token push registration_id token_digest topics user_id  banners_off not_determined
    register registered reply receipts type number id  tags_add tags_set tags_delete tags_clean tags_get tag_check alias_set alias_delete
    alias_get push_status activity_token activity_start_token  take_back orders
""".split())


def test_the_page_about_privacy_lists_every_value_that_is_sent(package):
    text = "".join((package / "Sources/PosthornClient" / name).read_text() for name in SENT)
    # A member of a frame has hyphens.
    sent = {word.replace("-", "_") for word in re.findall(r'"([a-z]+(?:[_-][a-z]+)*)"', text)} - {word.replace("-", "_") for word in OTHERS}
    assert sent > {"app_key", "token", "alias", "msg_id", "zone", "after", "activity_tokens", "bundle_id"}
    for page in ["PRIVACY.md", "PRIVACY.zh-Hans.md"]:
        listed = {word.replace("-", "_") for word in re.findall(r"`([a-z_-]+)`", (package / page).read_text())}
        assert sent <= listed, f"{page} does not list {sent - listed}"
    manifest = plistlib.loads((package / "Sources/PosthornClient/PrivacyInfo.xcprivacy").read_bytes())
    assert manifest["NSPrivacyTracking"] is False and manifest["NSPrivacyTrackingDomains"] == []
    kinds = {kind["NSPrivacyCollectedDataType"]: kind["NSPrivacyCollectedDataTypeTracking"] for kind in manifest["NSPrivacyCollectedDataTypes"]}
    assert kinds == {"NSPrivacyCollectedDataTypeDeviceID": False, "NSPrivacyCollectedDataTypeProductInteraction": False}


def test_an_iphone_has_the_lines_in_its_log(package):
    """No log has the standard error of an app or an extension."""
    texts = [file.read_text() for module in ["JPushForApple", "JPushExtensionForApple"] for file in sources(package, module)]
    assert not [text for text in texts if "standardError" in text]
    assert len([text for text in texts if "systemLog" in text]) == 2


# Apple, "Describing use of required reason API": an upload with one of them that no manifest names is refused (ITMS-91053).
REASONS = {
    "FileTimestamp": r"(?:creation|modification|contentModification|contentAccess|addedToDirectory)Date|fileModificationDate|(?:f?getattrlist(?:bulk|at)?|[fl]?stat(?:at)?)\(",
    "SystemBootTime": r"systemUptime|mach_(?:absolute|continuous)_time",
    "DiskSpace": r"volume(?:Available|Total)Capacity|system(?:Free)?Size|f?statv?fs\(",
    "ActiveKeyboards": r"activeInputModes",
    "UserDefaults": r"UserDefaults",
}


def test_the_manifest_names_every_api_that_requires_a_reason(package):
    """One manifest for all products: each contains the client."""
    files = [file for file in (package / "Sources").rglob("*") if file.suffix in (".swift", ".h", ".m")]
    # A comment may name one.
    code = "\n".join(re.sub(r"//.*", "", file.read_text()) for file in files)
    assert "DispatchTime.now().uptimeNanoseconds" in code
    manifest = plistlib.loads((package / "Sources/PosthornClient/PrivacyInfo.xcprivacy").read_bytes())
    named = {entry["NSPrivacyAccessedAPIType"] for entry in manifest["NSPrivacyAccessedAPITypes"]}
    used = {f"NSPrivacyAccessedAPICategory{kind}" for kind, names in REASONS.items() if re.search(rf"\b(?:{names})", code)}
    assert used == named


def test_what_is_for_service_extensions_names_nothing_that_they_may_not_use(package):
    """With APPLICATION_EXTENSION_API_ONLY the compiler refuses UIApplication.shared and whatever else is the app's."""
    specs = {file.stem: file.read_text() for file in package.glob("*.podspec")}
    for module in ["PosthornClient", "JPushExtensionForApple", "JPushExtension"]:
        assert "'APPLICATION_EXTENSION_API_ONLY' => 'YES'" in specs[module]
        for file in (package / "Sources" / module).rglob("*.*"):
            text = file.read_text()
            if file.name == "PosthornAppDelegate.swift":
                # The app's alone: the compiler keeps an extension from it.
                declared = re.findall(r"^(.*)\n(?:@MainActor )?(?:private |open |final )*(?:extension|class) ", text, re.M)
                assert len(declared) == 3 and set(declared) == {"@available(iOSApplicationExtension, unavailable)"}
            else:
                assert not re.search(r"UIKit\.h|^import UIKit|UIApplication\b|JPushForApple\b", text, re.M), file


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
    built = subprocess.run(["swift", "build", "--package-path", tmp_path, *flags], capture_output=True, text=True, timeout=1800)
    assert built.returncode == 0, built.stdout + built.stderr
    run = subprocess.run([tmp_path / ".build/debug/App"], capture_output=True, text=True, timeout=60)
    assert run.returncode != 0 and "expected one like 'https://push.example.com'" in run.stderr
