"""Request ids and spans: from OpenTelemetry's own SDK in the caller, through the service, to a collector."""

import base64
import http.server
import json
import re
import threading
import time
from urllib.parse import quote

import pytest
import requests
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from processes import Process, start_gateway, start_service
from test_cli import run


class Collector(http.server.ThreadingHTTPServer):
    """Takes spans as a collector does: OpenTelemetry's message, in its JSON."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.spans, self.services, self.status = [], set(), 200
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def read(self, body):
        # The ids are hexadecimal in this JSON, and not base64 as in other messages.
        def identified(span):
            for key in ("traceId", "spanId", "parentSpanId"):
                if key in span:
                    span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
            return span

        message = json.loads(body)
        for resource in message["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                scope["spans"] = [identified(span) for span in scope["spans"]]
        for resource in json_format.ParseDict(message, ExportTraceServiceRequest()).resource_spans:
            self.services |= {value.value.string_value for value in resource.resource.attributes if value.key == "service.name"}
            self.spans += [span for scope in resource.scope_spans for span in scope.spans]

    def wait(self, count, name):
        return self.wait_for(count, f"'{name}'", lambda span: span.name == name)

    def wait_for(self, count, which, matches):
        """The spans that match, once there are so many; each process sends its own when it likes."""
        deadline = time.monotonic() + 60
        while len(found := [span for span in self.spans if matches(span)]) < count:
            assert time.monotonic() < deadline, f"waited for {count} spans {which}, found {[span.name for span in self.spans]}"
            time.sleep(0.1)
        return found


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert (self.path, self.headers["Content-Type"]) == ("/v1/traces", "application/json")
        # Once: a test changes it while a request is answered.
        status = self.server.status
        if status == 200:
            self.server.read(body)
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def attributes(span):
    return {value.key: value.value.string_value or value.value.int_value for value in span.attributes}


@pytest.fixture
def road(tmp_path):
    """A collector, a gateway, a service with a device, and the app's credentials."""
    collector = Collector()
    gateway, box = start_gateway(tmp_path / "gateway", "--control-port", 0)
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"tracing": {"endpoint": collector.url}}))
    service, url = start_service(tmp_path / "data", box, "--config", settings)
    flags = ["--p8", box["keyFile"], "--key-id", box["keyID"], "--team-id", box["teamID"], "--data", tmp_path / "data"]
    app = json.loads(run("app", "create", "--name", "A", "--bundle-id", "com.example.pushlab", *flags, "--json"))
    auth = app["app_key"], app["master_secret"]
    wanted = {"topic": "com.example.pushlab", "environment": "production", "count": 1}
    token = requests.post(f"{box['control']}/tokens", json=wanted, timeout=60).json()["tokens"][0]
    rows = {"devices": [{"registration_id": "r1", "token": token}]}
    requests.post(f"{url}/posthorn/v1/devices/import", json=rows, auth=auth, timeout=60).raise_for_status()
    yield collector, service, url, auth
    service.stop()
    assert gateway.stop() == 0
    collector.shutdown()


def push(url, auth, **headers):
    body = {"platform": "ios", "audience": {"registration_id": ["r1"]}, "notification": {"alert": "Hi"}}
    answer = requests.post(f"{url}/v3/push", json=body, auth=auth, headers=headers, timeout=60)
    answer.raise_for_status()
    return answer


def test_a_push_is_one_trace_from_the_caller_to_apns_and_its_request_id_is_in_the_journey(road):
    collector, service, url, auth = road
    tracer = TracerProvider().get_tracer("caller")
    for number in range(2):
        with tracer.start_as_current_span("shop order") as order:
            headers = {"X-Request-Id": f"order-{number}"}
            TraceContextTextMapPropagator().inject(headers)
            answer = push(url, auth, **headers)
        assert answer.headers["X-Request-Id"] == f"order-{number}"
        message = answer.json()["msg_id"]
        journey = requests.get(f"{url}/posthorn/v1/journeys/{message}/r1", auth=auth, timeout=60).json()
        assert journey["request_id"] == f"order-{number}"
        dispatch = collector.wait_for(1, "of the push", lambda span: span.name == "dispatch" and attributes(span).get("push.id") == message)[0]
        apns = collector.wait_for(1, "below it", lambda span: span.name == "apns" and span.parent_span_id == dispatch.span_id)[0]
        context = order.get_span_context()
        trace = context.trace_id.to_bytes(16, "big")
        request = collector.wait_for(1, "of the request", lambda span: span.span_id == dispatch.parent_span_id)[0]
        assert [request.trace_id, dispatch.trace_id, apns.trace_id] == [trace] * 3
        assert request.parent_span_id == context.span_id.to_bytes(8, "big")
        assert (request.name, request.kind) == ("/v3/push", Span.SPAN_KIND_SERVER)
        assert attributes(request)["http.response.status_code"] == 200
        assert attributes(dispatch)["push.id"] == message
        assert attributes(dispatch)["push.request.id"] == f"order-{number}"
        assert attributes(dispatch)["push.sent"] == 1
        assert apns.parent_span_id == dispatch.span_id and apns.kind == Span.SPAN_KIND_CLIENT
        assert request.start_time_unix_nano <= dispatch.start_time_unix_nano <= apns.start_time_unix_nano
        assert apns.start_time_unix_nano < apns.end_time_unix_nano <= dispatch.end_time_unix_nano
        assert dispatch.status.code == Status.STATUS_CODE_UNSET
    assert collector.services == {"posthorn"}


def tap(portal, phone):
    """Taps the newest notification of a sandbox's phone, which its app then reports."""
    browser = requests.Session()
    form = {"name": portal["user"], "password": portal["password"]}
    page = browser.post(f"{portal['url']}/sign-in", data=form, timeout=60).text
    token = re.search(r'name="csrf" content="(\w+)"', page)[1]
    url = f"{portal['url']}/api/phones/{quote(phone)}/order"
    browser.post(url, json={"order": {"tap": {}}}, headers={"X-CSRF-Token": token}, timeout=60).raise_for_status()


@pytest.mark.one_node("the sandbox is a service of its own")
def test_the_journey_on_a_phone_is_part_of_the_trace(sandbox_with):
    collector = Collector()
    with sandbox_with("--tracing", collector.url) as sandbox:
        api, device = sandbox["api"], sandbox["devices"][0]["registrationID"]
        tracer = TracerProvider().get_tracer("caller")
        with tracer.start_as_current_span("shop order") as order:
            headers = {}
            TraceContextTextMapPropagator().inject(headers)
            production = sandbox["apns"]["environment"] == "production"
            body = {
                "platform": "ios", "audience": {"registration_id": [device]}, "notification": {"alert": "Hi"},
                "options": {"apns_production": production},
            }
            auth = api["appKey"], api["masterSecret"]
            sent = requests.post(f"{api['url']}/v3/push", json=body, auth=auth, headers=headers, timeout=60).json()
        presented = collector.wait(1, "device.presented")[0]
        tap(sandbox["portal"], sandbox["devices"][0]["name"])
        received = collector.wait(1, "gateway.delivered")[0]
        receipt = collector.wait_for(1, "of a receipt", lambda span: span.name.startswith("receipt."))[0]
        request = collector.wait(1, "/v3/push")[0]
    for span in (presented, received, receipt):
        assert span.trace_id == order.get_span_context().trace_id.to_bytes(16, "big")
        assert (span.parent_span_id, span.kind) == (request.span_id, Span.SPAN_KIND_INTERNAL)
        assert (attributes(span)["push.id"], attributes(span)["push.device"]) == (sent["msg_id"], device)
        assert span.start_time_unix_nano >= request.start_time_unix_nano - 1_000_000
    assert attributes(presented)["push.event.how"] in ("banner", "lockScreen", "list")
    collector.shutdown()


def test_an_outage_of_the_collector_costs_no_push_and_no_span(road):
    collector, service, url, auth = road
    collector.status = 503
    for number in range(3):
        assert push(url, auth).status_code == 200
    collector.status = 200
    assert len(collector.wait(3, "dispatch")) == 3
    push(url, auth)
    # What has not been sent yet is sent at the end.
    assert service.stop() == 0
    assert len([span for span in collector.spans if span.name == "/v3/push"]) == 4


@pytest.mark.one_node("the command has an environment of its own")
def test_a_collector_that_is_no_url_is_refused(tmp_path):
    process = Process("serve", "--data", tmp_path, "--port", 0, env={"POSTHORN_TRACING_ENDPOINT": "localhost:4318"}, stderr=-1)
    output = process.process.communicate(timeout=60)[1]
    assert process.process.returncode != 0
    assert "tracing.endpoint" in output and "localhost:4318" in output and "http://127.0.0.1:4318" in output
