"""The rules of the compose page without a page: Node runs their tests."""

import pathlib
import shutil
import subprocess

import pytest

TESTS = pathlib.Path(__file__).parent / "scripts"


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
@pytest.mark.parametrize("file", sorted(TESTS.glob("compose*.test.mjs")), ids=lambda path: path.name)
def test_scripts(file):
    done = subprocess.run(["node", "--test", file], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
