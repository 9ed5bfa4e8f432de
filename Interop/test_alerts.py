"""Documentation/alerts.yaml: Prometheus's own tool takes the rules, each of them fires when it should, and a service has what they ask for."""

import json
import pathlib
import re
import subprocess

import postgres
import pytest
import yaml
from peers import need
from processes import Process, start_gateway, start_service
from test_cli import run
from test_watch import TOKEN, await_value, push_to_ten, scrape, value

RULES = pathlib.Path(__file__).resolve().parent.parent / "Documentation/alerts.yaml"
ALERTS = {rule["alert"]: rule["expr"] for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]}
FREE, SIZE = 'push_disk_free_bytes{job="posthorn",instance="a"}', 'push_store_bytes{job="posthorn",instance="a"}'
POOL = 'push_postgres_connections{job="posthorn",instance="a",push_state="idle"}'
FIRST, SECOND = ('push_build_info{job="posthorn",instance="%s",push_version="%s"}' % one for one in [("a", "0.1.0"), ("b", "0.2.0")])
REFUSED = 'apns_client_pushes_total{instance="a",apns_outcome="refused",apns_reason="%s"}'
FAILED = 'apns_client_pushes_total{instance="a",apns_outcome="failed"}'
ACCEPTED = 'apns_client_pushes_total{instance="a",apns_outcome="accepted"}'
COMMITS = 'push_store_transaction_duration_seconds_bucket{instance="a",le="%s"}'
# The series of three hours, as promtool writes them, and whether the alert fires at their end.
HOURS = 180
CASES = [
    ("PosthornDown", {'up{job="posthorn",instance="a"}': "0x180"}, True),
    ("PosthornDown", {'up{job="posthorn",instance="a"}': "1x180", 'up{job="other",instance="b"}': "0x180"}, False),
    ("PosthornPushesLate", {'push_service_lanes_lag{instance="a"}': "61x180"}, True),
    ("PosthornPushesLate", {'push_service_lanes_lag{instance="a"}': "60x180"}, False),
    ("PosthornPushesPaused", {'push_service_lanes{instance="a",push_state="paused"}': "1x180"}, True),
    ("PosthornPushesPaused", {'push_service_lanes{instance="a",push_state="working"}': "9x180"}, False),
    ("PosthornRefusals", {REFUSED % "BadTopic": "0+6x180", ACCEPTED: "0+94x180"}, True),
    ("PosthornRefusals", {REFUSED % "BadTopic": "0+4x180", ACCEPTED: "0+96x180"}, False),
    ("PosthornRefusals", {REFUSED % "Unregistered": "0+50x180", ACCEPTED: "0+50x180"}, False),
    ("PosthornRefusals", {FAILED: "0+6x180", ACCEPTED: "0+94x180"}, True),
    # Each reason has its own share.
    ("PosthornRefusals", {REFUSED % "BadTopic": "0+4x180", FAILED: "0+4x180", ACCEPTED: "0+92x180"}, False),
    ("PosthornErrors", {'push_api_requests_total{instance="a",push_status="5xx"}': "0+60x180"}, True),
    ("PosthornErrors", {'push_api_requests_total{instance="a",push_status="4xx"}': "0+60x180"}, False),
    ("PosthornCertificateExpires", {'push_service_certificate_days{instance="a",push_app="k",push_environment="production"}': "14.9x180"}, True),
    ("PosthornCertificateExpires", {'push_service_certificate_days{instance="a",push_app="k",push_environment="production"}': "15x180"}, False),
    ("PosthornDatabaseDamaged", {'push_store_damaged{instance="a"}': "1x180"}, True),
    ("PosthornDatabaseDamaged", {'push_store_damaged{instance="a"}': "0x180"}, False),
    ("PosthornDiskFull", {FREE: "1073741823x180"}, True),
    ("PosthornDiskFull", {FREE: "1073741824x180"}, False),
    # A megabyte a minute is 4.3 GB in three days.
    ("PosthornDatabaseGrows", {SIZE: "0+1000000x180", FREE: "4000000000x180"}, True),
    ("PosthornDatabaseGrows", {SIZE: "0+1000000x180", FREE: "5000000000x180"}, False),
    ("PosthornDatabaseGrows", {SIZE: "0+1000000x180", FREE: "4000000000x180", POOL: "1x180"}, False),
    ("PosthornSlowDisk", {COMMITS % "1": "0x180", COMMITS % "2.5": "0+60x180", COMMITS % "+Inf": "0+60x180"}, True),
    ("PosthornSlowDisk", {COMMITS % "1": "0+60x180", COMMITS % "2.5": "0+60x180", COMMITS % "+Inf": "0+60x180"}, False),
    ("PosthornFilesRunOut", {f'process_{name}{{job="posthorn",instance="a"}}': f"{number}x180" for name, number in [("open_fds", 91), ("max_fds", 100)]}, True),
    ("PosthornFilesRunOut", {f'process_{name}{{job="posthorn",instance="a"}}': f"{number}x180" for name, number in [("open_fds", 90), ("max_fds", 100)]}, False),
    ("PosthornPostgresAway", {'push_postgres_errors_total{instance="a",push_reason="unavailable"}': "0+1x180"}, True),
    ("PosthornPostgresAway", {'push_postgres_errors_total{instance="a",push_reason="conflict"}': "0+1x180"}, False),
    ("PosthornVersionsDiffer", {FIRST: "1x180", SECOND: "1x180"}, True),
    ("PosthornVersionsDiffer", {FIRST: "1x180", SECOND.replace("0.2.0", "0.1.0"): "1x180"}, False),
]


def test_prometheus_takes_the_rules():
    done = subprocess.run([need("promtool"), "check", "rules", RULES], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and f"{len(ALERTS)} rules found" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("fires", [True, False])
def test_each_alert_fires_when_it_should_and_not_otherwise(fires, tmp_path):
    assert {alert for alert, _, expected in CASES if expected == fires} == set(ALERTS)
    tests = [
        {
            "interval": "1m",
            "input_series": [{"series": name, "values": values} for name, values in series.items()],
            "promql_expr_test": [{
                "expr": f'count(ALERTS{{alertname="{alert}",alertstate="firing"}}) or vector(0)', "eval_time": f"{HOURS}m",
                "exp_samples": [{"value": int(expected)}],
            }],
        }
        for alert, series, expected in CASES if expected == fires
    ]
    file = tmp_path / "tests.yaml"
    file.write_text(json.dumps({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    done = subprocess.run([need("promtool"), "test", "rules", file], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def asked():
    """The names of the metrics in all expressions."""
    found = set()
    for expression in ALERTS.values():
        bare = re.sub(r"\{[^}]*\}|\b(?:by|on|group_left)\b\s*(?:\([^)]*\))?", " ", expression)
        found |= set(re.findall(r"\b(?:push|apns|process)_\w+", bare))
    return found


@pytest.mark.one_node("metrics are those of a process")
def test_a_service_has_every_metric_that_the_rules_name(tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"metrics": {"token": TOKEN}}))
    gateway, box = start_gateway(tmp_path / "gateway", "--control-port", 0)
    service, url = start_service(tmp_path / "data", box, "--config", settings)
    developer = ["--data", tmp_path / "gateway"]
    run("appid", "create", "com.example.pushlab", *developer)
    run(
        "cert", "issue", "--new", "--app-id", "com.example.pushlab", "--environment", "production", "--p12", tmp_path / "push.p12",
        *developer, POSTHORN_PASSWORD="secret",
    )
    data = ["--data", tmp_path / "data"]
    app = json.loads(run("app", "create", *data, "--name", "A", "--bundle-id", "com.example.pushlab", "--json"))
    run("credential", "add", app["app_key"], "--p12", tmp_path / "push.p12", *data, POSTHORN_PASSWORD="secret")
    push_to_ten(box, url, (app["app_key"], app["master_secret"]))
    await_value(lambda: value(scrape(url).text, "push_service_notifications_total"), 10, "the pushes to devices")
    server = postgres.Server()
    shared = Process(*map(str, [
        "serve", "--data", tmp_path / "node", "--store", server.url(server.create()), "--port", 0, "--config", settings, "--log-level", "critical",
    ]))
    shared_url = shared.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    names = asked()
    assert len(names) > 12

    def missing():
        pages = scrape(url).text + scrape(shared_url).text
        return names - set(re.findall(r"^(\w+)(?:\{.*\})? ", pages, re.M))

    # Both measure their machine after the start, and some of it has a time of its own.
    await_value(missing, set(), "the metrics that are missing")
    assert [shared.stop(), service.stop(), gateway.stop()] == [0, 0, 0]
    server.close()
