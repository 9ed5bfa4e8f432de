"""Builds pytest-posthorn from a checkout, for `pip install Fixtures/python`: the same wheel as in a release, with nothing to download."""

import importlib.util
import pathlib
import re
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# By its path, because a package of PyPI has its name.
SPEC = importlib.util.spec_from_file_location("posthorn_wheel", ROOT / "Scripts/packaging/wheel.py")
posthorn_wheel = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(posthorn_wheel)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 517. Returns the name of the wheel in the folder."""
    source = (ROOT / "Sources/App/posthorn/Posthorn.swift").read_text()
    version = re.search(r'static let version = "(.+)"', source)[1]
    return posthorn_wheel.write(pathlib.Path(wheel_directory), version, int(time.time())).name


def build_sdist(sdist_directory, config_settings=None):
    """The other hook: a source distribution would lack what is outside of this folder."""
    raise NotImplementedError("pytest-posthorn has no source distribution; install the wheel, or this folder of a checkout")
