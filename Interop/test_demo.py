"""The stories of `posthorn demo`, as they are printed."""

import json
import re

from processes import Process
from test_cli import run

STATES = ["active", "active", "stale", "ended"]


def test_a_delivery_is_followed_from_its_start_by_push_to_its_end():
    lines = [line.strip() for line in run("demo", "live", "--exit").splitlines()]
    shown = [line for line in lines if "lock screen: " in line]
    assert [line.rsplit(", ", 1)[1] for line in shown] == STATES
    assert '{"order":"4711"} {"place":"Depot","stops":9}' in shown[0]
    events = re.findall(r"\(live_activity: (\w+)\) → 200", "\n".join(lines))
    assert events == ["start", "update", "update", "end"]
    why = [line.split("why", 1)[1].strip() for line in lines if re.match(r"[\d.,]+ ms +why ", line)]
    assert why[0] == "shown: it started a Live Activity" and why[-1] == "shown: it ended a Live Activity"
    assert why[2].endswith("the Live Activity cannot use it: 'content-state.stops' is missing")
    speakers = {line.split()[2] for line in lines if re.match(r"[\d.,]+ ms ", line)}
    assert speakers == {"phone", "app", "user", "backend", "clock", "why"}


def test_its_journeys_are_printed_as_json():
    journeys = json.loads(run("demo", "live", "--exit", "--json"))
    assert [journey["verdict"]["state"] for journey in journeys] == ["shown", "shown", "suppressed", "shown"]
    assert all(journey["events"] for journey in journeys) and len({journey["msg_id"] for journey in journeys}) == 4


def test_without_exit_everything_keeps_running():
    demo = Process("demo", "live")
    demo.line(lambda line: line.startswith("See the phone"))
    demo.line(lambda line: line.startswith("Everything keeps running"))
    assert demo.stop() == 0
