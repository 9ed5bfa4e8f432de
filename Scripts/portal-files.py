#!/usr/bin/env python3
"""Writes Sources/App/CPortalFiles/files.c, which puts the files of the portal into the binary.

--check writes nothing, and exits with 1 if the file is not up to date.
"""

import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent.parent / "Sources/App/CPortalFiles"
KINDS = {"Languages": ".json", "Pages": ".mustache", "Scripts": ".js", "Styles": ".css"}


def source() -> str:
    paths = sorted(
        path.relative_to(FOLDER).as_posix()
        for folder, kind in KINDS.items()
        for path in (FOLDER / folder).rglob("*" + kind)
    )
    lines = [
        "// Written by Scripts/portal-files.py.",
        '#include "PortalFiles.h"',
        "",
        '#pragma clang diagnostic ignored "-Wc23-extensions"',
        "",
    ]
    for number, path in enumerate(paths):
        lines += [f"static const unsigned char file_{number}[] = {{", f'#embed "{path}"', "};"]
    lines += ["", "static const struct portal_file files[] = {"]
    lines += [f'    {{"{path}", file_{number}, sizeof file_{number}}},' for number, path in enumerate(paths)]
    lines += [
        "};",
        "",
        "size_t portal_file_count(void) { return sizeof files / sizeof files[0]; }",
        "",
        "struct portal_file portal_file(size_t index) { return files[index]; }",
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    target = FOLDER / "files.c"
    text = source()
    if "--check" in sys.argv[1:]:
        if target.exists() and target.read_text() == text:
            return 0
        print(f"{target} is not up to date; run Scripts/portal-files.py.", file=sys.stderr)
        return 1
    target.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
