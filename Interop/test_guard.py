"""Benchmarks/guard: what its comparison of counts says, and how it ends a program that does not end. It measures in .ci/run."""
import importlib.machinery
import importlib.util
import os
import pathlib
import queue
import subprocess
import sys

import pytest
from peers import need

PATH = pathlib.Path(__file__).resolve().parent.parent / "Benchmarks/guard"
ROAD = {"instructions": 100_000, "allocations": 10.0}


@pytest.fixture(scope="module")
def guard():
    loader = importlib.machinery.SourceFileLoader("guard", str(PATH))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("guard", loader))
    loader.exec_module(module)
    return module


def written(**columns):
    return {"origin": {}, "roads": {"gateway": {"unit": "push", **(columns or {"debug": ROAD})}}}


def test_what_is_as_written_is_good(guard):
    assert guard.compare(written(), {"gateway": ROAD}, "debug") == []
    assert guard.compare(written(), {"gateway": {"instructions": 104_900, "allocations": 10.4}}, "debug") == []


def test_a_rise_fails_and_names_the_road(guard):
    (problem,) = guard.compare(written(), {"gateway": {**ROAD, "instructions": 106_000}}, "debug")
    assert problem.startswith("gateway: 6.0% more instructions than written (100,000 to 106,000)")
    assert "Benchmarks/guard --write --only gateway" in problem


def test_a_fall_asks_for_the_new_number(guard):
    (problem,) = guard.compare(written(), {"gateway": {**ROAD, "instructions": 94_000}}, "debug")
    assert problem.startswith("gateway: 6.0% fewer instructions") and "Write the new number down" in problem


def test_the_release_build_has_its_own_numbers_and_a_smaller_limit(guard):
    both = written(debug=ROAD, release={"instructions": 1000, "allocations": 10.0})
    (problem,) = guard.compare(both, {"gateway": {"instructions": 1040, "allocations": 10.0}}, "release")
    assert "4.0% more" in problem and "Benchmarks/guard --release --write" in problem
    assert guard.compare(both, {"gateway": {"instructions": 1020, "allocations": 10.0}}, "release") == []
    (problem,) = guard.compare(written(), {"gateway": ROAD}, "release")
    assert problem.startswith("gateway: no number is written")


def test_allocations_count_from_half_of_one(guard):
    few = written(debug={"instructions": 100, "allocations": 0.2})
    assert guard.compare(few, {"gateway": {"instructions": 100, "allocations": 0.6}}, "debug") == []
    (problem,) = guard.compare(few, {"gateway": {"instructions": 100, "allocations": 1.2}}, "debug")
    assert "more allocations" in problem
    none = written(debug={"instructions": 100, "allocations": 0})
    (problem,) = guard.compare(none, {"gateway": {"instructions": 100, "allocations": 3}}, "debug")
    assert problem.startswith("gateway: 3 more allocations")


def test_a_road_without_numbers_and_numbers_without_a_road_fail(guard):
    problems = guard.compare(written(), {"courier": ROAD}, "debug")
    assert [problem.split(":")[0] for problem in problems] == ["courier", "gateway"]
    assert guard.compare(written(), {}, "debug", is_whole=False) == []


def test_callgrind_files_are_read(guard):
    text = """desc: Trigger: Client Request: gateway 50
summary: 9000
fn=0x1234
cfn=malloc
calls=100 0x10
0 700
cfn=free
calls=100 0x20
0 300
cob=/lib/libc.so.6
cfn=calloc
calls=25 0x30
0 90
fn=swift::MetadataCacheKey::operator==(swift::MetadataCacheKey const&) const
0 400
0 40
cfn=memcmp
calls=20 0x40
0 250
fn=memcmp
0 60
totals: 5000
"""
    assert guard.parse(text, "release") == ("gateway", {"instructions": 100, "allocations": 2.5})
    # What depends on where a run has its memory is left out of a debug build: 440 instructions, and not those of the function called.
    assert guard.parse(text, "debug") == ("gateway", {"instructions": 91, "allocations": 2.5})


def test_written_numbers_are_read_again(guard, tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "NUMBERS", tmp_path / "guard.json")
    monkeypatch.setattr(guard, "origin", lambda: "here")
    chosen = {"gateway": {"unit": "push"}, "courier": {"unit": "push delivered"}}
    guard.write(guard.read(), chosen, {"gateway": ROAD, "courier": ROAD}, "debug", is_whole=True)
    guard.write(guard.read(), chosen, {"gateway": {**ROAD, "instructions": 7}}, "release", is_whole=False)
    found = guard.read()
    assert guard.compare(found, {"gateway": ROAD, "courier": ROAD}, "debug") == []
    assert found["roads"]["gateway"]["release"]["instructions"] == 7
    assert found["origin"] == {"debug": "here", "release": "here"}


def test_every_road_has_numbers_for_both_builds(guard):
    numbers = guard.read()["roads"]
    assert len(numbers) >= 10
    for road, columns in numbers.items():
        assert set(columns) == {"unit", *guard.LIMITS}, road


def test_a_road_that_differs_is_measured_again_and_a_real_cost_stays(guard):
    noisy, dear = {"instructions": 107_000, "allocations": 10.0}, {"instructions": 120_000, "allocations": 10.0}
    assert guard.differing(written(), {"gateway": noisy}, "debug") == ["gateway"]
    found = guard.closest(written(), "gateway", "debug", noisy, {"instructions": 101_000, "allocations": 11.0})
    assert found == {"instructions": 101_000, "allocations": 10.0}
    assert guard.compare(written(), {"gateway": found}, "debug") == []
    found = guard.closest(written(), "gateway", "debug", dear, {"instructions": 119_000, "allocations": 10.0})
    assert guard.compare(written(), {"gateway": found}, "debug") != []


# Stands still when it is run for the first time, and is measured when it is run again.
PAUSING = """
#include "callgrind.h"
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    if (open(MARK, O_CREAT | O_EXCL, 0600) >= 0) pause();
    callgrind_start();
    callgrind_zero();
    callgrind_dump("gateway 1");
    return 0;
}
"""


def test_a_house_that_stands_still_is_described_and_measured_once_more(guard, tmp_path, monkeypatch, capfd):
    need("valgrind")
    orders = guard.ROOT / "Benchmarks/CHotRoads"
    (tmp_path / "main.c").write_text(PAUSING)
    program, mark = tmp_path / "program", tmp_path / "mark"
    sources = [tmp_path / "main.c", orders / "callgrind.c"]
    subprocess.run([need("cc"), f"-I{orders}/include", f'-DMARK="{mark}"', "-o", program, *sources], check=True)
    monkeypatch.setattr(guard, "STANDSTILL", 5)
    processors = queue.SimpleQueue()
    processors.put(min(os.sched_getaffinity(0)))
    counts = guard.measure_twice(program, ["gateway"], "debug", tmp_path / "house", processors)
    assert counts["gateway"]["instructions"] > 0
    said = capfd.readouterr().err
    assert "gateway: it has used no processor time for" in said and "measured once more" in said
    # The stack of the thread.
    assert "Thread 1: status = VgTs_WaitSys" in said and "main" in said
    # The processor is free again, and a second standstill is a failure.
    mark.unlink()
    assert processors.qsize() == 1
    with pytest.raises(guard.Standstill, match="gateway: it has used no processor time"):
        guard.measure(program, ["gateway"], "debug", tmp_path / "other", processors)


def test_a_house_that_only_computes_is_given_up_at_last(guard, tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "PATIENCE", 2)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"], stderr=subprocess.PIPE, text=True) as process:
        try:
            with pytest.raises(guard.Trouble, match="it has not ended after") as found:
                guard.wait(process, tmp_path / "vgdb")
            assert not isinstance(found.value, guard.Standstill)
        finally:
            process.kill()
