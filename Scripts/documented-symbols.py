#!/usr/bin/env python3
"""Checks that public symbols have doc comments, module by module, from the compiler's symbol graphs.

    Scripts/documented-symbols.py [--missing] [--build FOLDER] [MODULE ...]     (after a build; .build/debug by default)

Prints for each module how many of its symbols have a doc comment. Exits with 1 if it is less than 90 % in one of them, and
then names the missing ones, with file and line; --missing names them in any case.

Counted is every public or open declaration that is written in Sources/: types, members, enumeration cases, functions, operators,
constants, type aliases, and what a module adds to types of other modules. Not counted is what the reader of a page finds
elsewhere:
- members that the compiler synthesizes, or that a type inherits without a line of its own;
- overrides, and default implementations of a protocol's requirements: the overridden member or the requirement counts;
- members that fulfil a requirement of a protocol that has a doc comment for it, as the compiler sees it (`==`, `hash(into:)`,
  `encode(to:)`), and the ones in FULFILLED, whose protocols are in Foundation without comments.
"""
import argparse, pathlib, sys, urllib.parse

from symbol_graphs import BUILD, ROOT, graphs, modules

LEAST = 90
# Requirements of NSObject, NSCopying, NSMutableCopying, NSCoding, NSSecureCoding, RawRepresentable and CustomStringConvertible.
FULFILLED = {
    "hash", "isEqual(_:)", "description", "debugDescription", "copy()", "copy(with:)", "mutableCopy(with:)", "init(coder:)", "encode(with:)",
    "supportsSecureCoding", "rawValue", "init(rawValue:)", "errorDescription", "errorDomain", "errorCode", "errorUserInfo",
}


def place(symbol):
    """File and line of a symbol, or None if it is not written in the module."""
    if "location" not in symbol:
        return None
    path = urllib.parse.unquote(urllib.parse.urlparse(symbol["location"]["uri"]).path)
    return pathlib.Path(path), symbol["location"]["position"]["line"] + 1


def counted(module, build):
    """The symbols of a module that count, as (symbol, whether it has a doc comment)."""
    inherited = {
        symbol["identifier"]["precise"] for graph in graphs(module, build) for symbol in graph["symbols"] if symbol.get("docComment")
    }
    found = {}
    for graph in graphs(module, build, options=["-skip-inherited-docs"]):
        fulfils = {
            relation["source"] for relation in graph["relationships"] if relation["kind"] in ("overrides", "defaultImplementationOf")
        }
        for symbol in graph["symbols"]:
            name, has_comment = symbol["identifier"]["precise"], bool(symbol.get("docComment"))
            elsewhere = name in fulfils or name in inherited or symbol["pathComponents"][-1] in FULFILLED
            if place(symbol) and (has_comment or not elsewhere):
                found[name] = symbol, has_comment
    return list(found.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--missing", action="store_true", help="name the symbols without a doc comment in any case")
    parser.add_argument("--build", type=pathlib.Path, default=BUILD, help="the build folder (.build/debug)")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="all modules of the library products by default")
    options = parser.parse_args()
    failed = []
    for module in options.modules or modules():
        symbols = counted(module, options.build)
        missing = [symbol for symbol, has_comment in symbols if not has_comment]
        share = 100 * (len(symbols) - len(missing)) / max(len(symbols), 1)
        print(f"{module:<24}{len(symbols) - len(missing):>5} of {len(symbols):>4}{share:>7.1f} %")
        if share < LEAST or not symbols:
            failed.append(module)
        if share < LEAST or options.missing:
            for symbol in sorted(missing, key=place):
                file, line = place(symbol)
                file = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
                print(f"    {file}:{line}: {'.'.join(symbol['pathComponents'])}")
    if failed:
        sys.exit(f"less than {LEAST} % of the public symbols have doc comments in: {', '.join(failed)}")


main()
