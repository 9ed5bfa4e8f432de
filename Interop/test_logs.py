"""Runs last: what the servers of all other tests have logged, at the level trace, holds no secret of theirs.

Where several processes run tests, it has one of its own when they have ended, with the POSTHORN_INTEROP_RUN that they had.
"""

import os

import confidential
import pytest


def test_what_is_planted_in_a_log_is_found(tmp_path):
    token = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNMTIzNDU2In0.c2lnbmF0dXJl"
    key = "q3lQ8s7cW1n2b4v6Jk9m0p2r4t6y8u0iA1s3d5f7g9h1j3k5l7"
    values = {"0f1e2d3c4b5a": "a master secret", key: "a line of a private key"}
    (tmp_path / "clean.log").write_text("trace posthorn: 7 requests, device 00aa…, basic things\n")
    assert confidential.leaks(tmp_path, values) == []
    lines = [
        "secret=0f1e2d3c4b5a", key, f"got {token}", "Basic dXNlcjpwYXNzd29yZDE=", f"bearer {token}",
        "Dispatcher(key: Crypto.SymmetricKey(sb: 1))",
    ]
    for number, line in enumerate(lines):
        log = tmp_path / f"{number}.log"
        log.write_text(f"first\n{line}\n")
        assert [found.split(": ")[0] for found in confidential.leaks(tmp_path, values)] == [f"{number}.log:2"]
        log.unlink()


def test_what_another_process_has_collected_is_known(tmp_path, monkeypatch):
    monkeypatch.setattr(confidential, "COLLECTED", tmp_path)
    monkeypatch.setattr(confidential, "_secrets", {"0f1e2d3c4b5a": "one"})
    confidential.hand_over()
    (tmp_path / f"{os.getpid()}.json").rename(tmp_path / "1.json")
    monkeypatch.setattr(confidential, "_secrets", {"a5b4c3d2e1f0": "another"})
    assert confidential.secrets() == {"0f1e2d3c4b5a": "one", "a5b4c3d2e1f0": "another"}
    assert confidential.ended() == {"1"}


@pytest.mark.skipif("PYTEST_XDIST_WORKER" in os.environ, reason="other workers are still running; runs in a process of its own after them")
def test_no_log_holds_a_secret(tmp_path_factory):
    logs = list(confidential.LOGS.iterdir())
    if not logs:
        assert confidential.OWN_RUN, f"no server of this run has a log in {confidential.LOGS}"
        pytest.skip("no server has run")
    assert any(" trace " in log.read_text(errors="replace") for log in logs), "no server has logged at the level trace"
    silent = {log.name.split("-")[0] for log in logs} - confidential.ended() - {str(os.getpid())}
    assert not silent, f"processes that ended without telling their secrets: {silent}"
    confidential.remember_files(tmp_path_factory.getbasetemp())
    values = confidential.secrets()
    assert len(values) >= len(logs), "fewer secrets than servers are known"
    found = confidential.leaks(confidential.LOGS, values)
    assert found == [], "\n".join(found[:40])
