"""A sandbox for the whole run: the shipped binary, as other people's test suites start it."""

import json
import subprocess

import pytest
from processes import BINARY


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory):
    data = tmp_path_factory.mktemp("sandbox")
    process = subprocess.Popen(
        [BINARY, "sandbox", "--json", "--devices", "2", "--data", str(data), "--until-eof"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    line = process.stdout.readline()
    assert line, f"the sandbox ended with status {process.wait(60)} before it was ready"
    yield json.loads(line)
    process.stdin.close()
    assert process.wait(30) == 0
