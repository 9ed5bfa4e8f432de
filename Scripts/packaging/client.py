#!/usr/bin/env python3
"""The client for apps as a package of its own, without dependencies: `Scripts/release` packs it with the other files, `Scripts/publish`
makes the repository of it that Xcode adds by its URL. In a clone, `Packaging/client` is the same package by links to its sources.

    Scripts/packaging/client.py FOLDER
        writes the package into a folder
    Scripts/packaging/client.py --repository FOLDER --version VERSION [--remote URL] [--sign] [--signer KEY]
        commits it to a Git repository in the folder, with the version as its tag. Without the folder, clones it from the remote, which
        may be empty; a remote that is a path where nothing is becomes a bare repository. Pushes nothing
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

import archives

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "Packaging/client"
PAGES = ["Package.swift", "README.md", "README.zh-Hans.md", "PRIVACY.md", "PRIVACY.zh-Hans.md", "pods.rb"]
BRANCH = "main"


def modules():
    """The sources of each module, by the module's name in the package."""
    return {link.name: link.resolve() for link in sorted((PACKAGE / "Sources").iterdir())}


def tree():
    """The files of the package."""
    found = archives.Tree()
    for file in [*(PACKAGE / name for name in PAGES), *sorted(PACKAGE.glob("*.podspec"))]:
        found.file(file.name, file.read_bytes())
    found.file("LICENSE", (ROOT / "LICENSE").read_bytes())
    for module, folder in modules().items():
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            # Swift 5.9 knows no access levels of imports.
            text = re.sub(r"^public import ", "import ", file.read_text(), flags=re.M)
            found.file(f"Sources/{module}/{file.relative_to(folder).as_posix()}", text.encode())
    return found


def write(folder, version, time, level=9):
    """Packs the package into a tarball. Returns its path."""
    path = folder / f"posthorn-client-{version}.tar.gz"
    archives.write_tar_gz(tree(), path, time, f"posthorn-client-{version}/", level)
    return path


def write_files(folder):
    """Writes the package into a folder, in place of the sources that are there."""
    for file in folder.glob("Sources/*/**/*"):
        if file.is_file():
            file.unlink()
    for name, entry in tree().entries.items():
        if entry.content is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(entry.bytes())


def git(folder, *words, environment=None):
    done = subprocess.run(
        ["git", "-C", folder, *words], capture_output=True, text=True, env=os.environ | (environment or {})
    )
    if done.returncode:
        sys.exit(f"client.py: git {' '.join(words)} failed in {folder}:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def prepare(folder, remote):
    """Makes the folder a repository: the one that is there, a clone of the remote, or a new one."""
    if (folder / ".git").exists():
        if git(folder, "status", "--porcelain"):
            sys.exit(f"client.py: {folder} has changes that are not committed; expected a clone of the package's repository")
        return
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch", BRANCH)
    if not remote:
        return
    if not re.match(r"[\w.+-]+://|[^/]+:", remote) and not pathlib.Path(remote).exists():
        git(folder, "init", "--quiet", "--bare", "--initial-branch", BRANCH, remote)
    git(folder, "remote", "add", "origin", remote)
    git(folder, "fetch", "--quiet", "--tags", "origin")
    if git(folder, "ls-remote", "--heads", "origin", BRANCH):
        git(folder, "reset", "--quiet", "--hard", f"origin/{BRANCH}")


def commit(options):
    """Commits the package and its tag. An unchanged package gets the tag alone."""
    folder, version = options.repository, options.version
    prepare(folder, options.remote)
    if git(folder, "tag", "--list", version):
        sys.exit(f"client.py: {folder} has the tag {version} already; expected a version that was not published")
    write_files(folder)
    git(folder, "add", "--all")
    if git(folder, "status", "--porcelain"):
        # As those of the release's files, the times are those of its commit.
        time = f"{git(ROOT, 'log', '-1', '--format=%ct')} +0000"
        git(folder, "commit", "--quiet", "--message", f"Posthorn {version}", environment={"GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time})
    signature = ["--sign"] if options.sign else ["--annotate"]
    signature += ["--local-user", options.signer] if options.signer else []
    git(folder, "tag", *signature, "--message", f"Posthorn {version}", version)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="the folder to write the package into")
    parser.add_argument("--repository", type=pathlib.Path, help="the folder of the repository to commit to")
    parser.add_argument("--version", help="the version, which is the tag")
    parser.add_argument("--remote", help="the URL or the path from which the repository is cloned")
    parser.add_argument("--sign", action="store_true", help="sign the tag")
    parser.add_argument("--signer", help="the key with which gpg signs the tag; gpg's default if not given")
    options = parser.parse_args()
    if (options.folder is None) == (options.repository is None):
        parser.error("expected a folder or --repository")
    if options.folder:
        return write_files(options.folder)
    if not re.fullmatch(r"\d+\.\d+\.\d+", options.version or ""):
        parser.error(f"--repository needs a --version such as 0.1.0, by which Xcode finds it; got '{options.version or ''}'")
    commit(options)


if __name__ == "__main__":
    main()
