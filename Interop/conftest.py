"""What the whole run shares: a sandbox, as other people's test suites start it, and a peer in Go."""

import contextlib
import json
import os
import shutil
import subprocess

import confidential
import pytest
import several_nodes

# Before anything that knows the command is imported.
NODES_END = several_nodes.begin() if os.environ.get("POSTHORN_NODES") else None

from peers import build_go  # noqa: E402
from processes import BINARY  # noqa: E402

confidential.watch_commands()


def pytest_configure(config):
    config.addinivalue_line("markers", "one_node(reason): nodes cannot differ, or the test can only mean a service of one process")
    config.addinivalue_line("markers", "release(reason): the test takes long, and runs where POSTHORN_RELEASE is set")


def pytest_collection_modifyitems(items):
    """What reads the logs of all servers comes when they have written them. With several nodes, tests of one are skipped."""
    for item in items:
        if NODES_END and (mark := item.get_closest_marker("one_node")):
            item.add_marker(pytest.mark.skip(reason=mark.args[0]))
        if not os.environ.get("POSTHORN_RELEASE") and (mark := item.get_closest_marker("release")):
            item.add_marker(pytest.mark.skip(reason=f"without POSTHORN_RELEASE=1: {mark.args[0]}"))
    items.sort(key=lambda item: item.path.name == "test_logs.py")


def pytest_sessionfinish(exitstatus):
    """The logs stay where something has failed, and for the other processes of a run."""
    confidential.hand_over()
    if exitstatus == 0 and confidential.OWN_RUN:
        shutil.rmtree(confidential.RUN, ignore_errors=True)
    if NODES_END:
        NODES_END()


@pytest.fixture(scope="session", autouse=True)
def collected_files(tmp_path_factory):
    """The first fixture to begin and the last to end: secrets are collected from the files of all tests of this process."""
    yield
    confidential.remember_files(tmp_path_factory.getbasetemp())


@contextlib.contextmanager
def running_sandbox(data, *flags):
    """A sandbox with this folder; gives what it says of itself."""
    arguments = ["sandbox", "--json", "--devices", "2", "--data", data, "--until-eof", *flags]
    with confidential.traced(arguments, {"stdin": subprocess.PIPE, "text": True}) as (words, options):
        process = subprocess.Popen([BINARY, *words], stdout=subprocess.PIPE, **options)
    line = process.stdout.readline()
    confidential.remember_text(line, "what the sandbox printed")
    assert line, f"the sandbox ended with status {process.wait(60)} before it was ready"
    yield json.loads(line)
    process.stdin.close()
    assert process.wait(60) == 0


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory):
    with running_sandbox(tmp_path_factory.mktemp("sandbox")) as facts:
        yield facts


@pytest.fixture
def sandbox_with(tmp_path):
    """A function that runs a sandbox of its own, with options."""
    return lambda *flags: running_sandbox(tmp_path / "sandbox", *flags)


@pytest.fixture(scope="module")
def fresh_sandbox(tmp_path_factory):
    """One with nothing in it but what a sandbox begins with."""
    with running_sandbox(tmp_path_factory.mktemp("fresh-sandbox")) as facts:
        yield facts


@pytest.fixture(scope="session")
def go_environment():
    """What Go programs are built with; what one of them has compiled of the standard library is there for the next."""
    cache = os.environ.get("GOCACHE") or str(confidential.RUN / "go-cache")
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
