"""What the whole run shares: a sandbox, as other people's test suites start it, and a peer in Go."""

import json
import subprocess

import pytest
from peers import build_go
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


@pytest.fixture(scope="session")
def go(tmp_path_factory):
    """A function that gives the path of http2/go_peer.go as a program, built when it is first asked for."""
    built = []

    def program():
        if not built:
            built.append(build_go(tmp_path_factory.mktemp("go")))
        return built[0]

    return program
