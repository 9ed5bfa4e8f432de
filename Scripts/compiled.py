"""Compiles the Swift code of the pages, so that what a reader pastes into Xcode compiles there.

compiled.py [PAGE ...]                 (all pages without any)

Each ```swift block is a file of its own, and is compiled as an app would compile it: against the client for apps (Packaging/client) and
against stand-ins for Apple's modules, which carry the isolation and the availability of Apple's (Scripts/apple). Warnings are errors. The
deployment target is the oldest one that Xcode 27 has, iOS 15. A type that Xcode's template brings is there (Scripts/apple/Template). A
comment above the block says what differs:

- <!-- from Examples/… -->: the lines are those of a source file of the project, which is compiled with it. documented.py holds them to it.
- <!-- compiled with Posthorn's frameworks -->: as an app on Linux, against the modules of the debug build; … as main.swift: with
  statements at the top level.

There is no comment for code that does not compile. A block of a translation that is in its original is the original's; documented.py
compares them.

Linux has no availability of iOS. So `iOS 16` in an attribute or a condition, here and in the stand-ins, is compiled as the same version of
the one domain of which the compiler compares versions on Linux, that of Swift's runtime.
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import documented

ROOT = documented.ROOT
sys.path.insert(0, str(ROOT / "Scripts/packaging"))
import client  # noqa: E402

APPLE = ROOT / "Scripts/apple"
PRODUCTS = pathlib.Path(os.environ.get("POSTHORN_PRODUCTS") or ROOT / ".build/debug")
# In the order in which they import each other.
MODULES = ["CoreLocation", "UIKit", "UserNotifications", "SwiftUI"]
OLDEST = "15.0"
AVAILABILITY = ["-enable-experimental-feature", "StandaloneSwiftAvailability", "-Xfrontend", "-min-swift-runtime-version", "-Xfrontend", OLDEST]


def upcoming(*names):
    return [word for name in names for word in ("-enable-upcoming-feature", name)]


# What Xcode 26 and 27 set in a new project.
TEMPLATE = ["-default-isolation", "MainActor", *upcoming("InferIsolatedConformances", "NonisolatedNonsendingByDefault", "MemberImportVisibility")]
# And what Swift 6 mode has anyway.
EARLIER = upcoming("DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferSendableFromCaptures")
MODES = {
    "with the settings of Xcode's template": ["-swift-version", "5", *TEMPLATE, *EARLIER],
    "with the settings of Xcode's template, in Swift 6 mode": ["-swift-version", "6", *TEMPLATE],
    "in Swift 5 mode": ["-swift-version", "5"],
    "in Swift 6 mode": ["-swift-version", "6"],
}
BLOCK = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```swift\n(.*?)^```$", re.M | re.S)
AVAILABLE = re.compile(r"([@#](?:un)?available)\(([^)\"]*)")
DECLARED = r"\b(?:class|struct|enum|actor|protocol) {}\b"


@dataclasses.dataclass(frozen=True)
class Block:
    page: pathlib.Path
    line: int
    text: str
    mark: str = ""

    @property
    def is_quoted(self):
        return self.mark.startswith("from ")

    @property
    def page_name(self):
        root = documented.ROOT
        return str(self.page.relative_to(root) if self.page.is_relative_to(root) else self.page)

    def __str__(self):
        return f"{self.page_name}:{self.line}"


def swift_domain(text):
    """The text with the availability of iOS as that of Swift's runtime."""

    def changed(match):
        conditions = match[2]
        if version := re.match(r"(?:.*, *)?iOS (\d+(?:\.\d+)*)", conditions):
            return f"{match[1]}(Swift {version[1]}" + (", *" if conditions.rstrip().endswith("*") else "")
        return f"{match[1]}({re.sub(r'^iOS(?=,)', 'Swift', conditions)}"

    return AVAILABLE.sub(changed, text)


def blocks(page):
    text = page.read_text()
    return [Block(page, text.count("\n", 0, match.start(2)) + 1, match[2], match[1] or "") for match in BLOCK.finditer(text)]


def own_blocks(page):
    """The blocks that a page does not have from its original or a source file."""
    original = documented.original_of(page)
    theirs = {block.text for block in blocks(original)} if original and original.is_file() else set()
    return [block for block in blocks(page) if not block.is_quoted and block.text not in theirs]


def mark_problem(block):
    if block.mark.startswith("compiled with ") and not re.fullmatch(r"compiled with Posthorn's frameworks(, as main\.swift)?", block.mark):
        return f"{block}: '<!-- {block.mark} -->' is not known; expected '<!-- compiled with Posthorn's frameworks -->'"
    return None


def swiftc(arguments, folder):
    """What the compiler complains of, with the names of iOS."""
    # The compiler leaves a temporary folder behind.
    environment = {**os.environ, "TMPDIR": str(folder)}
    words = ["swiftc", *map(str, arguments)]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    said = re.sub(r"\bSwift (\d+(?:\.\d+)*)(?= or newer)", r"iOS \1", done.stdout + done.stderr)
    return (said or f"swiftc ended with status {done.returncode}") if done.returncode else None


class Stand:
    """The modules that the blocks import, in a folder."""

    def __init__(self, folder):
        self.folder = folder
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for made in [pool.submit(self._make_apples), pool.submit(self._make_client)]:
                made.result()

    def _make_apples(self):
        for module in MODULES:
            source = self.folder / f"{module}.swift"
            source.write_text(swift_domain((APPLE / source.name).read_text()))
            self._make(module, [source], [*AVAILABILITY, "-swift-version", "6", "-enable-upcoming-feature", "MemberImportVisibility"])

    def _make_client(self):
        sources = []
        for name, entry in client.tree().entries.items():
            if re.fullmatch(r"Sources/PosthornClient/.*\.swift", name) and entry.content is not None:
                sources.append(self.folder / name)
                sources[-1].parent.mkdir(parents=True, exist_ok=True)
                sources[-1].write_bytes(entry.bytes())
        self._make("PosthornClient", sources, ["-swift-version", "5"])

    def _make(self, module, sources, options):
        words = ["-emit-module", "-parse-as-library", "-module-name", module, "-I", self.folder, *options]
        if said := swiftc([*words, "-o", self.folder / f"{module}.swiftmodule", *sources], self.folder):
            sys.exit(f"compiled.py: the module {module} does not compile:\n{said}")

    def compile(self, block, mode):
        """What the compiler complains of in a block; None if nothing."""
        is_ours = block.mark.startswith("compiled with Posthorn's frameworks")
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            file = folder / ("main.swift" if block.mark.endswith("as main.swift") else "Block.swift")
            # With the numbers of the page's lines.
            file.write_text("\n" * (block.line - 1) + (block.text if is_ours else swift_domain(block.text)))
            words = ["-typecheck", "-module-name", "Shop", "-warnings-as-errors", *MODES[mode]]
            words += [] if file.name == "main.swift" else ["-parse-as-library"]
            words += frameworks() if is_ours else ["-I", self.folder, *AVAILABILITY]
            said = swiftc([*words, file, *template(block)], folder)
            return said and said.replace(str(file), block.page_name)


def template(block):
    """The files of Xcode's template that a block relies on."""
    return [
        file for file in sorted((APPLE / "Template").glob("*.swift"))
        if re.search(rf"\b{file.stem}\b", block.text) and not re.search(DECLARED.format(file.stem), block.text)
    ]


def frameworks():
    """Words that let the compiler find Posthorn's own frameworks."""
    maps = [*(ROOT / "Sources" / name for name in ("Device/CSymbols", "Frameworks/CObjectCreation", "Device/CProcess")), PRODUCTS / "CWords.build"]
    return ["-I", PRODUCTS / "Modules", *(word for folder in maps for word in ("-Xcc", f"-fmodule-map-file={folder / 'module.modulemap'}"))]


def compile_all(found, stand):
    """Compiles blocks in every mode that concerns them; returns what is wrong."""
    jobs = []
    for block in found:
        modes = ["in Swift 6 mode"] if block.mark else MODES
        jobs += [(block, mode) for mode in modes]
    complaints = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (block, mode), said in zip(jobs, pool.map(lambda job: stand.compile(*job), jobs)):
            if said:
                complaints.setdefault(block, []).append((mode, said))
    # What the other modes say is mostly the same.
    return [
        f"{block} does not compile {', nor '.join(mode for mode, _ in said)}:\n{said[0][1]}" for block, said in complaints.items()
    ]


def main():
    pages = [pathlib.Path(word).resolve() for word in sys.argv[1:]] or documented.DOCUMENTS
    everything = [block for page in pages for block in blocks(page)]
    own = [block for page in pages for block in own_blocks(page)]
    found = [problem for block in own if (problem := mark_problem(block))]
    with tempfile.TemporaryDirectory() as folder:
        found += compile_all(own, Stand(pathlib.Path(folder)))
    if found:
        sys.exit("\n".join(found))
    quoted = sum(block.is_quoted for block in everything)
    print(f"{len(everything)} Swift blocks: {len(own)} compiled, {quoted} quoted from sources, {len(everything) - len(own) - quoted} of translations")


if __name__ == "__main__":
    main()
