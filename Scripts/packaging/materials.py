"""The parts of a build: an SBOM in SPDX 2.3, and the licences of everything that is linked."""

import dataclasses
import datetime
import hashlib
import json
import pathlib
import re
import subprocess


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of the program. `relation` is its relationship to the program, as SPDX names them."""

    name: str
    version: str
    relation: str
    licence: str
    location: str = "NOASSERTION"
    url: str = ""
    notices: str = ""
    comment: str = ""


def packages(resolved, checkouts, objects):
    """The Swift packages of Package.resolved. Those without a module in the program are dependencies of the build alone.

    `resolved` is the file, `checkouts` the folder of their sources, `objects` the list of the linker's inputs.
    """
    modules = set(re.findall(r"/([^/\s]+)\.build/", objects.read_text())) | set(re.findall(r"/lib([^/\s]+)\.a\b", objects.read_text()))
    assert modules, f"{objects} names no module; expected paths such as .build/…/NIOCore.build/…"
    parts = []
    for pin in json.loads(resolved.read_text())["pins"]:
        folder = checkouts / pathlib.PurePosixPath(pin["location"]).name.removesuffix(".git")
        assert folder.is_dir(), f"the sources of {pin['identity']} are missing; expected them at {folder}"
        own = {path.name for pattern in ("*", "Sources/*", "Source/*") for path in folder.glob(pattern) if path.is_dir()}
        text = _notices(folder)
        parts.append(
            Part(
                name=pin["identity"],
                version=pin["state"].get("version") or pin["state"]["revision"],
                relation="STATIC_LINK" if own & modules else "BUILD_DEPENDENCY_OF",
                licence=_identifier(text),
                location=f"git+{pin['location']}@{pin['state']['revision']}",
                url=_purl(pin),
                notices=text,
            )
        )
        parts += _copies_of_boringssl(pin["identity"], folder, modules)
    return parts


def _copies_of_boringssl(package, folder, modules):
    """The copies of BoringSSL in a package, each of which names its revision in a file."""
    found = []
    for path in sorted(folder.glob("Sources/*/hash.txt")):
        match = re.search(r"BoringSSL cloned from (\S+) at revision (\w+)", path.read_text())
        if match and path.parent.name in modules:
            found.append(
                Part(
                    name=f"boringssl-in-{package}", version=match.group(2), relation="STATIC_LINK", licence="Apache-2.0",
                    location=f"git+{match.group(1)}@{match.group(2)}",
                    notices="Copyright The OpenSSL Project Authors, The BoringSSL Authors and the fiat-crypto authors. BoringSSL is licensed\n"
                    "under the Apache License, Version 2.0, whose text is above.",
                )
            )
    return found


def _purl(pin):
    place = pin["location"].removesuffix(".git").split("://")[1]
    return f"pkg:swift/{place}@{pin['state'].get('version') or pin['state']['revision']}"


def _notices(folder):
    """The texts of a package's licence and notices, also of sources of others in it."""
    texts = []
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        is_notice = re.fullmatch(r"(?i)(licen[cs]e|notice|copying)(\.(txt|md))?", path.name) is not None
        if is_notice and path.is_file() and (len(place.parts) == 1 or place.parts[0] == "Sources"):
            texts.append(f"{place}:\n\n{path.read_text().strip()}")
    assert texts, f"{folder} has no licence; expected LICENSE or LICENSE.txt"
    return "\n\n".join(texts)


def _identifier(text):
    """The licence at the beginning of the text, as SPDX names it."""
    head = re.sub(r"\s+", " ", text[:2000])
    if "Apache License" in head and "Runtime Library Exception" in text:
        return "Apache-2.0 WITH Swift-exception"
    if "Apache License" in head:
        return "Apache-2.0"
    return "MIT" if "Permission is hereby granted, free of charge" in head else "NOASSERTION"


def toolchain(swift, licences):
    """The libraries of the Swift toolchain, which are inside a static build. `swift` is the path of the command."""
    said = subprocess.run([swift, "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"Swift version (\S+)", said).group(1)
    runtime = (swift.resolve().parent.parent / "share/swift/LICENSE.txt").read_text()
    return [
        Part(
            name="swift", version=version, relation="STATIC_LINK", licence="Apache-2.0 WITH Swift-exception",
            location="https://github.com/swiftlang/swift", notices=runtime,
            comment="The standard library, Foundation and Dispatch.",
        ),
        Part(
            name="icu", version="NOASSERTION", relation="STATIC_LINK", licence="Unicode-3.0",
            location="https://github.com/swiftlang/swift-foundation-icu", notices=(licences / "icu.txt").read_text(),
            comment=f"As it is in Foundation of Swift {version}.",
        ),
    ]


def sqlite(relation, licences):
    header = pathlib.Path("/usr/include/sqlite3.h").read_text(errors="replace")
    version = re.search(r'#define SQLITE_VERSION\s+"(.*)"', header).group(1)
    return Part(
        name="sqlite", version=version, relation=relation, licence="blessing", location="https://www.sqlite.org",
        notices=(licences / "sqlite.txt").read_text(),
        comment=f"Of the package {_installed('libsqlite3-dev')} of the machine that built the program.",
    )


def _installed(package):
    done = subprocess.run(["dpkg-query", "--show", package], capture_output=True, text=True)
    return done.stdout.strip().replace("\t", " ") or package


def system(dependencies):
    """The libraries that the program takes from the system when it starts."""
    return [
        Part(
            name=text.split()[0], version=re.sub(r".*>= (.*)\)", r"\1 or later", text) if "(" in text else "any",
            relation="DYNAMIC_LINK", licence="NOASSERTION", url=f"pkg:deb/debian/{text.split()[0]}",
        )
        for text in dependencies
    ]


def copied(debian_packages):
    """Packages of Debian whose files are in an image: triples of name, version and SHA-256 of the `.deb`."""
    return [
        Part(
            name=name, version=version, relation="CONTAINS", licence="NOASSERTION", url=f"pkg:deb/debian/{name}@{version}",
            comment=f"The files of a package with the SHA-256 {digest}. Its licence is in /usr/share/doc/{name}/copyright.",
        )
        for name, version, digest in debian_packages
    ]


def sbom(name, version, parts, time, digest):
    """A document in SPDX 2.3. `digest` is the SHA-256 of the program."""
    program = {
        "SPDXID": "SPDXRef-posthorn", "name": "posthorn", "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION",
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
    }
    relationships = [_related("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-posthorn")]
    described = []
    for part in sorted(parts, key=lambda part: (part.name, part.relation)):
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{part.name}-{part.relation}".lower())
        described.append(_package(identifier, part))
        if part.relation == "BUILD_DEPENDENCY_OF":
            relationships.append(_related(identifier, part.relation, "SPDXRef-posthorn"))
        else:
            relationships.append(_related("SPDXRef-posthorn", part.relation, identifier))
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"https://posthorn.invalid/spdx/{name}-{hashlib.sha256((digest + name).encode()).hexdigest()[:32]}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": [f"Tool: posthorn-release-{version}"],
        },
        "packages": [program, *described],
        "relationships": relationships,
    }
    return json.dumps(document, indent=1) + "\n"


def _related(one, relation, other):
    return {"spdxElementId": one, "relationshipType": relation, "relatedSpdxElement": other}


def _package(identifier, part):
    package = {
        "SPDXID": identifier, "name": part.name, "versionInfo": part.version, "downloadLocation": part.location,
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": part.licence, "copyrightText": "NOASSERTION",
    }
    if part.url:
        package["externalRefs"] = [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part.url}
        ]
    if part.comment:
        package["comment"] = part.comment
    return package


def notices(own, parts):
    """The licences of the program and of what is linked into it, each text once."""
    by_text = {}
    for part in parts:
        if part.notices:
            by_text.setdefault(part.notices, []).append(f"{part.name} {part.version}".replace(" NOASSERTION", ""))
    lines = ["The licence of Posthorn, and those of the software that is linked into it.", "", _rule("Posthorn"), own.strip()]
    for text, names in by_text.items():
        lines += ["", _rule(", ".join(names)), text]
    return "\n".join(lines) + "\n"


def _rule(title):
    return f"{'=' * 100}\n{title}\n{'=' * 100}\n"
