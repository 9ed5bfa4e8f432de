"""The console of `posthorn gateway --console` in a real browser, with pushes over HTTP/2."""

import json
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from gateways import start
from playwright.sync_api import expect
from processes import Process
from visits import no_serious_findings, no_sideways_scroll

MARKUP = '<img src=x onerror="document.title=1"><b>bold</b>'


class Provider:
    """Pushes to a gateway."""

    def __init__(self, gateway):
        self.gateway = gateway

    def push(self, payload, token=None, **headers):
        headers = self.gateway.fields | {name.replace("_", "-"): value for name, value in headers.items()}
        content = payload if isinstance(payload, str) else json.dumps(payload)
        with httpx.Client(http2=True, verify=self.gateway.context(), timeout=30) as client:
            return client.post(self.gateway.url(token), headers=headers, content=content)


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    process, gateway = start(tmp_path_factory.mktemp("console"), "--console", tokens=3)
    yield gateway
    assert process.stop() == 0


@pytest.fixture
def provider(gateway):
    yield Provider(gateway)
    httpx.delete(gateway.facts["control"] + "/faults", timeout=30)


@pytest.fixture
def console(visit, gateway):
    """A function that opens a page of the console."""

    def open_page(query="", **options):
        page = visit(**options)
        page.goto(gateway.facts["console"] + query)
        return page

    return open_page


def row(page, text):
    return page.locator("table.pushes tbody tr", has_text=text)


def test_a_push_appears_live_and_opens_with_headers_and_payload(console, provider):
    page = console()
    page.get_by_text("Live", exact=True).wait_for()
    alert = {"title": "Order 1207", "body": "Two minutes"}
    assert provider.push({"aps": {"alert": alert}, "order": {"id": 1207}}, apns_collapse_id="order-1207").status_code == 200
    page.get_by_role("link", name="Order 1207 — Two minutes").click()
    detail = page.locator("#detail")
    detail.get_by_text("200 accepted").wait_for()
    assert '  "order": {\n    "id": 1207\n  }' in detail.locator("pre").inner_text()
    assert detail.locator("tr", has_text="apns-collapse-id").locator("td").inner_text() == "order-1207"
    assert "Waits for its device." in detail.inner_text()
    # A provider token is a secret.
    assert provider.gateway.authorization.split()[-1] not in page.content()
    # It opens again by its address, and closes.
    page.reload()
    detail.get_by_text("200 accepted").wait_for()
    page.get_by_role("link", name="Close").click()
    detail.wait_for(state="hidden")
    page.go_back()
    detail.get_by_text("200 accepted").wait_for()


def test_a_refusal_shows_the_reason_with_advice(console, provider):
    provider.push({"aps": {"alert": "Refused"}}, token=provider.gateway.read("otherEnvironment"))
    page = console()
    row(page, "Refused").get_by_role("link").click()
    page.locator("#detail").get_by_text("400 BadDeviceToken").wait_for()
    assert "belongs to the other environment" in page.locator("#detail").inner_text()


def test_search_finds_by_each_condition_and_stays_live(console, provider):
    wanted, other = provider.gateway.tokens[1], provider.gateway.tokens[2]
    provider.push({"aps": {"alert": "Soup & bread"}}, token=wanted, apns_collapse_id="lunch")
    provider.push({"aps": {"alert": "Cake"}}, token=other)
    page = console()
    page.get_by_label("Text in the payload").fill("Soup & b")
    page.get_by_role("button", name="Search").click()
    # The page before has this row, too.
    page.wait_for_url(re.compile("text=Soup"))
    row(page, "Soup & bread").wait_for()
    assert row(page, "Cake").count() == 0
    provider.push({"aps": {"alert": "Cake again"}}, token=other)
    provider.push({"aps": {"alert": "More Soup & bread"}}, token=wanted)
    row(page, "More Soup & bread").wait_for()
    assert row(page, "Cake").count() == 0
    page.get_by_text("More conditions").click()
    page.get_by_label("Text in the payload").fill("")
    page.get_by_label("Device token").fill(wanted)
    page.get_by_label("apns-collapse-id").fill("lunch")
    page.get_by_label("Status").fill("200")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url(re.compile("collapse-id=lunch"))
    assert page.locator("table.pushes tbody tr").count() == 1
    page.get_by_role("link", name="Show all").click()
    row(page, "Cake again").wait_for()


def test_a_fault_is_set_and_cleared_by_click(console, provider):
    page = console("?view=faults")
    page.get_by_text("No fault is set.").wait_for()
    page.get_by_role("button", name="503 ServiceUnavailable").click()
    page.get_by_text("reason ServiceUnavailable").wait_for()
    answer = provider.push({"aps": {"alert": "Stopped by the fault"}})
    assert (answer.status_code, answer.json()["reason"]) == (503, "ServiceUnavailable")
    # It happened once, which the page notices.
    page.get_by_text("No fault is set.").wait_for()
    assert provider.push({"aps": {"alert": "Next"}}).status_code == 200
    page.get_by_label("What happens").select_option("answer")
    page.locator("#fault-reason").select_option("TooManyRequests")
    page.locator("#next").fill("2")
    page.locator("#fault-token").fill(provider.gateway.tokens[1])
    page.get_by_role("button", name="Set the fault").click()
    page.get_by_text("next 2").wait_for()
    assert provider.push({"aps": {"alert": "Another token"}}).status_code == 200
    assert provider.push({"aps": {"alert": "This token"}}, token=provider.gateway.tokens[1]).status_code == 429
    # That it was carried out once is shown by another row.
    expect(page.locator("[data-merge=faults] tbody td").nth(3)).to_have_text("1")
    page.get_by_role("button", name="Clear fault").click()
    page.get_by_text("No fault is set.").wait_for()
    assert provider.push({"aps": {"alert": "Cleared"}}, token=provider.gateway.tokens[1]).status_code == 200
    shown = console()
    assert "503 ServiceUnavailable" in row(shown, "Stopped by the fault").inner_text()


def test_provider_tokens_are_limited_by_click(console, provider):
    page = console("?view=faults")
    page.get_by_label("What happens").select_option("providerTokens")
    page.locator("#provider-tokens").fill("1")
    page.get_by_role("button", name="Set the fault").click()
    page.get_by_text("limit 1").wait_for()
    answers = [provider.push({"aps": {"alert": "Signed"}}, authorization=provider.gateway.signed("production")) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert answers[1].json() == {"reason": "TooManyProviderTokenUpdates"}


def test_a_fault_for_the_token_of_a_push(console, provider):
    provider.push({"aps": {"alert": "To fail"}}, token=provider.gateway.tokens[2])
    page = console()
    row(page, "To fail").first.get_by_role("link").click()
    page.get_by_role("link", name="Set a fault for this token").click()
    page.wait_for_url(re.compile("view=faults"))
    # The page's script is ready.
    page.get_by_text("Live", exact=True).wait_for()
    page.get_by_role("button", name="410 Unregistered").click()
    page.locator("[data-merge=faults] tr", has_text=f"token {provider.gateway.tokens[2]}").wait_for()
    assert provider.push({"aps": {"alert": "Fine"}}).status_code == 200
    assert provider.push({"aps": {"alert": "Gone"}}, token=provider.gateway.tokens[2]).status_code == 410


def test_a_wrong_fault_is_explained(console, provider):
    page = console("?view=faults")
    page.locator("#fault-token").fill("xyz")
    page.get_by_role("button", name="Set the fault").click()
    page.locator("#result.problem", has_text="Key 'token' is 'xyz'").wait_for()


def test_markup_is_text(console, provider):
    provider.push({"aps": {"alert": MARKUP}}, apns_collapse_id="<i>x</i>", apns_topic="<script>1</script>")
    provider.push({"aps": {"alert": MARKUP}})
    page = console()
    assert row(page, MARKUP).count() == 2
    row(page, MARKUP).last.get_by_role("link").click()
    page.locator("#detail tr", has_text="<i>x</i>").wait_for()
    assert page.locator("main img, main script, main b, main i").count() == 0
    assert page.title().startswith("Pushes")
    # In the address too.
    page = console("?text=%22%3E%3Cimg%20src%3Dx%3E&view=pushes&push=%3Cb%3E")
    assert page.get_by_label("Text in the payload").input_value() == '"><img src=x>'
    assert page.locator("main img, main b").count() == 0


@pytest.fixture
def stranger(tmp_path):
    """A page of another site, which even is on this machine."""
    (tmp_path / "index.html").write_text("<!DOCTYPE html><title>Elsewhere</title>")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_another_sites_page_can_neither_set_faults_nor_read(visit, gateway, stranger):
    control = gateway.facts["control"]
    page = visit()
    page.goto(stranger)
    outcome = page.evaluate(
        """async (control) => {
            const ask = (path, options) => fetch(control + path, options).then((r) => r.type, () => "refused");
            const body = '{"kind":"answer","reason":"TooManyRequests"}';
            return [
                await ask("/faults", { method: "POST", body, headers: { "Content-Type": "application/json" } }),
                await ask("/faults", { method: "POST", body, mode: "no-cors" }),
                await ask("/faults", { method: "DELETE" }), await ask("/pushes"), await ask("/console"),
            ];
        }""",
        control,
    )
    assert outcome == ["refused", "opaque", "refused", "refused", "refused"]
    # What is opaque was sent, and refused by the gateway.
    assert httpx.get(control + "/faults", timeout=30).json() == {"faults": []}


def test_connections_tokens_and_keys(console, provider):
    gateway = provider.gateway
    with httpx.Client(http2=True, verify=gateway.context(), timeout=30) as client:
        client.post(gateway.url(), headers=gateway.fields, content='{"aps":{"alert":"Open"}}')
        page = console("?view=connections")
        # Those of other tests have ended.
        expect(page.get_by_role("button", name="Close connection")).to_have_count(1)
        page.get_by_role("button", name="Close connection").click()
        page.get_by_text("No provider is connected.").wait_for()
    page = console("?view=tokens")
    page.locator("#issue-topic").fill("com.example.new")
    page.get_by_role("button", name="Issue a token").click()
    issued = page.locator("tr", has_text="com.example.new")
    issued.get_by_role("button", name="Unregister").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert issued.get_by_text("valid", exact=True).count() == 1
    issued.get_by_role("button", name="Unregister").click()
    page.get_by_role("button", name="Yes, go on").click()
    issued.get_by_text("unregistered", exact=True).wait_for()
    page = console("?view=keys")
    page.locator("tr", has_text=gateway.facts["keyID"]).get_by_text(gateway.facts["teamID"]).wait_for()
    for name, other in [("topic", "related"), ("related", "topic")]:
        cell = page.locator("td:first-child", has_text=gateway.read(f"{name}KeyID"))
        shown = page.locator("tr", has=cell).inner_text()
        assert gateway.topic in shown and f"related key {gateway.read(f'{other}KeyID')}" in shown
    private = (gateway.folder / "key.p8").read_text().splitlines()[1]
    assert private not in page.content()


def test_pause_holds_the_list_still(console, provider):
    page = console()
    page.get_by_role("button", name="Pause").click()
    page.get_by_text("Paused", exact=True).wait_for()
    provider.push({"aps": {"alert": "While it was paused"}})
    page.get_by_role("button", name="Resume").click()
    row(page, "While it was paused").wait_for()


def test_a_gateway_that_was_started_again_is_followed(visit, tmp_path):
    process, gateway = start(tmp_path, "--console", "--mail", "disk", tokens=1)
    control = gateway.facts["control"]
    page = visit()
    page.goto(gateway.facts["console"])
    Provider(gateway).push({"aps": {"alert": "Before"}})
    row(page, "Before").wait_for()
    assert process.stop() == 0
    page.get_by_text("The gateway does not answer. Trying again.").wait_for()
    process, gateway = start(
        tmp_path, "--console", "--mail", "disk", "--control-port", control.rsplit(":", 1)[1], tokens=1
    )
    assert gateway.facts["control"] == control
    page.get_by_text("Live", exact=True).wait_for()
    assert row(page, "Before").count() == 0
    Provider(gateway).push({"aps": {"alert": "After"}})
    row(page, "After").wait_for()
    assert process.stop() == 0


def test_both_languages(console, provider):
    provider.push({"aps": {"alert": "Wrong"}}, token=provider.gateway.read("unregistered"))
    page = console(locale="zh-CN")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    page.get_by_role("heading", name="推送").first.wait_for()
    row(page, "Wrong").first.get_by_role("link").click()
    page.locator("#detail").get_by_text("410 Unregistered").wait_for()
    assert "device token 对该 topic 已失效" in page.locator("#detail").inner_text()
    page.get_by_role("link", name="English").click()
    page.get_by_role("heading", name="Pushes").wait_for()
    # The choice lasts.
    page.get_by_role("link", name="Faults").click()
    page.get_by_role("heading", name="Faults", exact=True).wait_for()


@pytest.mark.parametrize("view", ["", "?push=1", "?view=faults", "?view=connections", "?view=tokens", "?view=keys"])
def test_pages_are_accessible_and_fit_a_phone(console, provider, view):
    provider.push({"aps": {"alert": "A long line " * 30}, "x": "y" * 300})
    for options in ({"color_scheme": "light"}, {"color_scheme": "dark", "viewport": {"width": 390, "height": 800}}):
        page = console(view, **options)
        page.locator("h1").wait_for()
        no_serious_findings(page)
        no_sideways_scroll(page)


def test_it_shows_without_scripts(console, provider):
    provider.push({"aps": {"alert": "Plain"}})
    page = console("?text=Plain", java_script_enabled=False)
    page.get_by_role("link", name="Plain").first.click()
    page.locator("#detail").get_by_text("200 accepted").wait_for()
    page.get_by_role("link", name="Faults").click()
    page.get_by_role("heading", name="Faults", exact=True).wait_for()


def test_a_token_is_asked_for_as_a_password(visit, tmp_path):
    process, gateway = start(tmp_path, "--console", "--control-token", "a token to guess", tokens=1)
    assert httpx.get(gateway.facts["console"], timeout=30).status_code == 401
    page = visit(http_credentials={"username": "anyone", "password": "a token to guess"})
    page.goto(gateway.facts["console"] + "?view=faults")
    page.get_by_role("button", name="GOAWAY").first.click()
    page.get_by_text("reason Shutdown").wait_for()
    assert process.stop() == 0


def test_without_the_flag_there_is_none(tmp_path):
    process, gateway = start(tmp_path, "--control-port", 0, tokens=1)
    assert gateway.facts["console"] is None
    assert httpx.get(gateway.facts["control"] + "/console", timeout=30).status_code == 404
    assert process.stop() == 0


def test_the_address_is_told_in_words_too(tmp_path):
    process = Process("gateway", "--port", 0, "--data", tmp_path / "data", "--console")
    told = process.line(lambda line: line.startswith("Console"))
    assert re.fullmatch(r"Console     http://127\.0\.0\.1:\d+/console", told)
    assert httpx.get(told.split()[1], timeout=30).status_code == 200
    assert process.stop() == 0


def test_the_sandbox_has_one(visit, fresh_sandbox):
    """Other tests have added phones to the sandbox that they share."""
    page = visit()
    page.goto(fresh_sandbox["apns"]["console"] + "?view=connections")
    expect(page.locator("[data-merge=devices] tbody tr")).to_have_count(2)
