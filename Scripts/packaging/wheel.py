"""Writes the wheel of pytest-posthorn: a zip file with two modules, in the format of the binary distribution specification.

Its bytes depend on the sources, the version and the time alone.
"""

import base64
import hashlib
import pathlib
import time as clock
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "Fixtures/python"
METADATA = """\
Metadata-Version: 2.1
Name: pytest-posthorn
Version: {version}
Summary: Fixtures for pytest: an APNs, or a push service with an emulated iPhone
License: Apache-2.0
Classifier: Framework :: Pytest
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Programming Language :: Python :: 3
Requires-Python: >=3.9
Requires-Dist: pytest>=7
Provides-Extra: testcontainers
Requires-Dist: testcontainers>=4.9; extra == "testcontainers"
Description-Content-Type: text/markdown

"""
WHEEL = "Wheel-Version: 1.0\nGenerator: posthorn\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
ENTRY_POINTS = "[pytest11]\nposthorn = pytest_posthorn\n"
# A zip file has no earlier time.
EARLIEST = 315_532_800


def files(version):
    """The files of the wheel with their bytes; RECORD is the last."""
    information = f"pytest_posthorn-{version}.dist-info"
    metadata = METADATA.format(version=version) + (SOURCE / "README.md").read_text()
    rows = [
        *((name, (SOURCE / name).read_bytes()) for name in ("pytest_posthorn.py", "testcontainers_posthorn.py")),
        (f"{information}/LICENSE", (ROOT / "LICENSE").read_bytes()),
        (f"{information}/METADATA", metadata.encode()),
        (f"{information}/WHEEL", WHEEL.encode()),
        (f"{information}/entry_points.txt", ENTRY_POINTS.encode()),
    ]
    digests = [(name, base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), len(data)) for name, data in rows]
    record = "".join(f"{name},sha256={digest},{size}\n" for name, digest, size in digests)
    return [*rows, (f"{information}/RECORD", f"{record}{information}/RECORD,,\n".encode())]


def write(folder, version, time):
    """Writes the wheel to a folder, with `time` in seconds since 1970. Returns its path."""
    path = folder / f"pytest_posthorn-{version}-py3-none-any.whl"
    date = clock.gmtime(max(time, EARLIEST))[:6]
    with zipfile.ZipFile(path, "w") as wheel:
        for name, data in files(version):
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr, entry.create_system = 0o100644 << 16, 3
            # Stored, because compressors differ from one machine to another.
            wheel.writestr(entry, data, zipfile.ZIP_STORED)
    return path
