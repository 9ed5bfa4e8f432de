"""An OCI image as a layout (image-layout.md of the OCI image specification), without a daemon and without root."""

import datetime
import hashlib
import io
import json
import pathlib
import re
import subprocess
import tempfile

import archives
import debian

# Packages whose libraries and data the program needs. Their own dependencies are only for what is left out of them.
BASE = ["ca-certificates", "libc6", "libgcc-s1", "libstdc++6", "tzdata"]
# A package that the program loads at run time, for a store in PostgreSQL. Its libraries need those of its dependencies.
LOADED = "libpq5"
# A number that is not a user of a host: see the Containerfile.
USER = 10001
HOME = "var/lib/posthorn"


def closure(package):
    """A package and all packages that it depends on, sorted. Of alternatives, apt's first."""
    found, waiting = set(), [package]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            words = ["apt-cache", "depends", "--important", name]
            shown = subprocess.run(words, check=True, capture_output=True, text=True).stdout
            waiting += re.findall(r"(?m)^  (?:Pre)?Depends: ([^<\s]+)$", shown)
    return sorted(found)


def download(folder):
    """Downloads the packages of the base, in the versions that apt knows here.

    Returns triples of name, version and the path of the `.deb`.
    """
    wanted = sorted({*BASE, *closure(LOADED)})
    subprocess.run(["apt-get", "download", "--quiet", *wanted], cwd=folder, check=True, capture_output=True)
    found = {path.name.split("_")[0]: path for path in sorted(folder.glob("*.deb"))}
    assert sorted(found) == wanted, f"apt has downloaded {sorted(found)}; expected {wanted}"
    return [(name, found[name].name.split("_")[1].replace("%3a", ":"), found[name]) for name in wanted]


def base(packages):
    """The tree of the base: libraries, authorities and zones, as they are in Debian's packages."""
    tree = archives.Tree()
    authorities = {}
    for folder in ["bin", "lib", "lib64"]:
        tree.folder(f"usr/{folder}")
        tree.link(folder, f"usr/{folder}")
    for folder in ["dev", "proc", "sys", "etc/ssl/certs"]:
        tree.folder(folder)
    tree.folder("tmp", 0o1777)
    for name, _, path in packages:
        data, _ = debian.contents(path)
        for member in data:
            place = re.sub(r"^(lib(64)?|bin)/", r"usr/\1/", member.name.removeprefix("./"))
            if not _is_wanted(place, name):
                continue
            if member.issym():
                tree.link(place, member.linkname.replace("/lib/", "/usr/lib/", 1) if member.linkname.startswith("/lib/") else member.linkname)
            elif member.islnk():
                tree.file(place, data.extractfile(member).read(), member.mode & 0o755)
            elif member.isfile():
                content = data.extractfile(member).read()
                if place.startswith("usr/share/ca-certificates/"):
                    authorities[place] = content
                else:
                    tree.file(place, content, member.mode & 0o755)
    # As update-ca-certificates writes it.
    tree.file("etc/ssl/certs/ca-certificates.crt", b"".join(text.rstrip(b"\n") + b"\n" for _, text in sorted(authorities.items())))
    tree.file("etc/passwd", f"root:x:0:0:root:/root:/usr/sbin/nologin\nposthorn:x:{USER}:{USER}::/{HOME}:/usr/sbin/nologin\n")
    tree.file("etc/group", f"root:x:0:\nposthorn:x:{USER}:\n")
    tree.file("etc/nsswitch.conf", "hosts: files dns\n")
    return tree


def _is_wanted(place, package):
    if place == f"usr/share/doc/{package}/copyright" or place.startswith(("usr/share/zoneinfo/", "usr/share/ca-certificates/mozilla/")):
        return not place.startswith(("usr/share/zoneinfo/right/", "usr/share/zoneinfo/posix/"))
    is_library = re.fullmatch(r"usr/lib(64)?/([^/]+/)?[^/]+\.so(\.[0-9.]+)?", place) is not None
    return is_library and package != "ca-certificates"


def program(tree, binary):
    """The tree of the layer above the base."""
    layer = archives.Tree()
    layer.file("usr/bin/posthorn", binary, 0o755)
    for path, entry in tree.entries.items():
        if path.startswith("usr/share/doc/posthorn/") and entry.content is not None:
            layer.file(path, entry.content)
    layer.folder(HOME, 0o700, USER)
    return layer


def write(path, layers, *, version, architecture, time, level):
    """Writes the layout as a tar archive, which `podman load`, `skopeo` and Docker from version 25 on read.

    `layers` are trees, the lowest first. Returns the digest of the image's manifest.
    """
    blobs, described, identifiers = {}, [], []

    def add(content, media):
        digest = hashlib.sha256(content).hexdigest()
        blobs[digest] = content
        return {"mediaType": media, "digest": f"sha256:{digest}", "size": len(content)}

    with tempfile.TemporaryDirectory() as folder:
        for tree in layers:
            file = pathlib.Path(folder, "layer")
            archives.write_tar_gz(tree, file, time, level=level)
            described.append(add(file.read_bytes(), "application/vnd.oci.image.layer.v1.tar+gzip"))
            plain = io.BytesIO()
            tree.write_tar(plain, time)
            identifiers.append(f"sha256:{hashlib.sha256(plain.getvalue()).hexdigest()}")
    created = _text(time)
    configuration = {
        "created": created, "architecture": architecture, "os": "linux",
        "config": {
            "User": f"{USER}:{USER}", "Env": ["PATH=/usr/bin"], "Entrypoint": ["/usr/bin/posthorn"], "Cmd": ["demo"],
            "WorkingDir": f"/{HOME}", "Volumes": {f"/{HOME}": {}}, "Labels": _labels(version),
        },
        "rootfs": {"type": "layers", "diff_ids": identifiers},
        "history": [{"created": created, "created_by": "Scripts/release"} for _ in layers],
    }
    manifest = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": add(_json(configuration), "application/vnd.oci.image.config.v1+json"), "layers": described,
    }
    entry = add(_json(manifest), manifest["mediaType"])
    entry["platform"] = {"architecture": architecture, "os": "linux"}
    entry["annotations"] = {"org.opencontainers.image.ref.name": version, "io.containerd.image.name": f"posthorn:{version}"}
    layout = archives.Tree()
    layout.file("oci-layout", _json({"imageLayoutVersion": "1.0.0"}))
    layout.file("index.json", _json({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}))
    for digest, content in blobs.items():
        layout.file(f"blobs/sha256/{digest}", content)
    with path.open("wb") as stream:
        layout.write_tar(stream, time)
    return entry["digest"]


def _labels(version):
    return {
        "org.opencontainers.image.title": "Posthorn", "org.opencontainers.image.version": version,
        "org.opencontainers.image.licenses": "Apache-2.0",
    }


def _text(time):
    return datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _json(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()
