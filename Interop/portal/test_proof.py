"""A push from the browser to a phone in the browser and back: an app, its certificate, a tap, the report, the run as a file."""

import json
import pathlib
import subprocess
import time

import confidential
import pytest
from phones import tap_banner
from playwright.sync_api import expect
from processes import BINARY
from visits import sign_in

BUNDLE = "com.example.proof"
PASSWORD = "the secret of the proof's p12"


@pytest.fixture(scope="module")
def certificate(sandbox, tmp_path_factory):
    """A .p12 for development of the proof's app."""
    gateway = pathlib.Path(sandbox["apns"]["ca"]).parent
    file = tmp_path_factory.mktemp("proof") / "development.p12"
    for words in (
        ["appid", "create", BUNDLE],
        [
            "cert", "issue", "--new", "--app-id", BUNDLE, "--environment", "development", "--p12", file,
            "--password", PASSWORD,
        ],
    ):
        subprocess.run([BINARY, *map(str, words), "--data", gateway], check=True, capture_output=True, timeout=120)
    return file


def create_app(page):
    """Creates the app on the first page and opens its own; returns its address."""
    page.wait_for_selector('html[data-ready~="apps"]')
    page.fill("#name", "Proof")
    page.fill("#bundle-id", BUNDLE)
    page.check("input[value=development]")
    page.click("#create button")
    confidential.remember(page.locator("#secret").inner_text(), "the secret of the proof's app")
    page.locator("#apps tbody").get_by_role("link", name="Proof", exact=True).click()
    expect(page.locator("h1")).to_have_text("Proof")
    return page.url


def upload(page, certificate):
    page.wait_for_selector('html[data-ready~="credential"]')
    page.set_input_files("#file", certificate)
    page.fill("#file-password", PASSWORD)
    page.click("#inspect")
    page.click("#store:enabled")
    expect(page.locator("#credentials-result")).to_have_text("The credential is stored.")
    expect(page.locator("#verdict")).to_contain_text("can push to development")


def add_phone(page, portal):
    """Adds a phone with the app, whose user allows notifications."""
    page.goto(portal["url"] + "/phones")
    page.select_option("#system", "17.0")
    page.select_option("#app", label="Proof")
    page.click("#add button")
    page.get_by_role("button", name="Allow", exact=True).click()
    page.locator(".prompt").wait_for(state="detached")
    page.locator("#buttons").get_by_role("button", name="To background").click()
    page.locator(".phone .icon").wait_for()


def await_answer(page, app, path, holds):
    """Waits until what the API answers in the name of the app fulfils a condition."""
    deadline = time.monotonic() + 60
    while True:
        answer = page.request.get(app.replace("/portal/", "/portal/api/") + path)
        if answer.ok and holds(answer.json()):
            return
        assert time.monotonic() < deadline, f"waited in vain for another answer to {path}: {answer.text()}"
        page.wait_for_timeout(100)


def tag_the_device(page, app):
    """Gives the app's only device a tag on its page; returns its registration id."""
    # The phone registers beside what is done on the pages.
    await_answer(page, app, "/posthorn/v1/devices", lambda answer: any(each["token"] for each in answer["devices"]))
    page.goto(app + "/devices")
    page.locator("tbody th a").first.click()
    page.wait_for_selector('html[data-ready~="device"]')
    page.fill("#tag", "proof")
    page.press("#tag", "Enter")
    expect(page.locator("#tags")).to_contain_text("proof")
    return page.url.rsplit("/", 1)[1]


def compose(page, app, text, environment):
    """Sends an alert to the tag; returns the address of the message's page."""
    page.goto(app + "/compose")
    expect(page.locator("#json")).not_to_have_value("")
    page.check(f"input[value={environment}]")
    page.fill("#names-tag", "proof")
    page.press("#names-tag", "Enter")
    expect(page.locator("#count")).to_have_text("1 device")
    page.fill("#f-ios_alert_body", text)
    page.click("#send")
    with page.expect_navigation():
        page.locator("#result a").click()
    return page.url


def test_from_a_new_app_to_the_tap_in_the_report_and_the_run_as_a_file(visit, portal, certificate, tmp_path):
    page = sign_in(visit(), portal)
    app = create_app(page)
    upload(page, certificate)
    phone = page.context.new_page()
    add_phone(phone, portal)
    device = tag_the_device(page, app)

    tap_banner(phone, "Proof of the push")
    message = compose(page, app, "Proof of the push", "development")
    phone.locator(".phone-app", has_text="PushLab").wait_for()
    phone.locator('#timeline tr[data-event="tapped"]').first.wait_for()
    # The message's page follows what the device reports.
    expect(page.locator("#counts tbody tr").first.locator("td").nth(3)).to_have_text("1")
    # The pages that come now are as it is when they are asked for. What a device reports may be noted before that it was sent the push.
    number = message.rsplit("/", 1)[1]
    await_answer(page, app, f"/posthorn/v1/journeys/{number}/{device}", lambda answer: answer["verdict"]["state"] == "opened")
    await_answer(page, app, f"/posthorn/v1/messages/{number}", lambda answer: answer["progress"]["sent"] == 1)
    page.goto(app + "/reports")
    expect(page.locator("#pushes tfoot td")).to_have_text(["1", "1", "1", "1", "1"])
    page.goto(f"{message}/devices/{device}")
    expect(page.locator(".verdict")).to_contain_text("Opened")

    # The phone has a development build, so nothing can reach it in production.
    wrong = compose(page, app, "To the other environment", "production")
    expect(page.locator("#outcomes")).to_contain_text("registered in another APNs environment")
    page.goto(f"{wrong}/devices/{device}")
    expect(page.locator(".verdict")).to_contain_text("Suppressed")

    replay(phone, portal, tmp_path / "run.json")


def replay(phone, portal, file):
    """Exports the phone's run and steps to the banner, and to the app that the tap opened."""
    with phone.expect_download() as download:
        phone.click("#export")
    download.value.save_as(file)
    entries = json.loads(file.read_text())["entries"]
    phone.goto(portal["url"] + "/replay")
    phone.set_input_files("#file", file)
    step = 1 + next(index for index, each in enumerate(entries) if each["event"] == "bannerShown")
    phone.locator(f"#timeline tr:nth-child({step})").click()
    expect(phone.locator(".banner-layer")).to_contain_text("Proof of the push")
    phone.locator(f"#timeline tr:nth-child({len(entries)})").click()
    expect(phone.locator(".phone-app")).to_contain_text("PushLab")
