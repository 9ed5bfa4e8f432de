"""What the whole run shares: a sandbox, as other people's test suites start it, and a peer in Go."""

import json
import os
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
def go_environment(tmp_path_factory):
    """What Go programs are built with; what one of them has compiled of the standard library is there for the next."""
    cache = os.environ.get("GOCACHE") or str(tmp_path_factory.mktemp("go-cache"))
    return {"GOCACHE": cache, "CGO_ENABLED": "0"}


@pytest.fixture(scope="session")
def go(tmp_path_factory, go_environment):
    """A function that gives the path of http2/go_peer.go as a program, built when it is first asked for."""
    built = []

    def program():
        if not built:
            built.append(build_go(tmp_path_factory.mktemp("go"), go_environment))
        return built[0]

    return program
