"""The first inputs of the fuzz targets: what is in their archive, and how Fuzzing/run unpacks it."""

import pathlib
import re
import shutil
import subprocess
import tarfile

import pytest

FUZZING = pathlib.Path(__file__).resolve().parent.parent / "Fuzzing"


def found(pattern, file):
    return re.search(pattern, (FUZZING / file).read_text(), re.S)[1]


def test_the_archive_has_inputs_of_each_target_and_nothing_of_its_machine():
    with tarfile.open(FUZZING / "Corpus.tar.gz") as archive:
        members = archive.getmembers()
    files = [member for member in members if member.isfile()]
    targets = set(found(r"\nall=\((.*?)\)\n", "run").split())
    assert {member.name.split("/")[0] for member in files} == targets
    assert {member.name for member in members if not member.isfile()} == targets
    assert targets == set(re.findall(r'"(\w+)":', found(r"\nTARGETS = \{(.*?)\n\}", "seeds.py")))
    assert {(member.mtime, member.uid, member.gid, member.uname) for member in members} == {(0, 0, 0, "")}
    assert members == sorted(members, key=lambda member: member.name)


@pytest.fixture
def folder(tmp_path):
    """A copy of the script, with an archive of one input."""
    (tmp_path / "made/link").mkdir(parents=True)
    (tmp_path / "made/link/first").write_bytes(b"1")
    shutil.copy(FUZZING / "run", tmp_path)
    archive(tmp_path)
    return tmp_path


def archive(folder):
    subprocess.run(["tar", "-czf", folder / "Corpus.tar.gz", "-C", folder / "made", "link"], check=True)


def unpacked(folder):
    subprocess.run([folder / "run", "--unpack"], check=True)
    return {path.name: path.read_bytes() for path in (folder / "Corpus/link").iterdir()}


def test_a_new_archive_takes_the_place_of_what_is_unpacked(folder):
    assert unpacked(folder) == {"first": b"1"}
    # What a run or a person adds stays for as long as the archive is the same.
    (folder / "Corpus/link/own").write_bytes(b"2")
    assert unpacked(folder) == {"first": b"1", "own": b"2"}
    (folder / "made/link/second").write_bytes(b"3")
    archive(folder)
    assert unpacked(folder) == {"first": b"1", "second": b"3"}
    assert not (folder / "Corpus.new").exists()
