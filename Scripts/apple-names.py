#!/usr/bin/env python3
"""Lists the public names of Apple's documentation that the ledger of symbols lacks.

    Scripts/apple-names.py [--since VERSION] PAGE…

A PAGE is a file or a folder with pages of Apple's documentation: Markdown with Apple's header (`<!-- {"framework": …} -->`), the JSON from
which Apple renders a page, or a list of paths such as `Scripts/usernotifications.txt`, named after its framework. Names are compared with
`Documentation/Compatibility/Frameworks.md`, without regard to case, for the frameworks that it has. A name under "Absent" there counts as
known. --since VERSION shows only symbols whose page says that they came with that version of iOS or later.

Prints a name a line, and exits with 1 if there is one.
"""
import argparse, json, pathlib, re, sys

LEDGER = pathlib.Path(__file__).resolve().parent.parent / "Documentation/Compatibility/Frameworks.md"
HEADER = re.compile(r"<!--\s*(\{.*?\})\s*-->", re.S)
LINK = re.compile(r"\]\(/documentation/([\w/.:()~=<>!+*-]+)\)")
CODE = re.compile(r"`([^`]+)`")
# A symbol's own part of a path, and the hash by which Apple tells overloads apart.
SYMBOL = re.compile(r"[A-Za-z_]\w*(\(.*\))?|\W+\(.*\)|[~=<>!+*-]+\(.*\)")
OVERLOAD = re.compile(r"-[0-9a-z]{4,6}$")


def ledger():
    """The names of each framework, in small letters: `type` and `type.member`."""
    known, module = {}, None
    for line in LEDGER.read_text().splitlines():
        if line.startswith("## "):
            module = line[3:]
        elif line.startswith("| ") and module == "Absent":
            framework, what = line[2:].split(" | ")[:2]
            for word in CODE.findall(what):
                known.setdefault(framework.lower(), set()).add(word.lower())
        elif line.startswith("| `") and module:
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            name = cells[0].strip("` ").lower()
            names = known.setdefault(module.lower(), set())
            names.add(name)
            names.update(f"{name}.{member.lower()}" for member in CODE.findall(cells[-1]))
    return known


def split(path):
    """The framework and the name of a path below `/documentation`; None if it is not a symbol's."""
    framework, _, rest = path.partition("/")
    parts = [OVERLOAD.sub("", part) for part in rest.split("/") if part]
    if not parts or not all(SYMBOL.fullmatch(part) for part in parts):
        return None
    return framework.lower(), ".".join(parts)


def symbols(file):
    """The symbols of a page: framework, name, and the version of iOS, if it is known."""
    text = file.read_text(errors="replace")
    if file.suffix == ".txt":
        return [(file.stem.lower(), line.strip(), None) for line in text.splitlines() if line and not line.startswith("#")]
    found = []
    if file.suffix == ".json":
        page = json.loads(text)
        paths = [page.get("identifier", {}).get("url", "")] if page.get("kind") == "symbol" else []
        paths += [one.get("identifier", "") for one in page.get("references", {}).values() if one.get("kind") == "symbol"]
        found = [(path.partition("/documentation/")[2], None) for path in paths]
    else:
        if (match := HEADER.search(text)) and (head := json.loads(match[1])).get("documentType") == "symbol":
            versions = [line.split()[1] for line in head.get("availability", []) if line.startswith("iOS: ")]
            found.append((head["identifier"].partition("/documentation/")[2], versions[0] if versions else None))
        found += [(path, None) for path in LINK.findall(text)]
    return [(*name, version) for path, version in found if (name := split(path))]


def number(version):
    return [int(part) for part in version.split(".") if part.isdigit()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", help="show symbols of this version of iOS and later only")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    known, missing = ledger(), {}
    # Some names of a framework are declared in another module here, such as `targetScene`.
    everywhere = set().union(*known.values())
    for place in options.pages:
        files = [place] if place.is_file() else sorted(place.rglob("*"))
        for file in files:
            if file.suffix not in (".md", ".json", ".txt") or not file.is_file():
                continue
            for framework, name, version in symbols(file):
                if framework not in known or name.lower() in everywhere:
                    continue
                key = (framework, name.lower())
                if key not in missing or version:
                    missing[key] = (name, version)
    shown = 0
    for (framework, _), (name, version) in sorted(missing.items()):
        if options.since and not (version and number(version) >= number(options.since)):
            continue
        print(f"{framework} {name}" + (f" (iOS {version})" if version else ""))
        shown += 1
    sys.exit(1 if shown else 0)


main()
