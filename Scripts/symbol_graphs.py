"""What the compiler's symbol graphs say of the modules of a build. Used by ledger.py, documented-symbols.py and api-check."""
import glob, json, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build/debug"
TARGET = "x86_64-unknown-linux-gnu"


def modules():
    """The Swift modules of the library products, and those that a product exports in full."""
    manifest = (ROOT / "Package.swift").read_text()
    products = re.findall(r'\.library\(\s*name: "\w+",\s*targets: \[([^\]]*)\]', manifest)
    found = {name for targets in products for name in re.findall(r'"(\w+)"', targets)}
    if not found:
        sys.exit("Package.swift has no library products that this script can read; expected .library(name: \"…\", targets: […])")
    exports = re.compile(r"^@_exported public import (?:\w+ )?(\w+)(?:\.\w+)?$", re.M)
    own = {folder.name: folder for folder in [*ROOT.glob("Sources/*/*"), *ROOT.glob("Tests/*")]}
    waiting = list(found)
    while waiting:
        for file in own[waiting.pop()].rglob("*.swift"):
            new = set(exports.findall(file.read_text())) & own.keys() - found
            found |= new
            waiting += new
    return sorted(found)


def search_paths(build=BUILD):
    """The compiler's arguments to find the modules of a build, with the C modules below them."""
    own = sorted({os.path.dirname(map) for map in glob.glob(f"{ROOT}/Sources/*/*/module.modulemap")})
    packages = sorted(glob.glob(f"{ROOT}/.build/checkouts/*/Sources/*/include/module.modulemap"))
    written = sorted(glob.glob(f"{build}/*.build/module.modulemap"))
    arguments = ["-I", f"{build}/Modules"]
    for folder in own:
        arguments += ["-I", folder]
    for map in packages + written:
        arguments += ["-Xcc", f"-fmodule-map-file={map}"]
    return arguments


def graphs(module, build=BUILD, options=()):
    """The symbol graphs of a module: its own, and those of its extensions of other modules."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["swift", "symbolgraph-extract", "-module-name", module, *search_paths(build), "-minimum-access-level", "public",
                   "-skip-synthesized-members", *options, "-output-dir", folder, "-target", TARGET]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"no symbol graph of {module} in {build}; `swift build --build-tests` builds it:\n{done.stdout}")
        return [json.loads(pathlib.Path(name).read_text()) for name in sorted(glob.glob(f"{folder}/{module}*.json"))]
