"""`posthorn retention --dry-run` at a running service."""

import json

from processes import Process
from test_cli import run


def test_a_dry_run_counts_and_other_uses_are_refused(tmp_path):
    data = ["--data", tmp_path / "data"]
    service = Process("serve", *map(str, data), "--port", "0", "--log-level", "critical")
    service.line(lambda line: line.startswith("Posthorn listens"))
    assert run("retention", "--dry-run", "--messages", 1, *data).splitlines() == [
        "0 pushes due after 1 day", "0 schedules due after 31 days", "0 devices due after 255 days",
        "0 counts of users due after 92 days",
    ]
    assert json.loads(run("retention", "--dry-run", "--json", *data))["pushes"] == {"count": 0, "days": 31}
    assert "--devices" in run("retention", "--dry-run", "--devices", 10, *data, status=64)
    assert "--dry-run counts it" in run("retention", *data, status=64)
    assert service.stop() == 0
    assert "only the service knows its rules" in run("retention", "--dry-run", *data, status=1)
