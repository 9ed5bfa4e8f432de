"""Users, one's own account and the audit log in a browser."""

import confidential
import pytest
from playwright.sync_api import expect
from visits import create_user, no_serious_findings, no_sideways_scroll, operate, sign_in


@pytest.fixture
def users(visit, administrator, portal):
    page = visit(storage_state=administrator)
    page.goto(f"{portal['url']}/users")
    page.wait_for_selector('html[data-ready~="users"]')
    return page


def create(page, name, role, password):
    confidential.remember(password, f"the password of {name}")
    page.fill("#name", name)
    page.select_option("#role", role)
    page.fill("#password", password)
    page.click("#create button")
    expect(page.locator("#users tbody tr", has_text=name)).to_have_count(1)


def test_a_user_is_created_and_signs_in(users, visit, portal):
    create(users, "ana", "sender", "a-password-of-ana")
    expect(users.locator("#result")).to_have_text("The user ana is there, as sender.")
    no_serious_findings(users)
    page = sign_in(visit(), portal, "ana", "a-password-of-ana")
    expect(page.locator(".account")).to_contain_text("ana")
    expect(page.get_by_role("link", name="Users")).to_have_count(0)
    assert page.goto(f"{portal['url']}/users").status == 403
    expect(page.get_by_role("alert")).to_contain_text("Only administrators may do this.")
    assert page.goto(f"{portal['url']}/audit").status == 403


def test_a_short_password_and_a_name_in_use_are_refused_in_the_words_of_the_service(users):
    users.evaluate("document.querySelector('#password').removeAttribute('minlength')")
    users.fill("#name", "ben")
    users.fill("#password", "short")
    users.click("#create button")
    expect(users.locator("#create-result")).to_contain_text("The password has 5 bytes; expected 10 to 1024.")
    users.fill("#name", "admin")
    users.fill("#password", "long enough for it")
    users.click("#create button")
    expect(users.locator("#create-result")).to_contain_text("There is a user 'admin' already")


def test_a_role_is_changed_at_once(users, visit, portal):
    create(users, "cleo", "viewer", "a-password-of-cleo")
    page = sign_in(visit(), portal, "cleo", "a-password-of-cleo")
    assert page.goto(f"{portal['url']}/users").status == 403
    users.select_option('select[data-user="cleo"]', "admin")
    expect(users.locator("#result")).to_have_text("cleo is admin now.")
    page = sign_in(visit(), portal, "cleo", "a-password-of-cleo")
    assert page.goto(f"{portal['url']}/users").status == 200
    users.select_option('select[data-user="cleo"]', "viewer")
    expect(users.locator("#result")).to_have_text("cleo is viewer now.")


def test_the_last_administrator_stays_one(users):
    users.select_option('select[data-user="admin"]', "viewer")
    expect(users.locator("#result")).to_contain_text("'admin' is the only administrator and must stay one")
    expect(users.locator('select[data-user="admin"]')).to_have_value("admin")


def test_setting_a_password_ends_the_sessions_of_its_user(users, visit, portal):
    create(users, "dora", "viewer", "a-password-of-dora")
    page = sign_in(visit(), portal, "dora", "a-password-of-dora")
    users.get_by_role("row", name="dora").get_by_role("button", name="Set the password").click()
    users.locator("#set-password").fill("another-one-of-dora")
    users.get_by_role("dialog").get_by_role("button", name="Set the password").click()
    expect(users.locator("#result")).to_contain_text("dora has the new password.")
    page.goto(portal["url"])
    expect(page.locator("h1")).to_have_text("Sign in")
    sign_in(page, portal, "dora", "another-one-of-dora")


def test_a_removed_user_is_signed_out(users, visit, portal):
    create(users, "emil", "viewer", "a-password-of-emil")
    page = sign_in(visit(), portal, "emil", "a-password-of-emil")
    users.get_by_role("row", name="emil").get_by_role("button", name="Remove").click()
    users.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(users.locator("#result")).to_have_text("The user emil is removed.")
    expect(users.locator("#users tbody tr", has_text="emil")).to_have_count(0)
    page.goto(portal["url"])
    expect(page.locator("h1")).to_have_text("Sign in")


def test_a_user_changes_the_own_password_with_the_present_one(visit, browser, portal, administrator):
    state = create_user(browser, portal, administrator, "finn", "viewer", "a-password-of-finn")
    page = visit(storage_state=state)
    page.goto(f"{portal['url']}/account")
    page.wait_for_selector('html[data-ready~="account"]')
    elsewhere = sign_in(visit(), portal, "finn", "a-password-of-finn")

    def change(present, password, again):
        for text in (present, password, again):
            confidential.remember(text, "a password in the form of one's account")
        page.fill("#present", present)
        page.fill("#password", password)
        page.fill("#again", again)
        page.click("#change button")

    result = page.locator("#result")
    change("a-password-of-finn", "the-new-one-of-finn", "the-new-two-of-finn")
    expect(result).to_have_text("The two new passwords differ.")
    change("a-guess-at-finn's", "the-new-one-of-finn", "the-new-one-of-finn")
    expect(result).to_have_text("The present password is wrong.")
    change("a-password-of-finn", "the-new-one-of-finn", "the-new-one-of-finn")
    expect(result).to_have_text("The password is changed.")
    page.reload()
    expect(page.locator("h1")).to_have_text("My account")
    elsewhere.goto(portal["url"])
    expect(elsewhere.locator("h1")).to_have_text("Sign in")
    sign_in(elsewhere, portal, "finn", "the-new-one-of-finn")
    log = visit(storage_state=administrator)
    log.goto(f"{portal['url']}/audit?action=session.start")
    refused = log.locator("tbody tr", has_text="finn").filter(has_text="wrong password")
    expect(refused).to_have_count(1)
    stranger = visit()
    stranger.goto(portal["url"])
    stranger.fill("#name", "a-password-in-the-wrong-field")
    stranger.fill("#password", "whatever-it-may-be")
    stranger.locator("main button").click()
    expect(stranger.get_by_role("alert")).to_be_visible()
    log.reload()
    expect(log.locator("tbody tr").first).to_contain_text("wrong password")
    assert "a-password-in-the-wrong-field" not in log.content()


def test_the_audit_log_is_filtered_and_paged(visit, administrator, portal):
    page = visit(storage_state=administrator)
    page.goto(portal["url"])
    apps = [operate(page, portal, "app.create", {"name": f"Audit {n}", "bundle_id": "com.example.audit"}) for n in range(60)]
    page.goto(f"{portal['url']}/audit")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(50)
    expect(rows.first).to_contain_text(apps[-1]["app_key"])
    expect(rows.first).to_contain_text("com.example.audit")
    page.get_by_role("link", name="Older entries").click()
    expect(rows.first).to_contain_text(apps[9]["app_key"])
    page.get_by_role("link", name="Newest").click()
    expect(rows.first).to_contain_text(apps[-1]["app_key"])
    page.fill("#actor", "ADMIN")
    page.fill("#action", "app.")
    page.get_by_role("button", name="Filter").click()
    expect(rows).to_have_count(50)
    page.get_by_role("link", name="Older entries").click()
    expect(rows.first).to_contain_text(apps[9]["app_key"])
    # Other tests of this portal may have changed apps before.
    actions = set(page.locator("tbody td:nth-child(3)").all_inner_texts())
    assert "app.create" in actions and all(action.startswith("app.") for action in actions)
    page.fill("#action", "no <such> thing")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator(".empty")).to_have_text("There are no entries here.")
    expect(page.locator("#action")).to_have_value("no <such> thing")
    text = page.content()
    assert portal["password"] not in text


@pytest.mark.parametrize("path", ["/users", "/account", "/audit"])
@pytest.mark.parametrize(
    "options",
    [
        {"locale": "zh-CN", "color_scheme": "dark", "viewport": {"width": 390, "height": 844}},
        {"locale": "en-GB", "viewport": {"width": 1280, "height": 900}},
    ],
)
def test_pages_fit_and_can_be_used_by_everyone(visit, administrator, portal, path, options):
    page = visit(storage_state=administrator, **options)
    page.goto(portal["url"] + path)
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans" if options["locale"] == "zh-CN" else "en")
    no_serious_findings(page)
    no_sideways_scroll(page)


def test_the_own_password_is_changed_only_by_the_own_page(visit, administrator, portal):
    page = visit(storage_state=administrator)
    page.goto(f"{portal['url']}/account")
    body = {"present": portal["password"], "password": "a-password-of-somebody"}
    for headers in ({}, {"X-CSRF-Token": "0" * 64}):
        answer = page.request.post(f"{portal['url']}/api/account/password", data=body, headers=headers)
        assert (answer.status, answer.json()["error"]["code"]) == (403, "csrf")
