#!/usr/bin/env python3
"""Checks that packages which use only the test kit, the port or the desktop compile no other package than this one.

light-graph.py [EXAMPLE ...]

For each folder, by default some of Examples/, it follows the dependencies from all of its targets: to products of this package, to their
targets, and on to what these depend on, as the manifests say on this system with the traits that the example chooses. A product of
another package, such as NIOCore or GRDB, fails the check, which prints the way to it. Nothing is compiled; Scripts/light-build.sh builds and
tests two of the examples, and looks at what was compiled.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ["TestingNotifications", "OwnEngine", "DesktopReminder"]
SYSTEM = "linux"


class Package:
    """A package's manifest, as `swift package dump-package` prints it."""

    def __init__(self, manifest):
        self.manifest = manifest
        self.targets = {target["name"]: target for target in manifest["targets"]}
        self.products = {product["name"]: product["targets"] for product in manifest["products"]}

    def chosen_traits(self, name):
        """The traits that this package enables of a local one, by the name under which its targets depend on it."""
        local = [description for dependency in self.manifest["dependencies"] for description in dependency.get("fileSystem", [])]
        [package] = [description for description in local if description["nameForTargetDependencyResolutionOnly"] == name]
        return {trait["name"] for trait in package["traits"]}


def enabled(package, chosen):
    """The traits that are enabled, with those that they enable in turn."""
    enables = {trait["name"]: trait["enabledTraits"] for trait in package.manifest.get("traits") or []}
    found, waiting = set(), list(chosen)
    while waiting:
        if (trait := waiting.pop()) not in found:
            found.add(trait)
            waiting += enables.get(trait, [])
    return found


def edges(target, traits):
    """The kind, name and package of each thing that a target needs on this system."""
    for dependency in [*target["dependencies"], *(target.get("pluginUsages") or [])]:
        for kind, words in dependency.items():
            condition = next((word for word in words if isinstance(word, dict) and "platformNames" in word), None) or {}
            if condition.get("platformNames") and SYSTEM not in condition["platformNames"]:
                continue
            if condition.get("traits") and not traits & set(condition["traits"]):
                continue
            yield kind, words[0], words[1] if kind in ("product", "plugin") else None


def reached(example, own, own_name="posthorn"):
    """The products of other packages that an example reaches, each with the way to it, and the names of the targets of this one."""
    found, seen = {}, set()
    waiting = [(example, set(), name, [name]) for name in example.targets]
    while waiting:
        package, traits, name, way = waiting.pop(0)
        if (id(package), name) in seen:
            continue
        seen.add((id(package), name))
        for kind, needed, other in edges(package.targets[name], traits):
            there = [*way, needed]
            if needed in package.targets and kind != "product":
                waiting.append((package, traits, needed, there))
            elif package is example and other == own_name:
                chosen = enabled(own, example.chosen_traits(own_name))
                waiting += [(own, chosen, target, there if target == needed else [*there, target]) for target in own.products[needed]]
            else:
                found.setdefault(needed, there)
    return found, {name for package, name in seen if package == id(own)}


def manifest(folder, scratch):
    command = ["swift", "package", "--package-path", folder, "--scratch-path", scratch, "dump-package"]
    return Package(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))


def main(folders):
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        own = manifest(ROOT, scratch)
        for folder in folders:
            found, targets = reached(manifest(folder, scratch), own)
            if not targets:
                print(f"light-graph: {folder.name} uses nothing of this package", file=sys.stderr)
                failed = True
            for name, way in sorted(found.items()):
                print(f"light-graph: {folder.name} would compile another package for {name}: {' → '.join(way)}", file=sys.stderr)
                failed = True
            if targets and not found:
                print(f"{folder.name} compiles {len(targets)} modules of this package, and no other package")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main([pathlib.Path(path).resolve() for path in sys.argv[1:]] or [ROOT / "Examples" / name for name in EXAMPLES]))
