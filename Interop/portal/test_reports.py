"""Reports with charts and their tables."""

import re
from datetime import date, timedelta

import pytest
from journeys import await_sent
from playwright.sync_api import expect
from pushes import await_suppressed, environment, send
from visits import ONCE_MORE, no_serious_findings, no_sideways_scroll


@pytest.fixture
def reports(sandbox):
    return f"{sandbox['portal']['url']}/apps/{sandbox['api']['appKey']}/reports"


def figure(page, column):
    return page.locator("#pushes tfoot td").nth(column)


def test_a_push_is_in_the_report_of_its_hour_and_of_its_day(signed_in, sandbox, reports):
    page = signed_in()
    page.goto(reports)
    # The day may end meanwhile.
    day = date.fromisoformat(page.input_value("#through"))
    page.goto(f"{reports}?unit=hour&from={day}&through={day + timedelta(days=1)}")
    before = int(figure(page, 0).inner_text())
    message = send(sandbox, "For the report")
    page.reload()
    expect(figure(page, 0)).to_have_text(str(before + 1))
    expect(page.get_by_role("img", name="Notifications Devices by the")).to_be_visible()
    assert page.locator("#pushes tbody tr").count() >= 1
    page.goto(f"{reports.removesuffix('reports')}messages/{message}")
    accepted = re.search(r"\d{4}-\d\d-\d\d", page.locator("dl.facts").first.inner_text())[0]
    page.goto(reports)
    page.select_option("#unit", "day")
    for field in ("#from", "#through"):
        page.fill(field, accepted)
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**unit=day**")
    expect(page.locator("#pushes tbody tr")).to_have_count(1)
    no_serious_findings(page)


def test_the_reasons_are_drawn_and_explained(signed_in, sandbox, reports):
    await_suppressed(sandbox, send(sandbox, "Nobody can have it", production=not environment(sandbox)))
    page = signed_in()
    page.goto(reports)
    expect(page.locator("#reasons")).to_contain_text("environment")
    expect(page.get_by_role("img", name="By reason")).to_be_visible()


def test_the_devices_are_counted_by_the_version_of_the_app(signed_in, sandbox, reports):
    await_sent(sandbox, send(sandbox, "For each version"), devices=2)
    page = signed_in()
    page.goto(reports)
    expect(page.get_by_role("img", name="By app version")).to_be_visible()
    rows = page.locator("#versions tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.locator("th")).to_have_text(re.compile(r"^\d+\.\d+$|^unknown$"))
    assert int(rows.locator("td").first.inner_text()) >= 1


def test_a_wrong_period_is_refused_in_words(signed_in, reports):
    page = signed_in()
    page.goto(f"{reports}?unit=hour&from=2026-01-01&through=2026-03-01")
    expect(page.get_by_role("alert")).to_contain_text("7 days")


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_it_works_without_javascript_and_fits_a_phone(signed_in, reports, locale):
    page = signed_in(locale=locale, viewport={"width": 390, "height": 800}, java_script_enabled=False)
    page.goto(reports)
    expect(page.locator("svg[role=img]").first).to_be_visible()


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=ONCE_MORE), "dark"])
def test_axe_finds_nothing_serious(signed_in, reports, scheme):
    page = signed_in(color_scheme=scheme, viewport={"width": 390, "height": 800})
    page.goto(reports)
    no_sideways_scroll(page)
    no_serious_findings(page)
