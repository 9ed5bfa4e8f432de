"""A real Chromium, and pages of the sandbox's portal with a user who has signed in."""

import os
import shutil
import time

import pytest
import requests
from phones import bring_home
from visits import stored

playwright = pytest.importorskip("playwright.sync_api") if not os.environ.get("CI") else __import__(
    "playwright.sync_api", fromlist=["sync_api"]
)

# Without the windows of a desktop, which each page would get, it takes a third of the CPU time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium-headless-shell"

# The longest wait for something on a page, in milliseconds; waits end with what they wait for.
PATIENCE = 30_000
playwright.expect.set_options(timeout=PATIENCE)

# The age in seconds from which a sign-in is replaced before a test. Five minutes after the password was given, the portal asks for it
# again before what hands out a secret or decides who gets a push.
FRESH = 120


@pytest.fixture(scope="session")
def browser():
    if not os.environ.get("CI") and not os.path.exists(CHROMIUM):
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=4 * PATIENCE)
        yield running
        running.close()


@pytest.fixture
def visit(browser):
    """A function that opens a context of its own with a page; every failure of a script or a policy fails the test.

    Options are those of `browser.new_context`, such as `locale="zh-CN"` or `color_scheme="dark"`.
    """
    contexts = []
    problems = []

    def open_page(**options):
        context = browser.new_context(**{"locale": "en-GB", "viewport": {"width": 1280, "height": 900}} | options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
        page.on(
            "console",
            lambda message: problems.append(f"{page.url}: {message.text}")
            if message.type == "error" and "Content Security Policy" in message.text
            else None,
        )
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not problems


@pytest.fixture
def api(sandbox):
    """A function that calls the API as the app."""
    facts = sandbox["api"]

    def call(method, path, body=None):
        answer = requests.request(method, facts["url"] + path, json=body, auth=(facts["appKey"], facts["masterSecret"]), timeout=30)
        assert answer.ok, answer.text
        return answer.json()

    return call


@pytest.fixture
def portal(sandbox):
    return sandbox["portal"]


@pytest.fixture(scope="module")
def fresh_sign_in(browser, sandbox):
    """A function that gives what a browser keeps of a sign-in as the sandbox's administrator, who has given the password lately.

    Tests share one as long as it is fresh: a sign-in takes a second.
    """
    last = []

    def state():
        if not last or time.monotonic() - last[-1][0] > FRESH:
            last.append((time.monotonic(), stored(browser, sandbox["portal"])))
        return last[-1][1]

    return state


@pytest.fixture
def administrator(fresh_sign_in):
    """What a browser keeps of a sign-in as the sandbox's administrator."""
    return fresh_sign_in()


@pytest.fixture
def signed_in(visit, portal, administrator):
    """A function that gives a page on which the sandbox's administrator has signed in; options as for `visit`."""

    def open_page(**options):
        page = visit(storage_state=administrator, **options)
        page.goto(portal["url"])
        return page

    return open_page


@pytest.fixture
def phone(signed_in, portal):
    """A function that opens the page of the sandbox's first phone, on its home screen with an empty notification centre."""

    def visit(**options):
        page = signed_in(**options)
        page.goto(portal["url"] + "/phones")
        page.locator("tbody th a").first.click()
        page.locator(".phone-bar").wait_for()
        bring_home(page)
        return page

    return visit
