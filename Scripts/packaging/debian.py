"""A Debian package: the files, the control data and the scripts of its maintainer."""

import email.utils
import hashlib
import io
import tarfile
import textwrap

import archives

MAINTAINER = "Posthorn <maintainers@posthorn.invalid>"


def write(path, tree, *, version, architecture, depends, scripts, conffiles, time, preset):
    """Writes the package. `tree` has its files, `scripts` its maintainer's scripts by name."""
    control = archives.Tree()
    size = sum((len(entry.bytes()) + 1023) // 1024 or 1 for entry in tree.entries.values())
    control.file("control", _control(version, architecture, depends, size))
    control.file("conffiles", "".join(f"/{name}\n" for name in conffiles))
    control.file("md5sums", _sums(tree, conffiles))
    for name, text in scripts.items():
        control.file(name, text, 0o755)
    members = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.xz", archives.tar_xz(control, time, "./", preset)),
        ("data.tar.xz", archives.tar_xz(tree, time, "./", preset)),
    ]
    archives.write_ar(path, members, time)


def contents(path):
    """The files of a package: a tarfile to read, for its content and another for its control data."""
    members = archives.read_ar(path)

    def opened(prefix):
        (name,) = [name for name in members if name.startswith(prefix)]
        if name.endswith(".zst"):
            raise ValueError(f"{path} is compressed with zstd; expected xz or gzip")
        return tarfile.open(fileobj=io.BytesIO(members[name]))

    return opened("data.tar"), opened("control.tar")


def _sums(tree, conffiles):
    return "".join(
        f"{hashlib.md5(entry.bytes()).hexdigest()}  {path}\n"
        for path, entry in sorted(tree.entries.items())
        if entry.content is not None and path not in conffiles
    )


def _control(version, architecture, depends, size):
    fields = {
        "Package": "posthorn",
        "Version": version,
        "Architecture": architecture,
        "Maintainer": MAINTAINER,
        "Installed-Size": size,
        "Depends": ", ".join([*depends, "adduser", "init-system-helpers (>= 1.54)"]),
        # Addresses of APNs are checked against authorities, times of day need zones, and a store in PostgreSQL loads libpq.
        "Recommends": "ca-certificates, libpq5, tzdata",
        # The user service of the desktop loads libdbus, which desktops have.
        "Suggests": "libdbus-1-3, postgresql",
        "Section": "net",
        "Priority": "optional",
        "Description": "push service, APNs gateway and emulated iPhone",
    }
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return text + textwrap.indent(_DESCRIPTION, " ")


_DESCRIPTION = """\
Posthorn runs every part of a push notification's path on your own machines:
a push service that is compatible with the JPush REST API v3, a gateway that
is compatible with Apple's APNs, and an emulated iPhone.
.
The package has units for the service and for the gateway. The service starts
with the machine and listens on 127.0.0.1:8080. It keeps its data in a file, or
in a PostgreSQL database that several machines share. A user service shows the
notifications of Swift programs on the desktop.
"""


def changelog(version, time):
    """A changelog as deb-changelog(5) wants it. The one for people is CHANGELOG.md."""
    date = email.utils.formatdate(time)
    return f"posthorn ({version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- {MAINTAINER}  {date}\n"


COPYRIGHT = """\
Posthorn is under the Apache License, version 2.0, which is in
/usr/share/common-licenses/Apache-2.0.

LICENSES.gz has the licences and notices of the software that is linked into
the program. posthorn.spdx.json.gz lists that software.
"""
