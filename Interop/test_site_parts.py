"""What Scripts/website makes of documents and of symbols: a small project, and a small module with each kind of text in its comments."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts"))

from website import documents, layout, search, symbols  # noqa: E402
from website.pages import Page, Problem, Section, relative  # noqa: E402
from website.reference import Reference  # noqa: E402


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A function that writes documents into a project and returns their pages by path."""
    monkeypatch.setattr(documents, "ROOT", tmp_path)

    def make(files):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        made = documents.Documents([name for name in files if name.endswith(".md")])
        return {page.path: page for page in made.pages()}

    return make


@pytest.mark.parametrize(
    ("document", "page"),
    [
        ("README.md", "Project/README.html"),
        ("README.zh-Hans.md", "zh-Hans/Project/README.html"),
        ("SECURITY.md", "Project/SECURITY.html"),
        ("Documentation/README.md", "index.html"),
        ("Documentation/Security.md", "Security.html"),
        ("Documentation/Guide/README.md", "Guide/index.html"),
        ("Documentation/zh-Hans/README.md", "zh-Hans/index.html"),
        ("Documentation/Guide/zh-Hans/Porting.md", "zh-Hans/Guide/Porting.html"),
        ("Examples/PushLab/README.md", "Examples/PushLab/index.html"),
    ],
)
def test_addresses_of_documents(document, page):
    assert documents.address(document) == page


def test_links_lead_to_pages(project):
    pages = project(
        {
            "README.md": "# Top\n\n[one](Documentation/Guide/One.md#a-b) [example](Examples/App) [code](Examples/App/main.swift)\n",
            "Documentation/Guide/One.md": "# One\n\n## A `b`\n\n[top](../../README.md) [here](#a-b) [out](https://example.com)\n",
            "Examples/App/main.swift": 'print("<b>")\n',
            "Examples/App/.hidden": "",
        }
    )
    assert 'href="../Guide/One.html#a-b"' in pages["Project/README.html"].body
    assert 'href="../Source/Examples/App/index.html"' in pages["Project/README.html"].body
    assert 'href="../Source/Examples/App/main.swift.html"' in pages["Project/README.html"].body
    one = pages["Guide/One.html"]
    assert '<h2 id="a-b">' in one.body and one.contents == [("a-b", "A b")]
    assert 'href="../Project/README.html"' in one.body and 'href="#a-b"' in one.body and 'href="https://example.com"' in one.body
    assert "main.swift" in pages["Source/Examples/App/index.html"].body
    assert "hidden" not in pages["Source/Examples/App/index.html"].body
    assert "&lt;b&gt;" in pages["Source/Examples/App/main.swift.html"].body


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# A\n\n[b](gone.md)\n", "A.md refers to gone.md, which is not there"),
        ("# A\n\n![b](gone.png)\n", "A.md refers to gone.png, which is not there"),
        ('# A\n\n<picture><img alt="" src="gone.png"></picture>\n', "A.md refers to gone.png, which is not there"),
        ("# A\n\n![b](https://example.com/b.png)\n", "A.md shows https://example.com/b.png; the site loads nothing from elsewhere"),
        ("no heading\n", "A.md has no heading"),
    ],
)
def test_mistakes_in_documents_fail_the_build(project, text, problem):
    with pytest.raises(Problem) as raised:
        project({"A.md": text})
    assert problem in str(raised.value)


def test_lines_of_chinese_are_joined(project):
    page = project({"Documentation/Guide/zh-Hans/A.md": "# 页\n\n推送\n证书，\n描述 App\n文件\n"})["zh-Hans/Guide/A.html"]
    assert "<p>推送证书，描述 App\n文件</p>" in page.body
    assert page.language == "zh-Hans"
    assert page.sections == [Section("页", "页", "推送证书，描述 App 文件 ")]


def test_an_index_entry_names_its_section():
    page = Page("Guide/A.html", "A", "", sections=[Section("a", "A", " x\n y "), Section("b", "B", "z")])
    assert search.entries([page]) == [["A", "A", "Guide/A.html", "en", "x y"], ["A", "B", "Guide/A.html#b", "en", "z"]]
    assert search.script("pages", [["中", "\u2028"]]) == 'posthornSearch("pages", [\n["中","\u2028"]\n]);\n'


@pytest.mark.parametrize(
    ("origin", "target", "link"),
    [
        ("index.html", "Guide/A.html#b(_:)", "Guide/A.html#b%28_%3A%29"),
        ("Guide/A.html", "index.html", "../index.html"),
        ("Guide/A.html", "Guide/A.html#a b", "#a%20b"),
    ],
)
def test_links_are_relative(origin, target, link):
    assert relative(origin, target) == link


def test_the_other_language_is_offered():
    page = Page("Guide/A.html", "A & B", "<h1>A</h1>")
    text = layout.frame(page, [("Guide", [("Guide/A.html", "A"), ("Guide/B.html", "B")])], "zh-Hans/index.html", "1.0")
    assert '<a href="../zh-Hans/index.html" id="site-language" lang="zh-Hans" hreflang="zh-Hans">中文</a>' in text
    assert "<title>A &amp; B · Posthorn</title>" in text
    assert '<a href="#site-text" aria-current="page">A</a>' in text and '<a href="B.html">B</a>' in text


SOURCE = '''
/// A box. See ``Lid/open(_:)-(String)``.
///
/// Some **strong** and *soft* words, `code`, a [page](https://example.com).
///
/// 1. first
/// 2. second
///
/// - Note: Mind the gap.
///
/// | a | b |
/// | --- | --- |
/// | c | <d> |
///
/// ```swift
/// let box = Box()
/// ```
public struct Box: Equatable {
    /// A lid.
    public enum Lid: Sendable {
        case glued
        /// Opens it.
        ///
        /// - Parameter way: how to do it.
        /// - Returns: whether it is open.
        public func open(_ way: String) -> Bool { false }
        public func open(_ way: Int) -> Bool { false }
    }
    public init() {}
    /// Opens nothing.
    @available(*, deprecated, message: "Use a lid.")
    public func open() {}
    public static func < (one: Box, other: Box) -> Bool { false }
}
/// Something to close.
public protocol Closable {
    /// Closes it.
    func close()
}
extension Closable {
    public func close() {}
}
/// Makes a box.
public func makeBox() -> Box { Box() }
'''


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A function that compiles a module named Boxes and returns what DocC makes of it."""

    def compile_module(source):
        folder = tmp_path_factory.mktemp("module")
        (folder / "Modules").mkdir()
        (folder / "Boxes.swift").write_text(source)
        subprocess.run(
            ["swiftc", "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name", "Boxes"]
            + ["-o", folder / "Modules/Boxes.swiftmodule", folder / "Boxes.swift"],
            check=True,
            timeout=600,
        )
        return symbols.load(["Boxes"], folder)

    return compile_module


def test_every_symbol_has_a_place(compiled):
    reference = Reference({"Boxes": ["Boxes"]}, *compiled(SOURCE), {"Boxes": "putting things away"})
    pages = {page.path: page for page in reference.pages()}
    assert set(pages) == {
        "Reference/index.html",
        "Reference/Boxes/index.html",
        "Reference/Boxes/Box.html",
        "Reference/Boxes/Box/Lid.html",
        "Reference/Boxes/Closable.html",
    }
    assert "putting things away" in pages["Reference/index.html"].body
    module = pages["Reference/Boxes/index.html"].body
    assert '<section id="makeBox()">' in module and '<a href="Box.html"><code>Box</code></a>' in module
    box = pages["Reference/Boxes/Box.html"].body
    for part in [
        "<strong>strong</strong> and <em>soft</em> words, <code>code</code>, a <a href=\"https://example.com\">page</a>.",
        "<ol>\n<li><p>first</p>\n</li>",
        "<strong>Note.</strong> <p>Mind the gap.</p>",
        "<td><p>c</p>\n</td>",
        '<span class="kd">let</span>',
        '<div class="deprecated"><strong>Deprecated.</strong> <p>Use a lid.</p>',
        '<section id="_(_:_:)">\n<h3><code>&lt;(_:_:)</code></h3>',
        '<a href="Box/Lid.html"><code>Box.Lid</code></a>',
        "<code>Equatable</code>",
    ]:
        assert part in box, part
    assert 'href="Box/Lid.html#open%28_%3A%29-' in box
    lid = pages["Reference/Boxes/Box/Lid.html"].body
    assert lid.count('<section id="open(_:)-') == 2
    assert "<dt><code>way</code></dt><dd><p>How to do it.</p>" in lid
    assert "<h4>Return Value</h4>\n<p>Whether it is open.</p>" in lid
    # The requirement, and its default below a heading of its own.
    closable = pages["Reference/Boxes/Closable.html"].body
    assert '<p class="kind">Required</p>' in closable and "Default Implementations</h2>" in closable
    assert ["makeBox()", "Function", "Reference/Boxes/index.html#makeBox()", "Boxes"] in reference.entries()


def test_a_link_that_docc_cannot_resolve_fails_the_build(compiled):
    with pytest.raises(Problem) as raised:
        compiled("/// A box with ``Nothing``.\npublic struct Box {}\n")
    assert "Boxes.swift:1: 'Nothing' doesn't exist at '/Boxes/Box'" in str(raised.value)


def test_a_module_that_was_not_built_is_named(tmp_path):
    with pytest.raises(Problem) as raised:
        symbols.load(["Absent"], tmp_path)
    assert str(raised.value) == f"Absent is not in {tmp_path}; build the package with swift build first"
