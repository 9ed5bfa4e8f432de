"""Builds the site. Scripts/site runs it; see there."""

import argparse
import collections
import pathlib
import re
import shutil
import sys

from documented import DOCUMENTS, original_of
from website import check, search, symbols
from website.documents import Documents
from website.layout import frame
from website.pages import CHINESE, ROOT, Problem
from website.reference import INDEX, Reference

HERE = pathlib.Path(__file__).parent
STATIC = ["site.css", "site.js", "icon.svg"]
# The first documents of the menu; the rest is in groups by their folders.
FIRST = ["FirstPush.md", "WhatCanGoWrong.md", "Installation.md", "Commands.md", "Portal.md", "Comparison.md", "Products.md"]
OPERATIONS = ["Operations.md", *(f"Operations/{name}.md" for name in ("Run", "Push", "Secure", "BackUp", "Scale", "Watch", "Mend"))]
GROUPS = {
    "en": ["Start", "Guide", "Operations", "Manual", "Compatibility", "API reference", "Project"],
    CHINESE: ["开始", "指南", "运维", "手册（多为英文）", "兼容性（多为英文）", "API 参考（英文）", "项目（多为英文）"],
}
ROW = re.compile(r"^\| `(\w+)` \| ([^|]*?) \|", re.M)


def summaries(products):
    """Returns what each product is for, from the table of Documentation/Products.md."""
    document = "Documentation/Products.md"
    found = dict(ROW.findall((ROOT / document).read_text()))
    if missing := sorted(products.keys() - found.keys()):
        raise Problem(f"{document} has no row for {', '.join(missing)}; expected | `NAME` | what it is for | … for each library product")
    return {name: re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", found[name]) for name in products}


def reference(build, scratch):
    products, folders = symbols.products(scratch)
    modules = {name: [] for name in products}
    for name, targets in products.items():
        for target in targets:
            modules[name] += [module for module in symbols.exported(target, folders) if module not in modules[name]]
    wanted = sorted({module for found in modules.values() for module in found})
    # The products that others export, such as UIKit by the test kit, come first: a module's own product describes it best.
    return Reference(modules, *symbols.load(wanted, build), summaries(products))


def menu(language, documents, titles, modules):
    """Returns the groups of the menu in a language: titles with paths and titles of pages."""
    prefix = f"{CHINESE}/" if language == CHINESE else ""

    def entry(path):
        return (path, titles[path])

    def translated(path):
        return entry(prefix + path) if prefix + path in titles else entry(path)

    addresses = documents.addresses
    first = [translated(addresses[f"Documentation/{name}"]) for name in FIRST]
    operations = [translated(addresses[f"Documentation/{name}"]) for name in OPERATIONS]
    folder = f"Documentation/Guide/{prefix}"
    order = re.findall(r"\]\((\w+\.md)\)", (ROOT / folder / "README.md").read_text())
    names = ["README.md", *dict.fromkeys(order)]
    if missing := {file.name for file in (ROOT / folder).glob("*.md")} - set(names):
        raise Problem(f"{folder}README.md does not list {', '.join(sorted(missing))}")
    own = sorted(name for name in addresses if re.fullmatch(r"Documentation/\w+\.md", name))
    manual = [translated(addresses[name]) for name in own if pathlib.PurePosixPath(name).name not in [*FIRST, "README.md", OPERATIONS[0]]]
    compatibility = [translated(addresses[name]) for name in addresses if re.fullmatch(r"Documentation/Compatibility/\w+\.md", name)]
    originals = [name for name in addresses if not name.startswith("Documentation/") and not original_of(ROOT / name)]
    project = [translated(addresses[name]) for name in originals]
    # Its title is that of the first page.
    project = [(path, "README" if path.endswith("Project/README.html") else title) for path, title in project]
    groups = [
        [entry(f"{prefix}index.html"), *first],
        [entry(addresses[folder + name]) for name in names],
        operations,
        sorted(manual, key=lambda entry: entry[1]),
        compatibility,
        [entry(INDEX), *modules],
        project,
    ]
    return list(zip(GROUPS[language], groups, strict=True))


def build(options):
    out = options.out
    documents = Documents([file.relative_to(ROOT).as_posix() for file in DOCUMENTS])
    library = reference(options.build, options.scratch)
    pages = [*documents.pages(), *library.pages()]
    titles = {page.path: page.title for page in pages}
    paths = collections.Counter(page.path.lower() for page in pages)
    if twice := sorted(path for path, count in paths.items() if count > 1):
        raise Problem(f"pages whose paths differ at most in case: {', '.join(twice)}")
    modules = [(library.places[symbol.identifier], symbol.title) for symbol in library.symbols.values() if symbol.kind == "module"]
    menus = {language: menu(language, documents, titles, sorted(modules)) for language in GROUPS}
    version = re.search(r'static let version = "([^"]+)"', (ROOT / "Sources/App/posthorn/Posthorn.swift").read_text())[1]
    shutil.rmtree(out, ignore_errors=True)
    for page in pages:
        file = out / page.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(frame(page, menus[page.language], counterpart(page, titles), version))
    for source, path in sorted(documents.files.items()):
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, out / path)
    for name in STATIC:
        shutil.copyfile(HERE / name, out / name)
    (out / "llms.txt").write_text(outline(menus["en"]))
    (out / "search-pages.js").write_text(search.script("pages", search.entries(pages)))
    (out / "search-symbols.js").write_text(search.script("symbols", library.entries()))


def outline(groups):
    """Returns the list of pages for language models, as llmstxt.org describes it."""
    lines = ["# Posthorn", "", "> The whole path of a push notification, in Swift: a push service, an APNs and emulated iPhones, for production and tests."]
    for title, entries in groups:
        lines += ["", f"## {title}", "", *(f"- [{name}]({path})" for path, name in entries)]
    return "\n".join(lines) + "\n"


def counterpart(page, titles):
    """Returns the path of a page in the other language, or of that language's first page."""
    if page.language == CHINESE:
        other, home = page.path.removeprefix(f"{CHINESE}/"), "index.html"
    else:
        other, home = f"{CHINESE}/{page.path}", f"{CHINESE}/index.html"
    return other if other in titles else home


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the folder to make; what is in it is removed")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the folder of a build of the package")
    parser.add_argument("--scratch", type=pathlib.Path, required=True, help="a folder for reading the manifest")
    options = parser.parse_args()
    try:
        build(options)
    except Problem as problem:
        sys.exit(f"site: {problem}")
    count, problems = check.check(options.out)
    if problems:
        sys.exit("\n".join(f"site: {problem}" for problem in problems))
    print(f"{count} pages in {options.out}: no broken link, no page that cannot be reached")


main()
