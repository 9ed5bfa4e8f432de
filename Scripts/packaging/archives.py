"""Trees of files, and archives of them whose bytes depend on nothing but the tree: no time, user or order of this machine."""

import dataclasses
import gzip
import io
import lzma
import pathlib
import tarfile


@dataclasses.dataclass(frozen=True)
class Entry:
    """A file, a folder (neither content nor link) or a symbolic link. `content` is bytes, or the path of a file."""

    mode: int
    content: bytes | pathlib.Path | None = None
    link: str | None = None
    owner: int = 0

    def bytes(self):
        return self.content.read_bytes() if isinstance(self.content, pathlib.Path) else self.content or b""


class Tree:
    """Entries by their paths, which are relative and have `/` between the names."""

    def __init__(self):
        self.entries = {}

    def file(self, path, content, mode=0o644, owner=0):
        content = content.encode() if isinstance(content, str) else content
        self._add(path, Entry(mode, content, owner=owner))

    def link(self, path, target):
        self._add(path, Entry(0o777, link=target))

    def folder(self, path, mode=0o755, owner=0):
        self._parents(path)
        self.entries[path] = Entry(mode, owner=owner)

    def below(self, prefix):
        """The same entries in a folder."""
        tree = Tree()
        for path, entry in self.entries.items():
            tree._parents(f"{prefix}/{path}")
            tree.entries[f"{prefix}/{path}"] = entry
        return tree

    def _add(self, path, entry):
        assert path not in self.entries, f"{path} is there twice"
        self._parents(path)
        self.entries[path] = entry

    def _parents(self, path):
        for parent in pathlib.PurePosixPath(path).parents:
            if str(parent) != ".":
                self.entries.setdefault(str(parent), Entry(0o755))

    def write_tar(self, stream, time, prefix=""):
        """Writes a tar archive. `time` is the time of every entry, in seconds since 1970."""
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as tar:
            if prefix:
                tar.addfile(_header(prefix, Entry(0o755), time))
            for path, entry in sorted(self.entries.items()):
                header = _header(prefix + path, entry, time)
                if isinstance(entry.content, pathlib.Path):
                    with entry.content.open("rb") as file:
                        header.size = entry.content.stat().st_size
                        tar.addfile(header, file)
                else:
                    header.size = len(entry.bytes())
                    tar.addfile(header, io.BytesIO(entry.bytes()))


def _header(path, entry, time):
    header = tarfile.TarInfo(path)
    header.mtime, header.mode = time, entry.mode
    header.uid = header.gid = entry.owner
    header.uname = header.gname = "root" if entry.owner == 0 else ""
    if entry.link is not None:
        header.type, header.linkname = tarfile.SYMTYPE, entry.link
    elif entry.content is None:
        header.type = tarfile.DIRTYPE
    return header


def write_tar_gz(tree, path, time, prefix="", level=9):
    """Writes a `.tar.gz`. Its header has no name and no time."""
    with path.open("wb") as file, gzip.GzipFile("", "wb", level, file, mtime=0) as stream:
        tree.write_tar(stream, time, prefix)


def tar_xz(tree, time, prefix="", preset=6):
    """The bytes of a `.tar.xz`."""
    memory = io.BytesIO()
    with lzma.LZMAFile(memory, "wb", preset=preset) as stream:
        tree.write_tar(stream, time, prefix)
    return memory.getvalue()


def write_ar(path, members, time):
    """Writes an archive of ar(5), as a `.deb` is: see deb(5). `members` are pairs of a name and bytes."""
    with path.open("wb") as file:
        file.write(b"!<arch>\n")
        for name, content in members:
            file.write(f"{name:<16}{time:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode())
            file.write(content + b"\n" * (len(content) % 2))


def read_ar(path):
    """The members of an archive of ar(5): a dictionary of their bytes by name."""
    data, place, members = path.read_bytes(), 8, {}
    assert data[:8] == b"!<arch>\n", f"{path} is no archive of ar(5)"
    while place < len(data):
        name = data[place:place + 16].decode().strip().rstrip("/")
        size = int(data[place + 48:place + 58])
        members[name] = data[place + 60:place + 60 + size]
        place += 60 + size + size % 2
    return members
