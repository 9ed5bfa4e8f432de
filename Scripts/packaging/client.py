#!/usr/bin/env python3
"""The client for apps as a package of its own, without dependencies: `Scripts/release` packs it with the other files.

    Scripts/packaging/client.py FOLDER      writes the package into a folder, such as a checkout of its repository
"""

import pathlib
import re
import sys

import archives

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The module in the package, and the folder of its sources here.
MODULES = {"PosthornClient": "Sources/Client/PosthornClient", "JPush": "Sources/Client/JPushForApple"}


def tree():
    """The files of the package."""
    found = archives.Tree()
    for name in ["Package.swift", "README.md"]:
        found.file(name, (ROOT / "Packaging/client" / name).read_bytes())
    found.file("LICENSE", (ROOT / "LICENSE").read_bytes())
    for module, folder in MODULES.items():
        for file in sorted((ROOT / folder).rglob("*.swift")):
            # Swift 5.9 knows no access levels of imports.
            text = re.sub(r"^public import ", "import ", file.read_text(), flags=re.M)
            found.file(f"Sources/{module}/{file.relative_to(ROOT / folder).as_posix()}", text.encode())
    return found


def write(folder, version, time, level=9):
    """Packs the package into a tarball. Returns its path."""
    path = folder / f"posthorn-client-{version}.tar.gz"
    archives.write_tar_gz(tree(), path, time, f"posthorn-client-{version}/", level)
    return path


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    folder = pathlib.Path(sys.argv[1])
    for module in MODULES:
        for file in folder.glob(f"Sources/{module}/**/*.swift"):
            file.unlink()
    for name, entry in tree().entries.items():
        if entry.content is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(entry.bytes())


if __name__ == "__main__":
    main()
