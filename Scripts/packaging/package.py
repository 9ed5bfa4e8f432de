#!/usr/bin/env python3
"""Makes the files of a release from a built program: `Scripts/release` builds it and calls this.

The same program, sources and time make the same bytes.
"""

import argparse
import gzip
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import archives
import client
import debian
import elf
import homebrew
import image
import manual
import materials
import settings
import wheel

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "Packaging"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# The examples that run with the program alone, and the helpers for tests that they use.
EXAMPLES = ["Examples/APNsInYourCI", "Examples/CIFixtures", "Examples/EventReceiver", "Examples/Guide", "Fixtures"]
# What builds and tests leave in their folders.
BUILT = {"__pycache__", "bin", "build", "dist", "node_modules", "obj", "target", "Package.resolved"}
CONFFILES = ["etc/posthorn/gateway.env", "etc/posthorn/posthorn.env", "etc/posthorn/posthorn.json"]


class Release:
    """The parts from which each package takes its own."""

    def __init__(self, options, folder):
        self.options, self.time = options, options.time
        self.binary = stripped(options.binary, folder) if options.strip else options.binary
        self.digest = hashlib.sha256(self.binary.read_bytes()).hexdigest()
        said = subprocess.run([options.binary, "--version"], check=True, capture_output=True, text=True).stdout.strip()
        if said.endswith(" (debug build)") and not options.version:
            sys.exit(f"package.py: '{options.binary}' is a debug build; expected a release build, as Scripts/release makes it")
        self.version = options.version or said
        self.machine = platform.machine()
        self.architecture = ARCHITECTURES[self.machine]
        self.dependencies = elf.dependencies(self.binary)
        self.manual = manual.pages(manual.command_tree(options.binary), self.version, self.time)
        rows = settings.read((ROOT / "Documentation/Operations/Run.md").read_text())
        self.manual["posthorn-settings.5"] = settings.page(rows, self.version, self.time)
        self.environment = settings.environment(rows)
        self.parts = self._parts()

    def _parts(self):
        libraries = elf.needed(self.binary)
        licences = DATA / "licences"
        parts = materials.packages(self.options.resolved, self.options.checkouts, self.options.objects)
        parts += materials.toolchain(pathlib.Path(shutil.which("swift")), licences)
        if not any(library.startswith("libsqlite3") for library in libraries):
            parts.append(materials.sqlite("STATIC_LINK", licences))
        return parts + materials.system(self.dependencies)

    def sbom(self, name, parts=()):
        return materials.sbom(f"{name}-{self.version}", self.version, [*self.parts, *parts], self.time, self.digest)

    def notices(self):
        linked = [part for part in self.parts if part.relation == "STATIC_LINK"]
        return materials.notices((ROOT / "LICENSE").read_text(), linked)

    def unit(self, name, prefix):
        text = (DATA / name).read_text().replace("@HARDENING@", (DATA / "systemd/hardening").read_text().strip())
        return text.replace("/usr/bin/posthorn", f"{prefix}/bin/posthorn")

    def completion(self, shell):
        return subprocess.run([self.options.binary, "completion", shell], check=True, capture_output=True).stdout

    def tree(self, prefix, share, units, is_compressed):
        """The files of an installation.

        `prefix` is where the units find the program, `share` the folder for what all machines have alike, `units` the folder in which
        systemd has one folder for the units of the machine and one for those of users.
        """
        tree = archives.Tree()
        tree.file("bin/posthorn", self.binary, 0o755)
        for name, text in self.manual.items():
            page = gzip.compress(text.encode(), 9, mtime=0) if is_compressed else text
            tree.file(f"{share}/man/man{name[-1]}/{name}{'.gz' if is_compressed else ''}", page)
        tree.file(f"{share}/bash-completion/completions/posthorn", self.completion("bash"))
        tree.file(f"{share}/zsh/{'vendor-completions' if is_compressed else 'site-functions'}/_posthorn", self.completion("zsh"))
        tree.file(f"{share}/fish/vendor_completions.d/posthorn.fish", self.completion("fish"))
        for name in ["posthorn.service", "posthorn-gateway.service"]:
            tree.file(f"{units}/system/{name}", self.unit(f"systemd/{name}", prefix))
        tree.file(f"{units}/user/posthorn-desktop.service", self.unit("systemd/posthorn-desktop.service", prefix))
        activation = "org.posthorn.Desktop1.service"
        tree.file(f"{share}/dbus-1/services/{activation}", self.unit(f"dbus/{activation}", prefix))
        return tree

    def configuration(self, tree):
        for name in ["posthorn.json", "gateway.env"]:
            tree.file(f"etc/posthorn/{name}", (DATA / "etc" / name).read_bytes(), 0o640)
        tree.file("etc/posthorn/posthorn.env", self.environment, 0o640)

    def tarball(self, folder):
        name = f"posthorn-{self.version}-linux-{self.machine}"
        tree = self.tree("/usr/local", "share", "lib/systemd", is_compressed=False)
        self.configuration(tree)
        documents = "share/doc/posthorn"
        tree.file(f"{documents}/LICENSES", self.notices())
        tree.file(f"{documents}/posthorn.spdx.json", self.sbom("posthorn-tarball"))
        for document in ["CHANGELOG.md", "Documentation/Installation.md"]:
            tree.file(f"{documents}/{pathlib.Path(document).name}", (ROOT / document).read_bytes())
        for file in examples():
            tree.file(f"{documents}/{file.relative_to(ROOT).as_posix()}", file.read_bytes(), 0o755 if file.stat().st_mode & 0o100 else 0o644)
        path = folder / f"{name}.tar.gz"
        archives.write_tar_gz(tree, path, self.time, f"{name}/", self.options.level)
        return path

    def deb(self, folder):
        tree = self.tree("/usr", "share", "lib/systemd", is_compressed=True).below("usr")
        self.configuration(tree)
        documents = "usr/share/doc/posthorn"
        tree.file(f"{documents}/copyright", debian.COPYRIGHT)
        for name, text in [
            ("LICENSES", self.notices()), ("posthorn.spdx.json", self.sbom("posthorn-deb")),
            ("changelog", debian.changelog(self.version, self.time)), ("CHANGELOG.md", (ROOT / "CHANGELOG.md").read_text()),
        ]:
            tree.file(f"{documents}/{name}.gz", gzip.compress(text.encode(), 9, mtime=0))
        path = folder / f"posthorn_{self.version}_{self.architecture}.deb"
        debian.write(
            path, tree, version=self.version, architecture=self.architecture, depends=self.dependencies,
            scripts={name: (DATA / "debian" / name).read_bytes() for name in ["postinst", "prerm", "postrm"]},
            conffiles=CONFFILES, time=self.time, preset=min(self.options.level, 6),
        )
        return path

    def image(self, folder):
        with tempfile.TemporaryDirectory() as downloads:
            packages = image.download(pathlib.Path(downloads))
            lowest = image.base(packages)
            copied = [(name, version, hashlib.sha256(path.read_bytes()).hexdigest()) for name, version, path in packages]
        documents = archives.Tree()
        documents.file("usr/share/doc/posthorn/LICENSES", self.notices())
        documents.file("usr/share/doc/posthorn/posthorn.spdx.json", self.sbom("posthorn-image", materials.copied(copied)))
        path = folder / f"posthorn-{self.version}-oci-{self.architecture}.tar"
        image.write(
            path, [lowest, image.program(documents, self.binary)], version=self.version, architecture=self.architecture,
            time=self.time, level=self.options.level,
        )
        return path

    def write(self, folder):
        """Writes all files, and last SHA256SUMS. Returns their paths."""
        made = [self.tarball(folder), self.deb(folder)]
        if self.options.image:
            made.append(self.image(folder))
        made.append(wheel.write(folder, self.version, self.time))
        made.append(client.write(folder, self.version, self.time, self.options.level))
        made += [pack_chart(folder, self.version, self.time), folder / f"posthorn-{self.version}-kubernetes.yaml"]
        shutil.copyfile(DATA / "kubernetes.yaml", made[-1])
        made.append(homebrew.write(folder, self.version, self.options.url))
        document = folder / f"posthorn-{self.version}.spdx.json"
        document.write_text(self.sbom("posthorn"))
        made.append(document)
        if self.options.site:
            made.append(pack_site(self.options.site, folder, self.version, self.time, self.options.level))
        sums = folder / "SHA256SUMS"
        lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in sorted(made)]
        sums.write_text("\n".join(lines) + "\n")
        return [*made, sums]


def examples():
    """Yields the files of the examples, without what a build has made."""
    for file in sorted(file for folder in EXAMPLES for file in (ROOT / folder).rglob("*")):
        parts = file.relative_to(ROOT).parts
        if file.is_file() and not any(part in BUILT or part.startswith(".") or part.endswith(".egg-info") for part in parts):
            yield file


def pack_site(site, folder, version, time, level):
    """Packs the folder of a site into a tarball; its path."""
    tree = archives.Tree()
    for file in site.rglob("*"):
        if file.is_file():
            tree.file(file.relative_to(site).as_posix(), file)
    path = folder / f"posthorn-{version}-site.tar.gz"
    archives.write_tar_gz(tree, path, time, f"posthorn-{version}-site/", level)
    return path


def pack_chart(folder, version, time):
    """Packs the chart as `helm package` names it; its path."""
    tree = archives.Tree()
    for file in sorted((DATA / "chart").rglob("*.yaml")):
        tree.file(file.relative_to(DATA / "chart").as_posix(), file.read_bytes())
    path = folder / f"posthorn-{version}.tgz"
    archives.write_tar_gz(tree, path, time, "posthorn/", 9)
    return path


def stripped(binary, folder):
    """A copy without symbols and debug information."""
    path = pathlib.Path(folder, "posthorn")
    subprocess.run(["strip", "--strip-all", "-o", path, binary], check=True)
    return path


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", type=pathlib.Path, required=True, help="the built program")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the folder for the files, which must be empty or missing")
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / ".build", help="the folder of the build")
    parser.add_argument("--version", help="the version; what the program says if not given")
    parser.add_argument("--time", type=int, default=None, help="seconds since 1970; SOURCE_DATE_EPOCH or the last commit's if not given")
    parser.add_argument("--level", type=int, default=9, help="how much to compress, 0 to 9")
    parser.add_argument("--site", type=pathlib.Path, help="the folder of the built site, to be packed as well")
    parser.add_argument(
        "--url", default=os.environ.get("POSTHORN_FILES", "https://files.example.com/posthorn"),
        help="the URL at which the files will be offered, for the formula; $POSTHORN_FILES if not given",
    )
    parser.add_argument("--no-image", dest="image", action="store_false", help="make no OCI image")
    parser.add_argument("--no-strip", dest="strip", action="store_false", help="keep the symbols")
    options = parser.parse_args()
    options.resolved, options.checkouts = ROOT / "Package.resolved", options.scratch / "checkouts"
    options.objects = options.binary.resolve().parent / "posthorn.product/Objects.LinkFileList"
    if options.time is None:
        given = os.environ.get("SOURCE_DATE_EPOCH")
        log = ["git", "-C", ROOT, "log", "-1", "--format=%ct"]
        options.time = int(given or subprocess.run(log, check=True, capture_output=True, text=True).stdout)
    if options.out.exists() and any(options.out.iterdir()):
        sys.exit(f"package.py: --out '{options.out}' has files; expected an empty folder or none")
    for path in [options.binary, options.resolved, options.checkouts, options.objects]:
        if not path.exists():
            sys.exit(f"package.py: '{path}' is missing; 'swift build' makes it")
    return options


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        release = Release(options, folder)
        for path in release.write(options.out):
            print(f"{path.stat().st_size:>12,}  {path}")


if __name__ == "__main__":
    main()
