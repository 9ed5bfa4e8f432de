"""The ledger of the frameworks' names notices what is missing and what is too much."""
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build/debug"

pytestmark = pytest.mark.skipif(not (BUILD / "PushDeviceTests.build").exists(), reason="needs the build: swift build --build-tests")


def ledger(folder, changes):
    """Runs a copy of the ledger with texts of its files replaced. Returns what it says to that."""
    scripts = folder / "Scripts"
    scripts.mkdir()
    for name in ("ledger.py", "symbol_graphs.py", "names.tsv", "usernotifications.txt"):
        text = (ROOT / "Scripts" / name).read_text()
        for old, new in changes.get(name, {}).items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        (scripts / name).write_text(text)
    for name in ("Sources", "Tests", ".build"):
        (folder / name).symlink_to(ROOT / name)
    done = subprocess.run(
        [sys.executable, scripts / "ledger.py", "--check", BUILD], capture_output=True, text=True, timeout=1200, cwd=folder
    )
    assert done.returncode == 1
    return done.stderr


def test_the_mark_ours_allows_no_name_that_an_app_can_use(tmp_path):
    row = "ActivityKit\tAlertConfiguration.title\tproperty\t16.1\t-\topenuikit symbol list, SDK 26.1; versions partly from Apple doc pages, else not checked\n"
    table = '        "AlertConfiguration": full('
    said = ledger(
        tmp_path, {"names.tsv": {row: ""}, "ledger.py": {table: '        "AlertConfiguration.title": ours("a title"),\n' + table}}
    )
    assert "are here and not in Scripts/names.tsv" in said and "AlertConfiguration.title" in said


@pytest.mark.parametrize("old, new, expected", [
    (
        "CallKit\tCXCallUpdate.hasVideo\t", "CallKit\tCXCallUpdate.userInfo\tproperty\t10.0\t-\tnone\nCallKit\tCXCallUpdate.hasVideo\t",
        "neither here nor in ABSENT: CXCallUpdate.userInfo (10.0)",
    ),
    ("(_:perform:) CXStartCallAction\t", "(_:perform:) CXOtherAction\t", "(_:perform:) CXOtherAction, CXProviderDelegate.provider(_:perform:) CXStart"),
    ("ConversationManager: Observable\t", "ConversationManager: Identifiable\t", "alone: ConversationManager: Identifiable, ConversationManager: Obs"),
])
def test_members_overloads_and_conformances_of_each_type_are_compared(tmp_path, old, new, expected):
    assert expected in ledger(tmp_path, {"names.tsv": {old: new}})
