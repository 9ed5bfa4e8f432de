"""Scripts/compiled.py finds the Swift code of a page that does not compile in an app."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts"))
import compiled  # noqa: E402
import documented  # noqa: E402

pytestmark = pytest.mark.skipif(shutil.which("swiftc") is None, reason="needs the toolchain")
PAGE = (ROOT / "Documentation/FirstPush.md").read_text()
TEMPLATE, TEMPLATE_6, SWIFT_5, SWIFT_6 = compiled.MODES


@pytest.fixture(scope="module")
def stand(tmp_path_factory):
    return compiled.Stand(tmp_path_factory.mktemp("stand"))


def said(stand, text, mode=SWIFT_6, mark=""):
    """What the compiler says of a block, nothing if it compiles."""
    return stand.compile(compiled.Block(documented.ROOT / "Page.md", 7, text, mark), mode) or ""


# The first block of the page as it was, and as it was in the package's README: with its import.
OLD = 'let client = PosthornClient(try .app(service: URL(string: "https://push.example.com")!, appKey: "APP-KEY"))\n'
# Of iOS 16.
CLEAR = "UNUserNotificationCenter.current().setBadgeCount(0)"
DELEGATE = """import PosthornClient
import UIKit
import UserNotifications

final class AppDelegate: UIResponder, UIApplicationDelegate {
    %s
}
"""


@pytest.mark.parametrize("text, mode, reason", [
    (OLD, SWIFT_6, "cannot find 'PosthornClient' in scope"),
    (DELEGATE % OLD, TEMPLATE, "call can throw, but errors cannot be thrown out of a property initializer"),
    ("import UIKit\n\nfunc show() {\n    UIApplication.shared.registerForRemoteNotifications()\n}\n", SWIFT_6, "main actor-isolated"),
    ("import UIKit\n\n@MainActor func make() -> UIWindow { UIWindow() }\n", SWIFT_6, "missing argument for parameter 'windowScene'"),
    (f"import UserNotifications\n\nfunc clear() {{ {CLEAR} }}\n", SWIFT_5, "only available in iOS 16.0 or newer"),
    ("import UserNotifications\n\nlet shown: UNNotificationPresentationOptions = [.alert]\n", SWIFT_5, "deprecated: Use .list and .banner"),
    # Apple's protocol is not bound to the main actor, and the class is.
    (DELEGATE.replace("UIApplicationDelegate {", "UIApplicationDelegate, UNUserNotificationCenterDelegate {") % """func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) { completionHandler() }""", SWIFT_6, "crosses into main actor-isolated code"),
    ("import Foundation\nimport SwiftUI\n\nlet size = UIScreen.main.bounds\n", TEMPLATE, "cannot find 'UIScreen' in scope"),
    ("func unused() {\n    let number = 1\n}\n", SWIFT_5, "never used"),
    ("print(1)\n", SWIFT_5, "expressions are not allowed at the top level"),
])
def test_a_block_that_an_app_could_not_have_is_found(stand, text, mode, reason):
    found = said(stand, text, mode)
    assert reason in found
    # At the line of the page.
    assert int(re.search(r"(?m)^Page\.md:(\d+):", found)[1]) >= 7


@pytest.mark.parametrize("text", [
    f"import UserNotifications\n\nfunc clear() {{\n    if #available(iOS 16, *) {{ {CLEAR} }}\n}}\n",
    f"import UserNotifications\n\n@available(iOS 16.0, macOS 13.0, *)\nfunc clear() {{ {CLEAR} }}\n",
    "import UserNotifications\n\nfunc clear() {\n    guard #unavailable(iOS 16) else { return }\n}\n",
    "import SwiftUI\n\nstruct Page: View {\n    var body: some View { ContentView() }\n}\n",
])
def test_a_block_that_an_app_could_have_compiles(stand, text):
    assert said(stand, text) == ""


def test_a_broken_copy_of_the_first_push_does_not_compile_in_any_mode(stand, tmp_path, monkeypatch):
    monkeypatch.setattr(documented, "ROOT", tmp_path)
    page = tmp_path / "Page.md"
    first = PAGE.index("    let client = ")
    page.write_text(PAGE[:first] + PAGE[first:].replace("PosthornClient(service:", "PosthornClient(server:", 1))
    blocks = compiled.own_blocks(page)
    assert len(blocks) == 2
    found = compiled.compile_all(blocks, stand)
    # The other block is as it was.
    assert len(found) == 1
    line = page.read_text()[:first].count("\n") + 1
    start = PAGE[:PAGE.index("```swift")].count("\n") + 2
    assert found[0].startswith(f"Page.md:{start} does not compile {TEMPLATE}, nor {TEMPLATE_6}, nor {SWIFT_5}, nor {SWIFT_6}:\n")
    assert f"\nPage.md:{line}:" in found[0]


def test_a_block_is_quoted_its_originals_or_compiled(tmp_path):
    original, translation = tmp_path / "Page.md", tmp_path / "zh-Hans/Page.md"
    translation.parent.mkdir()
    original.write_text("<!-- from A.swift -->\n```swift\na()\n```\n\n```swift\nb()\n```\n\n```sh\nc\n```\n")
    translation.write_text("```swift\na()\n```\n\n```swift\nd()\n```\n")
    assert [block.text for block in compiled.own_blocks(original)] == ["b()\n"]
    assert [block.text for block in compiled.own_blocks(translation)] == ["d()\n"]
    words = [sys.executable, compiled.__file__, original]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    assert done.returncode == 1 and "does not compile" in done.stderr


@pytest.mark.parametrize("mark, is_known", [
    ("compiled with Posthorn's frameworks", True),
    ("compiled with Posthorn's frameworks, as main.swift", True),
    ("compiled with something else", False),
    ("not compiled: it is a sketch", True),
])
def test_a_comment_that_is_not_known_is_refused(stand, mark, is_known):
    block = compiled.Block(documented.ROOT / "Page.md", 1, "sketch(\n", mark)
    assert (compiled.mark_problem(block) is None) == is_known
    # No comment exempts a block.
    assert said(stand, block.text, SWIFT_6, mark)


def test_availability_of_ios_is_compiled_as_that_of_a_domain_that_linux_has():
    for text, changed in [
        ("@available(iOS 16.0, *)", "@available(Swift 16.0, *)"),
        ("if #available(macOS 13, iOS 16, *), a {", "if #available(Swift 16, *), a {"),
        ("if #unavailable(iOS 16) {", "if #unavailable(Swift 16) {"),
        ('@available(iOS, introduced: 10, deprecated: 14, message: "iOS")', '@available(Swift, introduced: 10, deprecated: 14, message: "iOS")'),
        ("@available(*, deprecated)", "@available(*, deprecated)"),
        ("// on iOS 16", "// on iOS 16"),
    ]:
        assert compiled.swift_domain(text) == changed
