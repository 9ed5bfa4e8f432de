"""On a terminal, long work shows its progress and leaves nothing of it behind; --json keeps the terminal quiet."""

import json
import re

import pytest
from processes import BENCH, Process, on_terminal
from test_import import posthorn, service  # noqa: F401

CLEARED = b"\r\x1b[K"


@pytest.mark.one_node("posthorn backup is for SQLite")
def test_a_backup_and_its_check(service, tmp_path):
    file = tmp_path / "one.backup"
    status, said, printed = on_terminal("backup", "--data", tmp_path / "data", "--to", file)
    assert status == 0 and "1 app, " in printed
    assert CLEARED + b"[#" in said and said.endswith(CLEARED + b"checking" + CLEARED)
    status, said, printed = on_terminal("restore", file, "--check")
    assert (status, said) == (0, CLEARED + b"checking" + CLEARED) and "The backup is whole" in printed
    status, said, _ = on_terminal("restore", file, "--data", tmp_path / "restored")
    assert status == 0 and said.startswith(CLEARED + b"checking" + CLEARED + CLEARED + b"[#") and said.endswith(CLEARED)
    assert on_terminal("restore", file, "--check", "--json")[1] == b""
    assert posthorn(service, "restore", file, "--check").stderr == "", "A short check has no line of its own in a log."


def test_an_export_shows_its_total(service, tmp_path):
    rows = "".join(f'{{"token":"{number:064x}","tags":["t{number % 2}"]}}\n' for number in range(2500))
    posthorn(service, "import", "-", stdin=rows)
    words = ["devices", "export", "--out", tmp_path / "devices.csv"]
    status, said, _ = on_terminal(*words, **service.environment)
    assert status == 0 and said.startswith(CLEARED + b"[############..................] 40 %  1000 of 2500 devices")
    assert re.search(rb"\r\x1b\[K2500 devices written\. That took [0-9.]+ seconds: [0-9]+ rows a second\.\r\n$", said)
    assert CLEARED + b"[########################......] 80 %  1000 of 1250 devices" in on_terminal(*words, "--tag", "t1", **service.environment)[1]
    assert on_terminal(*words, "--json", **service.environment)[1] == b""


def test_a_batch_and_its_refusals(service, tmp_path):
    file = tmp_path / "targets"
    file.write_text("nobody\nnobody2\n")
    words = ["push", "--batch", file, "--by", "alias", "--alert", "Hi"]
    status, said, printed = on_terminal(*words, **service.environment)
    assert status == 1 and printed == "0 accepted, 2 refused.\n"
    bar, *lines = said.split(CLEARED)[1:]
    assert bar.startswith(b"[.") and lines[0].startswith(b"line 1: 1011: ")
    assert said.count(b"[.") == 1, "No line has a bar before or behind it."
    assert on_terminal(*words, "--json", **service.environment)[1] == b""


@pytest.mark.parametrize(
    "words",
    [
        ["couriers", "--devices", "4", "--pushes", "2"],
        ["channels", "--subscribers", "2000", "--linked", "4", "--messages", "2"],
    ],
)
def test_a_benchmark(words):
    status, said, printed = on_terminal(*words, program=BENCH)
    assert status == 0 and printed.startswith("RESULT ")
    assert said.startswith(CLEARED) and said.endswith(CLEARED)
    assert on_terminal(*words, "--json", program=BENCH)[1] == b""


def test_a_benchmark_at_a_gateway(tmp_path):
    gateway = Process("gateway", "--port", 0, "--data", tmp_path, "--hand-out", tmp_path / "out", "--json", "--log-level", "error")
    port = json.loads(gateway.line())["productionPort"]
    words = ["apns", "--port", port, "--count", 2000, "--hand-out", tmp_path / "out"]
    for manner in [[], ["--await"]]:
        status, said, printed = on_terminal(*words, *manner, program=BENCH)
        assert status == 0 and printed.startswith("RESULT n=2000 ok=2000 ")
        assert CLEARED + b"[" in said and said.endswith(CLEARED)
        assert on_terminal(*words, *manner, "--json", program=BENCH)[1] == b""
    assert gateway.stop() == 0
