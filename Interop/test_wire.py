"""Benchmarks/Wire with few pushes: it measures what it says, and it notices when pushes fail."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from processes import BINARY

RUN = pathlib.Path(__file__).resolve().parent.parent / "Benchmarks/Wire/run"

pytestmark = [
    pytest.mark.release("runs a benchmark three times"),
    pytest.mark.skipif(
        not (shutil.which("h2load") and shutil.which("cc") and pathlib.Path("/usr/include/nghttp2/nghttp2.h").exists()),
        reason="needs h2load, a C compiler and libnghttp2's headers; Documentation/Performance.md says how to install them",
    ),
]


@pytest.fixture
def wire():
    """A function that runs the benchmark: its status, and the rows it printed, first word to last."""
    subprocess.run([BINARY, "--version"], check=True, capture_output=True)

    def run(*arguments):
        few = ["--rounds", "1", "--count", "2000", "--connections", "200", "--devices", "200", "--subscribers", "20000"]
        few += ["--python", sys.executable]
        environment = os.environ | {"POSTHORN_BUILD": "debug", "POSTHORN_DEBUG_IS_FINE": "this test looks at counts"}
        result = subprocess.run(
            [RUN, *few, *arguments], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, env=environment
        )
        rows = {line.split("  ")[0]: line.split() for line in result.stdout.splitlines() if line}
        return result, rows

    return run


def test_every_row_is_measured_and_no_push_fails(wire):
    result, rows = wire()
    assert result.returncode == 0, result.stdout + result.stderr
    assert {"Posthorn", "Posthorn, one by one", "h2load", "aioapns", "Posthorn gateway", "C server"} <= set(rows)
    assert rows["Posthorn"][-1] == rows["Posthorn gateway"][-1] == "0"


@pytest.mark.parametrize("measurement, row", [("clients", "Posthorn"), ("servers", "Posthorn gateway")])
def test_a_refused_push_fails_the_run(wire, measurement, row):
    result, rows = wire("--refuse-every", "100", "--only", measurement)
    assert (result.returncode, rows[row][-1]) == (1, "20")
    assert f"{row}: 1980 of 2000 pushes were accepted" in result.stderr
