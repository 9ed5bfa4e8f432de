"""Apps and their credentials in a browser: created, uploaded, tried, explained, removed."""

import json
import pathlib
import re
import subprocess

import confidential
import pytest
import requests
from playwright.sync_api import expect
from processes import BINARY, Process
from visits import create_user, no_serious_findings, no_sideways_scroll, operate, sign_in, stored

BUNDLE = "com.example.portal"
PASSWORD = "secret of a p12"


def posthorn(*words):
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    return done.stdout


@pytest.fixture(scope="module")
def viewer(browser, sandbox, fresh_sign_in):
    return create_user(browser, sandbox["portal"], fresh_sign_in(), "apps-viewer", "viewer", "reads-only-apps")


@pytest.fixture(scope="module")
def certificates(sandbox, tmp_path_factory):
    """A .p12 for each environment, and one of another app, made with `posthorn cert` at the sandbox's gateway."""
    gateway = pathlib.Path(sandbox["apns"]["ca"]).parent
    folder = tmp_path_factory.mktemp("certificates")
    found = {}
    for app in (BUNDLE, "com.example.elsewhere"):
        posthorn("appid", "create", app, "--data", gateway)
    for name, app, environment in (
        ("development", BUNDLE, "development"), ("both", BUNDLE, "both"), ("elsewhere", "com.example.elsewhere", "both"),
    ):
        found[name] = folder / f"{name}.p12"
        posthorn(
            "cert", "issue", "--new", "--app-id", app, "--environment", environment, "--p12", found[name],
            "--password", PASSWORD, "--data", gateway,
        )
    return found


def show_new_app(page, portal):
    """Leads the page to a new app without credentials."""
    page.goto(portal["url"])
    made = operate(page, portal, "app.create", {"name": "Portal", "bundle_id": BUNDLE, "environment": "development"})
    confidential.remember_members(made, "an app made by a test of the portal")
    page.goto(f"{portal['url']}/apps/{made['app_key']}")
    page.wait_for_selector('html[data-ready~="app"][data-ready~="credential"]')
    return page


@pytest.fixture
def app(visit, administrator, portal):
    return show_new_app(visit(storage_state=administrator), portal)


def read(page, file, password=PASSWORD, environment=""):
    page.set_input_files("#file", file)
    page.fill("#file-password", password)
    page.select_option("#for-environment", environment)
    page.click("#inspect")


def test_an_app_is_created_and_its_secret_shown_once(visit, administrator, portal, sandbox):
    page = visit(storage_state=administrator)
    page.goto(portal["url"])
    page.wait_for_selector('html[data-ready~="apps"]')
    name = "<img src=x onerror=alert(1)> Shop"
    page.fill("#name", name)
    page.fill("#bundle-id", "com.example.shop")
    page.check("input[value=development]")
    page.click("#create button")
    secret = page.locator("#secret").inner_text()
    confidential.remember(secret, "the secret of an app made in the portal")
    key = page.locator("#created .facts code").inner_text()
    answer = requests.get(f"{sandbox['api']['url']}/posthorn/v1/app", auth=(key, secret), timeout=30).json()
    assert (answer["name"], answer["bundle_id"], answer["environment"]) == (name, "com.example.shop", "development")
    row = page.locator("#apps tbody tr", has_text=key)
    expect(row.locator("th")).to_have_text(name)
    expect(row).to_contain_text("No credential yet")
    no_serious_findings(page)
    page.reload()
    assert secret not in page.content()
    page.get_by_role("link", name=name).first.click()
    expect(page.locator("h1")).to_have_text(name)
    expect(page.locator("#verdict")).to_contain_text("cannot push to development: it has no credential")


def test_an_app_that_asks_for_proofs_shows_its_alias_key_once(visit, administrator, portal, sandbox):
    page = visit(storage_state=administrator)
    page.goto(portal["url"])
    page.wait_for_selector('html[data-ready~="apps"]')
    page.fill("#name", "Proofs")
    page.fill("#bundle-id", "com.example.proofs")
    page.check("input[value=proved]")
    page.click("#create button")
    secret = page.locator("#secret").inner_text()
    confidential.remember(secret, "the secret of an app made in the portal")
    key = page.locator("#created .facts code").inner_text()

    def settings():
        return requests.get(f"{sandbox['api']['url']}/posthorn/v1/app", auth=(key, secret), timeout=30).json()

    assert (settings()["aliases"], settings()["has_alias_key"]) == ("proved", False)
    page.goto(f"{portal['url']}/apps/{key}")
    page.wait_for_selector('html[data-ready~="app"]')
    expect(page.locator("#alias-policy")).to_have_value("proved")
    page.fill("#protected-tags", "role=")
    page.click("#aliases .primary")
    expect(page.locator("#aliases-result")).to_contain_text("needs the alias key")
    assert settings()["protected_tags"] == "role="
    page.get_by_role("button", name="Make the alias key").click()
    shown = page.locator("#alias-key-value")
    expect(shown).to_have_text(re.compile("^[0-9a-f]{64}$"))
    first = shown.inner_text()
    confidential.remember(first, "the alias key of an app made in the portal")
    page.click("#alias-key")
    page.get_by_role("dialog").get_by_role("button", name="Replace the alias key").click()
    expect(shown).not_to_have_text(first)
    confidential.remember(shown.inner_text(), "the alias key of an app made in the portal")
    no_serious_findings(page)
    page.reload()
    page.wait_for_selector('html[data-ready~="app"]')
    assert first not in page.content()
    expect(page.locator("#alias-key")).to_have_text("Replace the alias key")
    page.select_option("#alias-policy", "anyone")
    page.click("#aliases .primary")
    expect(page.locator("#aliases-result")).to_have_text("Saved.")
    assert settings()["aliases"] == "anyone"


def test_no_apps_yet_goes_with_the_first_app(visit, tmp_path):
    password = "the-password-of-an-empty-service"
    confidential.remember(password, "the password of an empty service")
    file = tmp_path / "password"
    file.write_text(password)
    posthorn("user", "create", "ana", "--role", "admin", "--password-file", file, "--data", tmp_path / "data")
    service = Process("serve", "--data", tmp_path / "data", "--port", 0)
    url = service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    page = sign_in(visit(), {"url": f"{url}/portal"}, "ana", password)
    page.wait_for_selector('html[data-ready~="apps"]')
    expect(page.get_by_text("No apps yet")).to_be_visible()
    page.fill("#name", "First")
    page.fill("#bundle-id", "com.example.first")
    page.click("#create button")
    confidential.remember(page.locator("#secret").inner_text(), "the secret of an app made in the portal")
    expect(page.locator("#apps tbody tr")).to_have_count(1)
    expect(page.get_by_text("No apps yet")).to_have_count(0)
    assert service.stop() == 0


def test_the_secret_can_be_copied(visit, administrator, portal):
    page = visit(storage_state=administrator, permissions=["clipboard-read", "clipboard-write"])
    page.goto(portal["url"])
    page.wait_for_selector('html[data-ready~="apps"]')
    page.fill("#name", "To copy")
    page.fill("#bundle-id", "com.example.copy")
    page.click("#create button")
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#created [role=status]")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    confidential.remember(copied, "the secret of an app made in the portal")
    assert copied == page.locator("#secret").inner_text()


def test_a_wrong_bundle_id_is_refused_in_the_words_of_the_service(visit, administrator, portal):
    page = visit(storage_state=administrator)
    page.goto(portal["url"])
    page.wait_for_selector('html[data-ready~="apps"]')
    page.fill("#name", "Wrong")
    page.fill("#bundle-id", "x")
    page.evaluate("document.getElementById('bundle-id').removeAttribute('pattern')")
    page.fill("#bundle-id", "com example")
    page.click("#create button")
    expect(page.locator("#create-result")).to_contain_text("expected letters, digits, '-' and '.'")


def test_a_p12_is_read_stored_and_tried(app, certificates):
    read(app, certificates["development"], password="something else")
    problem = app.locator("#add-problem")
    expect(problem).to_have_text("The pass phrase does not open the PKCS#12 bundle.")
    expect(app.locator("#store")).to_be_disabled()

    app.fill("#file-password", PASSWORD)
    expect(problem).to_be_hidden()
    app.click("#inspect")
    facts = app.locator("#read")
    expect(facts).to_contain_text(f"Apple Development IOS Push Services: {BUNDLE}")
    expect(facts.locator(".environment")).to_have_text(["Development"])
    expect(facts).to_contain_text(re.compile(r"\d+ days left"))
    expect(facts).to_contain_text("The app can use it.")
    expect(app.locator("#credentials tbody tr")).to_have_count(0)

    app.click("#store")
    expect(app.locator("#credentials-result")).to_have_text("The credential is stored.")
    row = app.locator("#credentials tbody tr")
    expect(row).to_contain_text(BUNDLE)
    expect(row).to_contain_text("In use")
    expect(app.locator("#verdict")).to_contain_text("can push to development; the certificate ends in")
    expect(app.locator("#verdict")).to_contain_text("cannot push to production")
    trial = app.locator("#trial tbody tr")
    expect(trial).to_have_count(2)
    expect(trial.filter(has_text="Development").first).to_contain_text("Works")
    expect(trial.filter(has_text="Production").first).to_contain_text("Does not work")
    no_serious_findings(app)


def test_the_wrong_environment_is_explained(app, certificates):
    read(app, certificates["development"], environment="production")
    expect(app.locator("#read .problem")).to_contain_text(
        "The certificate is for development and cannot be used for production. Export the certificate for production"
    )
    expect(app.locator("#store")).to_be_disabled()


def test_the_certificate_of_another_app_is_read_and_explained(app, certificates):
    read(app, certificates["elsewhere"])
    expect(app.locator("#read .facts")).to_contain_text("com.example.elsewhere")
    expect(app.locator("#read .problem")).to_contain_text(
        f"The certificate is for 'com.example.elsewhere', and the app's bundle id is '{BUNDLE}'."
    )


@pytest.mark.parametrize(
    "name,content,is_sent,sentence",
    [
        ("picture.p12", b"a picture", True, "cannot be read|is not|neither"),
        # The page refuses these by their sizes.
        ("empty.p12", b"", False, "is empty"),
        ("film.p12", b"A" * (300 * 1024), False, "has 307200 bytes; a key or certificate has a few thousand"),
    ],
)
def test_a_file_that_is_no_credential_is_refused(app, name, content, is_sent, sentence):
    app.set_input_files("#file", {"name": name, "mimeType": "application/x-pkcs12", "buffer": content})
    if is_sent:
        app.click("#inspect")
    expect(app.locator("#add-problem")).to_contain_text(re.compile(sentence))
    expect(app.locator("#store")).to_be_disabled()


def test_a_p8_is_dropped_and_its_key_id_guessed(app, sandbox):
    key = pathlib.Path(sandbox["apns"]["keyFile"])
    transfer = app.evaluate_handle(
        """([name, text]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], name));
            return transfer;
        }""",
        [key.name, key.read_text()],
    )
    app.dispatch_event("#drop", "dragover", {"dataTransfer": transfer})
    expect(app.locator("#drop")).to_have_class("drop over")
    app.dispatch_event("#drop", "drop", {"dataTransfer": transfer})
    expect(app.locator("#key-id")).to_have_value("LOCALKEY01")
    app.fill("#team-id", "POSTHORN01")
    app.click("#inspect")
    expect(app.locator("#read")).to_contain_text("LOCALKEY01")
    expect(app.locator("#read .environment")).to_have_count(0)  # The file of a key does not say it.
    app.click("#store")
    expect(app.locator("#credentials tbody th")).to_have_text("Key (p8) LOCALKEY01")
    result = app.locator("#credentials-result")
    # The sandbox's team has other apps.
    expect(result).to_contain_text("APNs refuses it in development: TopicDisallowed. APNs refuses it in production: TopicDisallowed.")
    expect(app.locator("#verdict")).to_contain_text("cannot push to development: APNs refuses credential")
    expect(app.locator("#sends tbody tr")).to_have_count(6)
    assert all("LOCALKEY01" in row for row in app.locator("#sends tbody tr").all_text_contents())


def test_a_certificate_beside_a_key_is_for_what_the_form_says(app, sandbox, certificates):
    app.set_input_files("#file", sandbox["apns"]["keyFile"])
    app.fill("#team-id", "POSTHORN01")
    app.click("#inspect")
    app.click("#store")
    rows = app.locator("#credentials tbody tr")
    expect(rows).to_have_count(1)
    app.set_input_files("#file", certificates["both"])
    app.fill("#file-password", PASSWORD)
    app.select_option("#for-environment", "production")
    app.fill("#for-topics", f"{BUNDLE}.voip, {BUNDLE}")
    app.click("#inspect")
    app.click("#store")
    expect(rows).to_have_count(2)
    sends = app.locator("#sends tbody tr")
    expect(sends.filter(has_text="Production").first).to_contain_text(BUNDLE)
    assert sum("LOCALKEY01" in row for row in sends.all_text_contents()) == 3
    # In the place of the certificate, and for all that it opens: what APNs has refused to the key goes out with it.
    number = rows.nth(1).locator("td").first.inner_text()
    app.set_input_files("#file", certificates["both"])
    app.fill("#file-password", PASSWORD)
    app.select_option("#replace", number)
    app.click("#inspect")
    app.click("#store")
    expect(rows.nth(1).locator("td").first).not_to_have_text(number)
    expect(rows).to_have_count(2)
    # APNs was not asked about calls and Live Activities.
    expect(sends.filter(has_text="LOCALKEY01")).to_have_count(4)
    expect(app.locator("#verdict")).to_contain_text("can push to production; the certificate ends in")
    no_serious_findings(app)


def test_the_password_is_asked_again_for_a_credential(visit, browser, certificates, portal):
    """The first attempt meets a session whose password was given long ago. Giving it ends the administrator, so it is one of its own."""
    app = show_new_app(visit(storage_state=stored(browser, portal)), portal)
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        body = {"error": {"code": "authenticate_again", "message": "Enter your password again."}}
        route.fulfill(status=403, content_type="application/json", body=json.dumps(body))

    app.route("**/operator/credential.add", refuse, times=1)
    read(app, certificates["both"])
    app.click("#store")
    dialog = app.get_by_role("dialog")
    dialog.locator("#again").fill("not the password")
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog.locator(".problem")).to_have_text("The name or the password is wrong.")
    dialog.locator("#again").fill(portal["password"])
    dialog.get_by_role("button", name="Confirm").click()
    expect(app.locator("#credentials tbody tr")).to_have_count(1)
    assert len(asked) == 1


def test_a_credential_is_removed_after_a_confirmation(app, certificates):
    read(app, certificates["both"])
    app.click("#store")
    rows = app.locator("#credentials tbody tr")
    expect(rows).to_have_count(1)
    app.get_by_role("button", name=re.compile(f"Remove.*{BUNDLE}")).click()
    app.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(rows).to_have_count(1)
    app.get_by_role("button", name=re.compile(f"Remove.*{BUNDLE}")).click()
    expect(app.get_by_role("dialog")).to_contain_text(f"Remove {BUNDLE}?")
    app.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(app.locator("#credentials-result")).to_have_text("The credential is removed.")
    expect(rows).to_have_count(0)
    expect(app.locator("#verdict")).to_contain_text("cannot push to production")


def test_the_environment_and_quiet_hours_are_kept(app):
    app.check("#environment input[value=production]")
    expect(app.locator("#environment-result")).to_contain_text("Pushes now go to Production")
    app.fill("#quiet-from", "22:00")
    app.fill("#quiet-to", "07:00")
    app.fill("#quiet-zone", "Asia/Nowhere")
    app.click("#quiet .primary")
    expect(app.locator("#quiet-result")).to_contain_text("Asia/Nowhere")
    app.fill("#quiet-zone", "Asia/Shanghai")
    app.click("#quiet .primary")
    expect(app.locator("#quiet-result")).to_have_text("Saved.")
    app.reload()
    app.wait_for_selector('html[data-ready~="app"]')
    expect(app.locator("#environment input[value=production]")).to_be_checked()
    expect(app.locator("#quiet-from")).to_have_value("22:00")
    expect(app.locator("#quiet-zone")).to_have_value("Asia/Shanghai")
    app.click("#quiet-remove")
    expect(app.locator("#quiet-result")).to_have_text("The app has no quiet hours now.")


def test_an_app_is_renamed_gets_another_secret_and_is_deleted_by_its_name(app, portal, sandbox):
    name = "<b>Renamed</b>"
    app.fill("#app-name", "  ")
    app.click("#rename .primary")
    expect(app.locator("#rename-result")).to_contain_text("empty")
    app.fill("#app-name", name)
    app.click("#rename .primary")
    expect(app.locator("#rename-result")).to_have_text("Saved.")
    expect(app.locator("h1")).to_have_text(name)
    key = app.url.rsplit("/", 1)[-1]

    def status(secret):
        return requests.get(f"{sandbox['api']['url']}/posthorn/v1/app", auth=(key, secret), timeout=30).status_code

    def rotate(overlap):
        app.select_option("#overlap", overlap)
        app.click("#rotate button:not([type])")
        app.get_by_role("dialog").get_by_role("button", name="New master secret").click()
        return app.locator("#secret")

    secret = rotate("86400").inner_text()
    confidential.remember(secret, "a secret that was rotated in the portal")
    assert status(secret) == 200
    expect(app.locator("#former")).to_contain_text("is valid until")
    no_serious_findings(app)
    app.click("#former-end")
    expect(app.locator("#former")).to_be_hidden()
    rotate("0")
    expect(app.locator("#secret")).not_to_have_text(secret)
    newest = app.locator("#secret").inner_text()
    confidential.remember(newest, "a secret that was rotated in the portal")
    assert (status(secret), status(newest)) == (401, 200)
    app.click("#delete-app")
    dialog = app.get_by_role("dialog")
    expect(dialog.locator("#goes tr")).to_have_count(9)
    no_serious_findings(app)
    dialog.locator("#delete-name").fill("Renamed")
    dialog.get_by_role("button", name="Delete app").click()
    expect(app.locator("#delete-result")).to_contain_text("is not the name of")
    assert status(newest) == 200
    app.click("#delete-app")
    app.get_by_role("dialog").locator("#delete-name").fill(name)
    app.get_by_role("dialog").get_by_role("button", name="Delete app").click()
    app.wait_for_url(portal["url"])
    assert status(newest) == 401


def test_an_app_can_be_strict(app):
    app.check("#strict")
    expect(app.locator("#strict-result")).to_have_text("Saved.")
    app.reload()
    expect(app.locator("#strict")).to_be_checked()


def test_the_doctor_says_what_is_wrong_and_what_to_do(app):
    app.click("#doctor")
    wrong = app.locator("#findings tbody tr", has_text="Wrong").first
    expect(wrong).to_contain_text("credential")
    expect(wrong.locator("p")).to_have_count(2)
    no_serious_findings(app)


def test_the_app_page_speaks_chinese(visit, administrator, portal, certificates):
    page = show_new_app(visit(storage_state=administrator, locale="zh-CN"), portal)
    expect(page.locator("#verdict")).to_have_text(
        "App 不能向开发环境推送：没有该环境的凭证。App 不能向生产环境推送：没有该环境的凭证。请在“添加凭证”中添加。"
    )
    read(page, certificates["development"], password="something else")
    expect(page.locator("#add-problem")).to_have_text("密码打不开该文件。请填写导出时设置的密码。")
    read(page, certificates["elsewhere"])
    expect(page.locator("#read .problem")).to_contain_text(f"该证书属于“com.example.elsewhere”，而 App 的 Bundle ID 是“{BUNDLE}”。")
    read(page, certificates["development"], environment="production")
    expect(page.locator("#read .problem")).to_contain_text("该证书用于开发环境，不能用于生产环境。")
    read(page, certificates["development"])
    page.click("#store")
    expect(page.locator("#verdict")).to_contain_text(re.compile(r"App 可以向开发环境推送；证书将在 \d+ 天后到期。"))
    trial = page.locator("#trial tbody tr")
    expect(trial.first).to_contain_text("接受该凭证用于“com.example.portal”")
    expect(trial.last).to_contain_text("App 没有生产环境的凭证。请在“添加凭证”中添加。")
    page.click("#doctor")
    findings = page.locator("#findings tbody tr")
    expect(findings.first).to_be_visible()
    for text in findings.locator("td:last-child").all_inner_texts():
        assert re.search("[\u4e00-\u9fff]", text), text
        assert "posthorn " not in text, text


def test_a_viewer_sees_and_changes_nothing(visit, viewer, portal, sandbox):
    page = visit(storage_state=viewer)
    page.goto(portal["url"])
    expect(page.get_by_role("link", name="PushLab")).to_be_visible()
    expect(page.locator("#create")).to_have_count(0)
    page.goto(f"{portal['url']}/apps/{sandbox['api']['appKey']}")
    expect(page.locator("#credentials")).to_contain_text("LOCALKEY01")
    for hidden in ("#add", "#environment", "#quiet", "[data-remove]", "#try", "#doctor"):
        expect(page.locator(hidden)).to_have_count(0)
    token = page.locator('meta[name="csrf"]').get_attribute("content")
    answer = page.request.post(
        f"{portal['url']}/api/operator/app.set", data={"app": sandbox["api"]["appKey"], "environment": "production"},
        headers={"X-CSRF-Token": token},
    )
    assert answer.status == 403


@pytest.mark.parametrize("path", ["", "/apps/{app}"])
@pytest.mark.parametrize(
    "role, options",
    [
        # The pages of viewers have fewer controls than the others.
        ("viewer", {"locale": "zh-CN", "color_scheme": "dark", "viewport": {"width": 390, "height": 844}}),
        ("administrator", {"locale": "zh-CN", "color_scheme": "dark", "viewport": {"width": 390, "height": 844}}),
        ("administrator", {"locale": "en-GB", "viewport": {"width": 1280, "height": 900}}),
    ],
)
def test_pages_fit_and_can_be_used_by_everyone(visit, request, portal, sandbox, path, role, options):
    page = visit(storage_state=request.getfixturevalue(role), **options)
    page.goto(portal["url"] + path.format(app=sandbox["api"]["appKey"]))
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans" if options["locale"] == "zh-CN" else "en")
    no_serious_findings(page)
    no_sideways_scroll(page)
