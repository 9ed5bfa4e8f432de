"""The symbols of the public modules, as DocC understands them: their declarations and comments, with links resolved."""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from website.pages import ROOT, Problem

BUNDLE = "posthorn"
# These have pages of their own; everything else is on the page of the type or module that has it.
CONTAINERS = {"class", "struct", "enum", "protocol", "actor", "extension"}
EXPORT = re.compile(r"^@_exported public import (?:\w+ )?(\w+)", re.M)


@dataclasses.dataclass
class Symbol:
    """A symbol, or a module. The parts are those of DocC's render JSON."""

    identifier: str
    parts: dict

    @property
    def names(self):
        """The module, the types around the symbol, and the symbol."""
        return self.identifier.split("/documentation/", 1)[1].split("/")

    @property
    def title(self):
        return self.parts["metadata"]["title"]

    @property
    def kind(self):
        """Such as class, method, or module."""
        return self.parts["metadata"].get("symbolKind", "")

    @property
    def heading(self):
        """The kind for readers, such as Instance Method."""
        return self.parts["metadata"].get("roleHeading", "")

    @property
    def is_container(self):
        return self.kind in CONTAINERS


def products(scratch):
    """Returns the library products of the manifest with their targets, and the folder of each target."""
    command = ["swift", "package", "--package-path", ROOT, "--scratch-path", scratch, "dump-package"]
    manifest = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    libraries = {item["name"]: item["targets"] for item in manifest["products"] if "library" in item["type"]}
    return libraries, {item["name"]: item.get("path") for item in manifest["targets"]}


def exported(module, folders):
    """Returns a module with the modules that it re-exports as a whole or in part."""
    found, waiting = [], [module]
    while waiting:
        module = waiting.pop(0)
        if module not in found and folders.get(module):
            found.append(module)
            for file in sorted((ROOT / folders[module]).rglob("*.swift")):
                waiting += EXPORT.findall(file.read_text())
    return found


def extract(modules, build, folder):
    """Writes the symbol graphs of modules that were built into a folder."""
    include = ["-I", build / "Modules"]
    for map in sorted([*ROOT.glob("Sources/*/*/module.modulemap"), *ROOT.glob(".build/checkouts/*/Sources/*/include/module.modulemap")]):
        include += ["-I", map.parent]
    for map in sorted(build.glob("*.build/module.modulemap")):
        include += ["-Xcc", f"-fmodule-map-file={map}"]
    target = re.search(r'"triple" *: *"([^"]+)"', output(["swiftc", "-print-target-info"]))[1]
    for module in modules:
        if not (build / "Modules" / f"{module}.swiftmodule").exists():
            raise Problem(f"{module} is not in {build}; build the package with swift build first")
        output(
            ["swift", "symbolgraph-extract", "-module-name", module, *include, "-target", target, "-output-dir", folder]
            + ["-minimum-access-level", "public", "-skip-synthesized-members"]
        )


def output(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        # The tool lists every module that it knows before it fails.
        errors = [line for line in (done.stdout + done.stderr).splitlines() if "error:" in line]
        raise Problem(f"{command[0]} {command[1]} ended with status {done.returncode}:\n" + "\n".join(errors or [done.stderr[-2000:]]))
    return done.stdout


def docc():
    """Returns the path of DocC, which toolchains have beside the compiler."""
    beside = pathlib.Path(shutil.which("swift")).resolve().with_name("docc")
    if found := shutil.which("docc") or (beside.exists() and beside):
        return found
    raise Problem(f"docc is neither on the PATH nor beside the compiler in {beside.parent}; expected it in a toolchain of swift.org")


def convert(graphs, folder):
    """Lets DocC read symbol graphs; returns all symbols by identifier, and titles of what they refer to.

    - Throws: `Problem` if DocC warns, for example of a link in a comment that leads nowhere.
    """
    archive, report = folder / "archive", folder / "diagnostics.json"
    command = [docc(), "convert", "--additional-symbol-graph-dir", graphs, "--output-dir", archive, "--diagnostics-file", report]
    command += ["--fallback-display-name", "Posthorn", "--fallback-bundle-identifier", BUNDLE, "--no-transform-for-static-hosting"]
    done = subprocess.run(command, capture_output=True, text=True)
    said = json.loads(report.read_text())["diagnostics"] if report.exists() else []
    # DocC makes a page for a module by itself, and warns that it is empty.
    said = [item for item in said if not item.get("source", "").startswith("in-memory-data:")]
    if done.returncode or said:
        raise Problem("DocC does not accept the comments:\n" + "\n".join(told(said) or [done.stdout + done.stderr]))
    symbols, references = {}, {}
    for file in sorted((archive / "data/documentation").rglob("*.json")):
        parts = json.loads(file.read_text())
        identifier = parts["identifier"]["url"]
        references |= parts["references"]
        # DocC collects the members that satisfy a protocol on pages of their own; here they are on the type's.
        if parts["metadata"]["role"] != "collectionGroup":
            symbols[identifier] = Symbol(identifier, parts)
    return symbols, references


def told(diagnostics):
    return sorted(
        f"{item.get('source', '').removeprefix('file://')}:{item.get('range', {}).get('start', {}).get('line', 0)}: {item['summary']}"
        for item in diagnostics
    )


def load(modules, build):
    """Returns what `convert` returns for modules that were built."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "graphs").mkdir()
        extract(modules, build, folder / "graphs")
        return convert(folder / "graphs", folder)
