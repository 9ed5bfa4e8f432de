"""The shared libraries that a program needs, from readelf."""

import re
import subprocess

# Debian's packages of the libraries, and the symbol versions that say which one is old enough.
_PACKAGES = {
    "libc.so.6": ("libc6", "GLIBC"),
    "libm.so.6": ("libc6", "GLIBC"),
    "libdl.so.2": ("libc6", "GLIBC"),
    "libpthread.so.0": ("libc6", "GLIBC"),
    "libutil.so.1": ("libc6", "GLIBC"),
    "librt.so.1": ("libc6", "GLIBC"),
    "ld-linux-x86-64.so.2": ("libc6", "GLIBC"),
    "ld-linux-aarch64.so.1": ("libc6", "GLIBC"),
    "libstdc++.so.6": ("libstdc++6", None),
    "libgcc_s.so.1": ("libgcc-s1", None),
    "libsqlite3.so.0": ("libsqlite3-0", None),
}


def needed(binary):
    """The names of the libraries, sorted."""
    done = subprocess.run(["readelf", "--dynamic", "--wide", binary], check=True, capture_output=True, text=True)
    return sorted(re.findall(r"\(NEEDED\).*\[(.*)\]", done.stdout))


def is_of_toolchain(library):
    """Whether the library comes with the Swift toolchain. A release has these inside."""
    return re.match(r"lib(swift|_?Foundation|dispatch|BlocksRuntime|_?CFURL)", library) is not None


def dependencies(binary):
    """Debian's packages of the libraries as `Depends:` has them. Libraries of the toolchain are left out."""
    versions = subprocess.run(["readelf", "--version-info", "--wide", binary], check=True, capture_output=True, text=True).stdout
    wanted = {}
    for library in needed(binary):
        if is_of_toolchain(library):
            continue
        assert library in _PACKAGES, f"the program needs {library}; expected one of {', '.join(_PACKAGES)}"
        package, symbols = _PACKAGES[library]
        found = [tuple(map(int, text.split("."))) for text in re.findall(rf"\b{symbols}_([0-9.]+)\b", versions)] if symbols else []
        wanted[package] = max(found + [wanted.get(package, ())])
    return [
        f"{package} (>= {'.'.join(map(str, version))})" if version else package for package, version in sorted(wanted.items())
    ]


def glibc(binary):
    """The oldest version of the GNU C library with which the program runs."""
    (line,) = [line for line in dependencies(binary) if line.startswith("libc6 ")]
    return line.split(">= ")[1].rstrip(")")
