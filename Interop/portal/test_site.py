"""The site that Scripts/site builds: its checker, and its pages in Chromium, from the disk and from a server below a path."""

import functools
import hashlib
import http.server
import os
import pathlib
import re
import subprocess
import sys
import threading

import pytest
from playwright.sync_api import expect
from visits import no_serious_findings, no_sideways_scroll

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts"))
from website.check import check  # noqa: E402

pytestmark = pytest.mark.release("builds the whole site")
MODULES = ROOT / ".build/debug/Modules/PosthornTesting.swiftmodule"
# Some pages of each kind; narrow screens must not scroll sideways on any of them.
PAGES = [
    "index.html",
    "zh-Hans/index.html",
    "Comparison.html",
    "Commands.html",
    "WhatCanGoWrong.html",
    "Compatibility/Frameworks.html",
    "Guide/APNsInYourCI.html",
    "zh-Hans/Guide/Debugging.html",
    "Operations.html",
    "Operations/Run.html",
    "zh-Hans/Operations/Run.html",
    "Reference/index.html",
    "Reference/UIKit/UIApplication.html",
    "Reference/PosthornPhone/TestPhone.html",
    "Source/Documentation/OpenAPI/posthorn.yaml.html",
]


def build(folder):
    done = subprocess.run([ROOT / "Scripts/site", "--no-build", "--out", folder], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site's folder, below others, as it is below a path on a server."""
    if not os.environ.get("CI") and not MODULES.exists():
        pytest.skip("there is no debug build; swift build makes one")
    folder = tmp_path_factory.mktemp("served") / "docs" / "posthorn"
    folder.parent.mkdir()
    assert re.match(r"\d{3,} pages in ", build(folder))
    return folder


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def served(site):
    """The site's address on a server, which serves the folders above as well."""
    handler = functools.partial(QuietHandler, directory=site.parents[1])
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/docs/posthorn"
        server.shutdown()
        thread.join(30)


@pytest.fixture(params=["disk", "server"])
def address(request, site):
    return site.as_uri() if request.param == "disk" else request.getfixturevalue("served")


@pytest.fixture
def open_site(visit, address):
    """A function that opens a page; every request of it must be to the site."""
    requested = []

    def open_page(path, **options):
        page = visit(**options)
        page.on("request", lambda request: requested.append(request.url))
        page.on("requestfailed", lambda request: requested.append(f"failed: {request.url}"))
        page.goto(f"{address}/{path}")
        return page

    yield open_page
    assert not [url for url in requested if not url.startswith(f"{address}/")]


def search(page, words):
    page.fill("#site-search", words)
    return page.locator("#site-results a")


# The checker.

PAGE = '<!doctype html><html lang="en"><body><h1>{}</h1>{}</body></html>'


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"index.html": '<a href="gone.html">x</a>'}, "index.html refers to gone.html, which is not there"),
        ({"index.html": '<a href="#gone">x</a>'}, "index.html links to #gone, and index.html has no such anchor"),
        (
            {"index.html": '<a href="other.html#gone">x</a>', "other.html": ""},
            "index.html links to other.html#gone, and other.html has no such anchor",
        ),
        (
            {"index.html": "", "search-pages.js": 'posthornSearch("pages", [["a", "b", "index.html#gone", "en", ""]]);'},
            "search-pages.js links to index.html#gone, and index.html has no such anchor",
        ),
        ({"index.html": "", "orphan.html": ""}, "orphan.html cannot be reached from index.html"),
        (
            {"index.html": "", "a.html": '<a href="b.html">x</a>', "b.html": '<a href="a.html">x</a>'},
            "a.html cannot be reached from index.html",
        ),
        ({"index.html": "", "unused.png": ""}, "unused.png is not used by any page"),
        (
            {"index.html": '<script src="https://example.com/x.js"></script>'},
            "index.html loads https://example.com/x.js, which is not a file of the site",
        ),
        (
            {"index.html": '<link rel="stylesheet" href="x.css">', "x.css": "a { background: url(https://example.com/x.png) }"},
            "x.css loads https://example.com/x.png, which is not a file of the site",
        ),
        (
            {"index.html": '<img src="x.png">', "x.png": ""},
            "index.html has no alternative text for the picture x.png",
        ),
        ({"index.html": '<p id="a"></p><p id="a"></p>'}, "index.html has the id a 2 times"),
        ({"index.html": "<h1>again</h1>"}, "index.html has 2 headings of the first level; expected one"),
        ({"index.html": '<a href="folder/">x</a>', "folder/index.html": ""}, "index.html refers to folder/, which is not there"),
    ],
)
def test_the_checker_finds(files, problem, tmp_path):
    for name, body in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(PAGE.format(name, body) if name.endswith(".html") else body)
    assert problem in check(tmp_path)[1]


def test_the_checker_accepts(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "index.html").write_text(PAGE.format("1", '<a href="folder/other.html#a%20b">x</a><a href="https://example.com">y</a>'))
    (tmp_path / "folder/other.html").write_text(PAGE.format("2", '<p id="a b"></p><a href="../index.html">x</a>'))
    assert check(tmp_path) == (2, [])


# The site.


@pytest.mark.release("builds the site once more")
def test_same_sources_make_the_same_bytes(site, tmp_path):
    def hashes(folder):
        return {
            file.relative_to(folder): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(folder.rglob("*"))
            if file.is_file()
        }

    build(tmp_path / "again")
    assert hashes(site) == hashes(tmp_path / "again")


def test_search_finds_a_header(open_site):
    page = open_site("Guide/index.html")
    results = search(page, "apns-id")
    expect(results.first).to_be_visible()
    expect(results.first.locator("mark").first).to_have_text("apns-id")
    results.first.click()
    expect(page.locator("main")).to_contain_text("apns-id")


def test_search_finds_chinese(open_site):
    page = open_site("zh-Hans/index.html")
    expect(search(page, "证书").first).to_contain_text("证书")
    results = search(page, "证书与描述文件")
    expect(results.first).to_have_attribute("lang", "zh-Hans")
    results.first.click()
    expect(page.locator("h1")).to_have_text("证书与描述文件")
    # No page has these words side by side.
    expect(search(page, "描述文件证书").first).to_be_visible()
    page.fill("#site-search", "没有这样的词语")
    expect(page.get_by_role("status")).to_have_text("没有结果")


def test_search_leads_to_symbols(open_site):
    page = open_site("index.html")
    page.keyboard.press("/")
    page.keyboard.type("expectBanner")
    expect(page.locator("#site-results a").first).to_contain_text("expectBanner(titled:saying:within:")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("TestPhone")
    assert "#expectBanner" in page.url
    expect(page.locator("section:target h3")).to_be_in_viewport()
    page.get_by_role("link", name="SystemProfile").first.click()
    expect(page.locator("h1")).to_have_text("SystemProfile")


def test_languages(open_site):
    page = open_site("Guide/Porting.html")
    page.click("#site-language")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator("h1")).to_contain_text("Linux")
    page.click("#site-language")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("h1")).to_have_text("Port an app's notification code to Linux")
    # Pages without a translation lead to the first page of the other language.
    page.goto(page.url.replace("Guide/Porting.html", "Reference/UIKit/UIView.html"))
    page.click("#site-language")
    assert page.url.endswith("/zh-Hans/index.html")


@pytest.mark.parametrize(("scheme", "is_dark"), [("light", False), ("dark", True)])
def test_appearance(visit, site, scheme, is_dark):
    page = visit(color_scheme=scheme)
    page.goto(f"{site.as_uri()}/Portal.html")
    red = int(re.match(r"rgb\((\d+)", page.evaluate("getComputedStyle(document.body).backgroundColor"))[1])
    assert (red < 64) == is_dark
    pictures = page.locator("main img")
    expect(pictures).to_have_count(6)
    for number in range(6):
        shown = pictures.nth(number).evaluate("async (picture) => { await picture.decode(); return picture.currentSrc }")
        assert shown.endswith(f"-{scheme}.png")


def test_no_page_scrolls_sideways_on_a_phone(visit, site):
    page = visit(viewport={"width": 360, "height": 740})
    for path in PAGES:
        page.goto(f"{site.as_uri()}/{path}")
        no_sideways_scroll(page)
    page.click(".to-menu")
    expect(page.locator("#site-menu")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(visit, site, scheme):
    page = visit(color_scheme=scheme)
    for path in ["index.html", "zh-Hans/Guide/TestingOnLinux.html", "Reference/PosthornPhone/TestPhone.html"]:
        page.goto(f"{site.as_uri()}/{path}")
        no_serious_findings(page)
