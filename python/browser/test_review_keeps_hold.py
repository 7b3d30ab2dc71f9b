"""The page keeps hold of what a person did: marks that wait, notes, the row that is being looked at, how it was set up."""

from __future__ import annotations

import json
import signal

import pytest
from review_pages import export, mark, opened, picture, row_id

playwright_api = pytest.importorskip("playwright.sync_api", reason="no Playwright here (PyPI package playwright)")
expect = playwright_api.expect

# Calls every row wanted, and takes a while for it.
PROGRAM = """import json, sys, time
for line in sys.stdin:
    row = json.loads(line)
    time.sleep(0.1)
    print(json.dumps({"id": row["id"], "verdict": "yes", "note": "by program"}), flush=True)
"""


def pile(folder, name="pile.jsonl", rows=30, **more):
    """Rows that all differ; more columns for each."""
    lines = [json.dumps({"id": f"r{row}", "text": f"question {row} about a parcel", **more}) for row in range(rows)]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def is_read(page, rows: int, of: int) -> None:
    expect(page.locator("#progress .read")).to_have_text(f"{rows} of {of} read", timeout=20_000)


def test_two_projects_in_one_browser_keep_apart(browser, served, tmp_path):
    pile(tmp_path, "one.jsonl"), pile(tmp_path, "two.jsonl", rows=20)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    one = opened(browser, served("--in", "one.jsonl").url, context)
    two = opened(browser, served("--in", "two.jsonl").url, context)
    for _ in range(3):
        mark(one, "n")
        mark(two, "y")
    is_read(one, 3, 30), is_read(two, 3, 20)
    assert one.complaints == [] and two.complaints == []
    context.close()


def test_marks_that_wait_go_along_to_the_new_address(browser, served, tmp_path):
    pile(tmp_path)
    first = served("--in", "pile.jsonl")
    page = opened(browser, first.url)
    mark(page, "n")
    is_read(page, 1, 30)
    first.end(signal.SIGKILL)
    waiting = row_id(page)
    page.keyboard.press("e")
    page.keyboard.type("written while nobody listened")
    page.keyboard.press("Escape")
    page.keyboard.press("y")
    expect(page.locator("#away")).to_contain_text("2 marks or notes wait to be kept", timeout=20_000)
    picture(page, "away")
    asks = "!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert page.evaluate(asks), "whoever closes the page is asked first"
    page.locator("#away-address").fill("http://127.0.0.1:1/")
    page.get_by_role("button", name="Go there").click()
    expect(page.locator("#said")).to_contain_text("?token=")
    again = served("pile.likewise")
    page.locator("#away-address").fill(again.url)
    page.get_by_role("button", name="Go there").click()
    is_read(page, 2, 30)
    expect(page.locator("#away")).to_be_hidden()
    assert not page.evaluate(asks)
    kept = {row["id"]: row for row in export(tmp_path / "pile.likewise", "all")}
    assert (kept[waiting]["verdict"], kept[waiting]["note"]) == ("yes", "written while nobody listened")
    # Another project takes nothing of it.
    again.end(signal.SIGKILL)
    page.keyboard.press("y")
    expect(page.locator("#away")).to_be_visible(timeout=20_000)
    pile(tmp_path, "other.jsonl", rows=12)
    page.locator("#away-address").fill(served("--in", "other.jsonl").url)
    page.get_by_role("button", name="Go there").click()
    expect(page.locator("#said")).to_contain_text("1 mark of another project", timeout=20_000)
    is_read(page, 0, 12)


def test_a_program_takes_no_row_from_a_person_who_writes(browser, served, tmp_path):
    pile(tmp_path, rows=12)
    (tmp_path / "reader.py").write_text(PROGRAM)
    review = served("--in", "pile.jsonl", "--reader", "python3 reader.py", "--reader-name", "bot")
    page = opened(browser, review.url)
    shown = row_id(page)
    page.keyboard.press("e")
    page.keyboard.type("begun ")
    expect(page.locator("#program")).to_contain_text("The program marked 12 yes", timeout=30_000)
    page.keyboard.type("and ended")
    assert row_id(page) == shown
    expect(page.locator("#others")).to_be_empty()
    page.keyboard.press("Escape")
    mark(page, "n")
    is_read(page, 1, 12)
    page.locator("#history button", has_text=shown).click()
    expect(page.locator("#others")).to_have_text("bot: by program")
    kept = {row["id"]: row for row in export(tmp_path / "pile.likewise", "all")}
    assert (kept[shown]["note"], kept[shown]["program_note"]) == ("begun and ended", "by program")
    assert [row["note"] for row in kept.values() if row["note"]] == ["begun and ended"]
    assert page.complaints == []


def test_a_row_that_another_marks_stays_while_one_writes(browser, served, tmp_path):
    pile(tmp_path)
    review = served("--in", "pile.jsonl", "--name", "anna", "--name", "Zoë K", readers=2)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    anna, zoe = (opened(browser, url, context) for url in review.urls)
    expect(anna.locator("#you")).to_have_text("You are anna")
    expect(zoe.locator("#you")).to_have_text("You are Zoë K")
    shown = row_id(zoe)
    zoe.keyboard.press("e")
    zoe.keyboard.type("half a ")
    anna.keyboard.press("/")
    anna.locator("#query").fill(shown)
    anna.locator("#results button", has_text=shown).first.click()
    expect(anna.locator("#place")).to_have_text(f"Row {shown}")
    mark(anna, "y")
    expect(zoe.locator("#said")).to_contain_text("anna has just marked this row too")
    zoe.keyboard.type("note")
    assert row_id(zoe) == shown
    zoe.keyboard.press("Escape")
    mark(zoe, "n")
    is_read(anna, 1, 30)
    kept = {row["id"]: row for row in export(tmp_path / "pile.likewise", "all")}
    assert (kept[shown]["verdict"], kept[shown]["marked_by"], kept[shown]["note"]) == ("no", "Zoë K", "half a note")
    context.close()


def test_more_tabs_than_connections(browser, served, tmp_path):
    pile(tmp_path, rows=80)
    review = served("--in", "pile.jsonl")
    context = browser.new_context(viewport={"width": 900, "height": 700})
    tabs = [opened(browser, review.url, context) for _ in range(8)]
    for tab in tabs:
        mark(tab, "n")
    for tab in tabs:
        is_read(tab, 8, 80)
    # Another tab listens for all when the first is closed.
    tabs[0].close()
    mark(tabs[1], "n")
    for tab in tabs[1:]:
        is_read(tab, 9, 80)
    context.close()


def test_where_there_are_no_locks_the_page_asks_now_and_then(browser, served, tmp_path):
    pile(tmp_path)
    context = browser.new_context(viewport={"width": 900, "height": 700})
    context.add_init_script("delete Navigator.prototype.locks; delete Crypto.prototype.randomUUID;")
    page = opened(browser, served("--in", "pile.jsonl").url, context)
    mark(page, "n")
    is_read(page, 1, 30)
    assert page.complaints == []
    context.close()


def test_how_the_page_is_set_up_outlives_its_address(browser, served, tmp_path):
    pile(tmp_path)
    first = served("--in", "pile.jsonl")
    page = opened(browser, first.url)
    page.keyboard.press("h")
    page.locator("#open-settings").click()
    page.locator("#theme").select_option("dark")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.locator("#keys [data-action=yes]").click()
    page.keyboard.press("n")
    expect(page.locator("#keys-said")).to_contain_text("It was a key of “No: not wanted”, which has ←, 0 now")
    expect(page.locator("#keys [data-action=yes]")).to_be_focused()
    page.keyboard.press("Escape")
    first.end()
    page = opened(browser, served("pile.likewise").url)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.locator("#open-settings").click()
    expect(page.locator("#show-words")).not_to_be_checked()
    page.keyboard.press("Escape")
    wanted = row_id(page)
    mark(page, "n")
    is_read(page, 1, 30)
    assert {row["id"]: row["verdict"] for row in export(tmp_path / "pile.likewise", "all")}[wanted] == "yes"


def test_a_note_outlives_a_reload(browser, served, tmp_path):
    pile(tmp_path)
    review = served("--in", "pile.jsonl")
    page = opened(browser, review.url)
    shown = row_id(page)
    page.keyboard.press("e")
    page.keyboard.type("not yet left")
    page.reload()
    expect(page.locator("#place")).to_contain_text("Row ", timeout=20_000)
    page.keyboard.press("/")
    page.locator("#query").fill(shown)
    page.locator("#results button", has_text=shown).first.click()
    expect(page.locator("#note")).to_have_value("not yet left")
    assert page.complaints == []
