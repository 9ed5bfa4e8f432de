"""What Objective-C and Swift see of JPush on an iPhone, with clang and the Swift compiler against headers of the check's own: Linux has
none of Apple's. Interop/apple has those, and what the public plugins use.

The headers in Mac/JPush are what an app imports; the classes are Swift's, behind them. So every declaration is compared with what the
Swift compiler writes for Objective-C.
"""

import json
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts"))

import compiled  # noqa: E402

APPLE = ROOT / "Interop/apple"
HEADERS = {"JPush": ROOT / "Mac/JPush/include", "JPushExtension": ROOT / "Mac/JPushExtension/include"}
SOURCES = [ROOT / "Sources/Frameworks/JPush/Portable", ROOT / "Sources/Frameworks/JPushExtension/Portable"]
# Objective-C for an iPhone, with the availability of iOS 15. Deprecated calls are part of the API.
CLANG = ["-target", "arm64-apple-ios15.0", "-fblocks", "-fobjc-arc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter",
         "-Wno-deprecated-declarations", "-isystem", APPLE / "include", *[word for folder in HEADERS.values() for word in ("-I", folder)]]
# Swift's importer on Linux, told that there is Objective-C.
IMPORTER = ["-frontend", "-enable-objc-interop", "-disable-objc-attr-requires-foundation-module", "-parse-as-library",
            "-Xcc", "-fblocks", "-Xcc", "-fobjc-runtime=ios-15", "-I", APPLE / "include"]


def run(words, **more):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=600, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the overlays of ObjectiveC and Foundation as modules, and with the headers by the name of their module, as CocoaPods
    has them.
    """
    place = tmp_path_factory.mktemp("apple")
    for module in ["ObjectiveC", "Foundation"]:
        run(["swiftc", *IMPORTER, "-emit-module", "-import-underlying-module", "-swift-version", "5", "-module-name", module, "-I", place,
             "-module-cache-path", place / "cache", "-o", place / f"{module}.swiftmodule", APPLE / f"overlays/{module}.swift"])
    (place / "pods").mkdir()
    for module, headers in HEADERS.items():
        (place / "pods" / module).symlink_to(headers)
    return place


@pytest.mark.parametrize("language", ["objective-c", "objective-c++"])
@pytest.mark.parametrize("file", sorted((APPLE / "fixtures").glob("*.m")) + sorted((ROOT / "Mac").glob("JPush*/*.m")), ids=lambda file: file.name)
def test_objective_c_compiles(folder, file, language):
    """The plugins' calls, constants and signatures, and the two targets' own sources."""
    more = ["-Wno-unused-command-line-argument", "-Wno-missing-field-initializers"]
    run(["clang", "-x", language, *CLANG, *more, "-I", folder / "pods", file])


@pytest.mark.parametrize("target", [["-target", "arm64-apple-ios15.0"], ["-fobjc-runtime=ios-15"]], ids=["an iPhone", "this machine"])
def test_the_headers_need_foundation_alone(tmp_path, target):
    """As JPush's own do: stubs that somebody has made for those have no other framework, and say of no target."""
    for name in ["Foundation", "ObjectiveC", "dispatch"]:
        (tmp_path / name).symlink_to(APPLE / "include" / name)
    lines = [f'#import "{header}"' for folder in HEADERS.values() for header in sorted(path.name for path in folder.glob("*.h"))]
    lines += ["#ifndef JPUSH_VERSION_NUMBER", "#error There is no version.", "#endif", "@interface Use : NSObject", "@end", "@implementation Use",
              "- (NSString *)use:(UNNotificationRequest *)request at:(CLLocation *)location {", "    [JPUSHService setLocation:location];",
              "    [JPushNotificationExtensionService jpushReceiveNotificationRequest:request with:nil];",
              "    [JGInforCollectionAuth JCollectionAuth:nil];", "    return kJPFNetworkDidLoginNotification;", "}", "@end"]
    use = tmp_path / "use.m"
    use.write_text("\n".join([*lines, ""]))
    words = [tmp_path if word == APPLE / "include" else word for word in CLANG[2:]]
    run(["clang", *target, *words, use])


def swift_header(folder):
    """The declarations for Objective-C as the Swift compiler writes them. Bodies are not looked at; nor are the parts for Linux."""
    copies = folder / "sources"
    copies.mkdir(exist_ok=True)
    for file in [file for place in SOURCES for file in sorted(place.rglob("*.swift"))]:
        if file.name in ("PushCore.swift", "PushCore+Calls.swift", "Surroundings.swift", "ExtensionProcess.swift"):
            continue
        text = re.sub(r"\bos\(iOS\)|canImport\(Darwin\)", "true", file.read_text())
        text = re.sub(r"^(@_exported )?(public )?import (PosthornClient|JPushExtensionForApple)\n", "", text, flags=re.M)
        # Linux has no pointer to an error, which a function that throws has in Objective-C; none is part of the API.
        (copies / file.name).write_text(re.sub(r"\) throws ->", ") ->", text))
    behind = ["import Foundation", "struct DeviceOperation {}", "struct ServiceAnswer {}", "final class PushCore {}", "final class NSLock {}"]
    (copies / "Behind.swift").write_text("\n".join(behind))
    header = folder / "JPushForApple-Swift.h"
    run(["swiftc", *IMPORTER, "-typecheck", "-experimental-skip-all-function-bodies", "-swift-version", "5", "-module-name", "JPushForApple",
         "-I", folder, "-module-cache-path", folder / "cache", "-emit-objc-header-path", header, *sorted(copies.glob("*.swift"))])
    # Without the system's headers of C.
    text = re.sub(r"^ *# *include <.*\n|^@import .*;\n", "", header.read_text(), flags=re.M)
    names = ["CoreLocation/CoreLocation.h", "UIKit/UIKit.h", "UserNotifications/UserNotifications.h"]
    start = "typedef int int32_t;\ntypedef unsigned short uint_least16_t;\ntypedef unsigned int uint_least32_t;\n"
    header.write_text("".join(f"#import <{name}>\n" for name in names) + start + text)
    return header


def plain(kind):
    """A type without what is compared elsewhere, or says the same: whether it can be nil, and Swift's names of Objective-C's types."""
    text = re.sub(r"_Nonnull|_Nullable|_Null_unspecified|SWIFT_AVAILABILITY|\b__strong\b|\benum\b", "", kind)
    # Completions have names in the header, and are written out by Swift.
    return re.sub(r"\s+", "", text.replace("int32_t", "int"))


def declarations(header, folder):
    """The classes and protocols of a header: for each its methods and properties with their types."""
    words = ["clang", "-x", "objective-c", *[word for word in CLANG if word != "-Werror"], "-Wno-everything", "-fmodules", f"-fmodules-cache-path={folder / 'clang'}"]
    tree = json.loads(run([*words, "-Xclang", "-ast-dump=json", header]))
    found, names = {}, {}

    def type_of(node):
        given = node.get("type") or node.get("returnType") or {}
        return plain(names.get(given.get("qualType", "").split("_N")[0].strip(), given.get("desugaredQualType") if "^" in given.get("desugaredQualType", "") else given.get("qualType", "")))

    for node in tree["inner"]:
        if node["kind"] == "TypedefDecl" and node["name"].startswith("JPUSH"):
            names[node["name"]] = node["type"]["qualType"]
        if node["kind"] not in ("ObjCInterfaceDecl", "ObjCCategoryDecl", "ObjCProtocolDecl"):
            continue
        owner = node["interface"]["name"] if node["kind"] == "ObjCCategoryDecl" else node["name"]
        if not re.match(r"J(PUSH|Push|GInfor)", owner):
            continue
        members = found.setdefault(owner, {})
        for member in node.get("inner", []):
            if member.get("isImplicit") or member.get("name") in ("init", "initWithCoder:", "copyWithZone:", "encodeWithCoder:", "supportsSecureCoding", "new"):
                continue
            if member["kind"] == "ObjCPropertyDecl":
                members[member["name"]] = [type_of(member)]
            elif member["kind"] == "ObjCMethodDecl":
                sign = "-" if member["instance"] else "+"
                parameters = [type_of(child) for child in member.get("inner", []) if child["kind"] == "ParmVarDecl"]
                members[sign + member["name"]] = [plain(member["returnType"]["qualType"]), *parameters]
    return found


def test_the_headers_declare_what_swift_implements(folder):
    """A class, a method or a type that differs would be found by an app at run time alone."""
    ours = declarations(HEADERS["JPush"] / "JPush.h", folder)
    swifts = declarations(swift_header(folder), folder)
    assert len(ours["JPUSHService"]) > 70 and ours.keys() == swifts.keys()
    # Tags, aliases and mobile numbers are any objects to Swift, so that a number for one of them is answered with a code.
    set_of_strings = "NSSet<NSString*>*"
    texts = ["+setAlias:completion:seq:", "+setAlias:proof:completion:seq:", "+validTag:completion:seq:", "+setMobileNumber:completion:",
             "+setAlias:callbackSelector:object:"]
    texts = {member: 1 for member in texts} | {member: 2 for member in ours["JPUSHService"] if re.match(r"\+setTags:alias", member)}
    assert len(texts) == 9
    for member, place in texts.items():
        assert ours["JPUSHService"][member][place] == "NSString*"
        ours["JPUSHService"][member][place] = "id"
    for name, members in ours.items():
        for given in members.values():
            given[:] = [kind.replace(set_of_strings, "NSSet*") for kind in given]
        assert members == swifts[name], name
    tags = [member for member in ours["JPUSHService"] if "Tags:" in member or "Properties:" in member]
    assert not [member for member in tags if set_of_strings in swifts["JPUSHService"][member]]


@pytest.fixture(scope="module")
def modules(folder):
    """The modules of the headers as SwiftPM defines them."""
    place = folder / "modules"
    place.mkdir()
    maps = {"JPush": f'umbrella header "{HEADERS["JPush"]}/JPush.h"', "JPushExtension": f'umbrella "{HEADERS["JPushExtension"]}"'}
    (place / "module.modulemap").write_text("".join(f"module {name} {{\n    {text}\n    export *\n}}\n" for name, text in maps.items()))
    return place


@pytest.mark.parametrize("mode", ["5", "6"])
def test_swift_sees_the_names_of_the_sdk(folder, modules, mode):
    """An app in Swift, which imports the headers. It has a name that only one of the two modules declares, and each by both."""
    run(["swiftc", *IMPORTER, "-typecheck", "-swift-version", mode, "-module-name", "App", "-I", folder, "-I", modules,
         *[word for headers in HEADERS.values() for word in ("-Xcc", f"-I{headers}")],
         "-module-cache-path", folder / "cache", APPLE / "fixtures/App.swift"])


# Modules of Apple's, in the order in which they import each other.
STAND_INS = ["BackgroundTasks", "CoreLocation", "Network", "Security", "UIKit", "UserNotifications", "SwiftUI", "os"]
# Those that import each other, too; the oldest system of the package is iOS 13.
LAYERS = {"PosthornClient": "Sources/Client/PosthornClient", "JPushExtensionForApple": "Sources/Frameworks/JPushExtension/Portable",
          "JPushForApple": "Sources/Frameworks/JPush/Portable"}
AVAILABILITY = [word if word != compiled.OLDEST else "13.0" for word in compiled.AVAILABILITY]
# The one with protocols of Objective-C. Linux has no bridges for its calls, so that it is not compiled further than to its types.
OBJECTIVE_C = ["-typecheck", "-Xfrontend", "-enable-objc-interop", "-Xfrontend", "-disable-objc-attr-requires-foundation-module"]


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    """Apple's modules as far as the client uses them, with their isolation and availability, beside Linux's Foundation."""
    place = tmp_path_factory.mktemp("stand-ins")
    for module in STAND_INS:
        source = place / f"{module}.swift"
        source.write_text(compiled.swift_domain((compiled.APPLE / source.name).read_text()))
        run(["swiftc", "-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", module, "-I", place, *AVAILABILITY,
             "-o", place / f"{module}.swiftmodule", source])
    return place


def as_on_an_iphone(file):
    """The source with the conditions of an iPhone, and without what only Objective-C's own classes have."""
    text = re.sub(r"\bos\(iOS\)|\bcanImport\((?:Darwin|ObjectiveC|Security|UIKit)\)", "true", file.read_text())
    text = re.sub(r"\bos\(Linux\)", "false", text)
    text = re.sub(r"^( +)@objc\(.*\)$", r"\1@nonobjc", text, flags=re.M)
    if "JPushExtension" in file.parts:
        text = re.sub(r"^ *@(objc|nonobjc).*\n", "", text, flags=re.M)
    if file.name == "ObjectiveCDelegates.swift":
        text = file.read_text().replace("#if os(iOS) && canImport(ObjectiveC)", "#if true").replace(": NSObjectProtocol {", " {")
        text = re.sub(r"\bUN(UserNotificationCenter|NotificationResponse|Notification)\b", "AnyObject", text)
    # The compiler knows no version 4 of Swift's runtime, which stands for iOS here.
    return compiled.swift_domain(text).replace("introduced: 4.0", "introduced: 8.0")


@pytest.mark.parametrize("mode", ["5", "6"])
def test_the_swift_of_an_iphone_compiles(stand_ins, tmp_path, mode):
    for module, folder in LAYERS.items():
        sources = tmp_path / module
        sources.mkdir()
        for file in sorted((ROOT / folder).rglob("*.swift")):
            (sources / file.name).write_text(as_on_an_iphone(file))
        (sources / "Selector.swift").write_text("public struct Selector {}\n")
        last = OBJECTIVE_C if module == "JPushForApple" else ["-emit-module", "-o", tmp_path / f"{module}.swiftmodule"]
        run(["swiftc", "-parse-as-library", "-swift-version", mode, "-warnings-as-errors", "-module-name", module, "-I", stand_ins, "-I", tmp_path,
             *AVAILABILITY, *last, *sorted(sources.glob("*.swift"))])
