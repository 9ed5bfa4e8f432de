"""A server with too little address space (`ulimit -v`): it says so and ends, where the system's libraries would trap or wait for ever."""

import resource
import subprocess

import pytest
from processes import BINARY

MIB = 1 << 20


def limited(mebibytes, *words):
    """What a command does that may reserve so many MiB."""
    return subprocess.run(
        [BINARY, *map(str, words)],
        capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (mebibytes * MIB, mebibytes * MIB)),
    )


@pytest.mark.parametrize("mebibytes", [250, 300, 450, 500, 1000])
@pytest.mark.parametrize("command", [["serve", "--port", 0], ["gateway"], ["sandbox"], ["demo"], ["mcp"]], ids=lambda words: words[0])
def test_a_server_says_that_it_needs_more(command, mebibytes):
    done = limited(mebibytes, *command)
    assert done.returncode == 1 and done.stdout == "", done
    assert f"may reserve {mebibytes} MiB of address space; a server needs at least 1024." in done.stderr


def test_a_command_that_is_no_server_needs_less():
    done = limited(500, "when", "hour=8", "--zone", "Europe/Berlin")
    assert done.returncode == 0 and "08:00:00" in done.stdout, done
