"""What the page says is so, and what it is told is understood: targets, keys, ends, what is too long to be shown."""

from __future__ import annotations

import json

import pytest
from review_pages import mark, opened, picture, row_id

playwright_api = pytest.importorskip("playwright.sync_api", reason="no Playwright here (PyPI package playwright)")
expect = playwright_api.expect


def pile(folder, rows, name="pile.jsonl"):
    (folder / name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def parcels(count):
    return [{"id": f"r{row}", "text": f"question {row} about a parcel"} for row in range(count)]


def is_read(page, rows: int, of: int) -> None:
    expect(page.locator("#progress .read")).to_have_text(f"{rows} of {of} read", timeout=20_000)


def test_targets_are_understood_as_they_are_meant(browser, served, tmp_path):
    pile(tmp_path, parcels(30))
    page = opened(browser, served("--in", "pile.jsonl").url)
    target, sure = page.locator("#target"), page.locator("#sure")
    in_force = "async () => (await (await fetch('/api/state')).json()).settings.target"
    for given, shown, kept in [("0.8", "80", 0.8), (",9", "90", 0.9), ("97.5 %", "97.5", 0.975), ("70", "70", 0.7)]:
        target.fill(given)
        target.press("Enter")
        expect(target).to_have_value(shown)
        expect(page.locator("#price .target-row th")).to_have_text(f"{shown} %", timeout=20_000)
        assert abs(page.evaluate(in_force) - kept) < 1e-9
    for given in ["100", "", "0", "many"]:
        target.fill(given)
        target.press("Enter")
        expect(page.locator("#said")).to_contain_text("Give a share from 1 to 99.9 %")
        expect(target).to_have_value("70")
    sure.fill("99.9")
    sure.press("Enter")
    expect(sure).to_have_value("99.9")
    page.locator("#card").focus()
    mark(page, "n")
    expect(page.locator("#recall")).to_contain_text("99.9 % sure")
    assert page.complaints == []


def test_a_phone_is_told_to_stop(browser, served, tmp_path):
    pile(tmp_path, parcels(12))
    review = served("--in", "pile.jsonl", "--target", "0.4")
    page = opened(browser, review.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    for _ in range(11):
        if page.locator("#advice.proved").is_visible():
            break
        before = row_id(page)
        page.locator("#yes").click()
        expect(page.locator("#place")).not_to_have_text(f"Row {before}")
        page.wait_for_timeout(150)
    advice = page.locator("#advice")
    expect(advice).to_contain_text("You may stop", timeout=20_000)
    box = advice.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 844, box
    expect(page.locator("#progress .least")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    picture(page, "phone-stop")
    # Whoever goes on has heard it; what is proved once more later is said once more.
    page.get_by_role("button", name="Go on").click()
    expect(advice).to_be_hidden()
    page.locator("#undo").click()
    expect(page.locator("#price .target-row td")).not_to_have_text("proved", timeout=20_000)
    page.locator("#yes").click()
    expect(advice).to_contain_text("You may stop", timeout=20_000)
    expect(advice).to_be_visible()
    assert page.complaints == []


def test_keys_do_what_they_say_and_nothing_else(browser, served, tmp_path):
    pile(tmp_path, parcels(30))
    page = opened(browser, served("--in", "pile.jsonl").url)
    before = row_id(page)
    page.locator("#no").click()
    expect(page.locator("#place")).not_to_have_text(f"Row {before}")
    shown = row_id(page)
    for key in ["Space", "Alt+ArrowRight", "Control+ArrowRight", "Shift+ArrowRight", "Alt+y"]:
        page.keyboard.press(key)
    is_read(page, 1, 30)
    assert row_id(page) == shown
    page.keyboard.press("?")
    yes = page.locator("#keys [data-action=yes]")
    for key in ["Tab", "CapsLock"]:
        yes.click()
        page.keyboard.press(key)
    expect(yes).to_have_text("press a key …")
    page.get_by_role("button", name="Close").locator("visible=true").click()
    page.keyboard.press("k")
    page.keyboard.press("?")
    expect(yes).to_have_text("y  →  1")
    page.keyboard.press("Escape")
    assert row_id(page) == shown and page.complaints == []


def test_a_row_that_was_looked_up_need_not_be_marked(browser, served, tmp_path):
    pile(tmp_path, parcels(30))
    page = opened(browser, served("--in", "pile.jsonl").url)
    shown = row_id(page)
    other = "r7" if shown != "r7" else "r8"
    page.keyboard.press("/")
    page.locator("#query").fill(other)
    page.locator("#results button", has_text=other).first.click()
    expect(page.locator("#place")).to_have_text(f"Row {other}")
    page.keyboard.press("Escape")
    expect(page.locator("#place")).to_have_text(f"Row {shown}")
    expect(page.locator("#back")).to_be_hidden()
    assert page.complaints == []


def test_at_the_end_it_says_what_is_left(browser, served, tmp_path):
    pile(tmp_path, parcels(4))
    page = opened(browser, served("--in", "pile.jsonl").url)
    for key in ["y", "u", "n"]:
        mark(page, key)
    expect(page.locator("#mode-unsure")).to_be_visible(timeout=20_000)
    expect(page.locator("#price caption")).to_contain_text("First decide the 1 row you put off")
    page.locator("#mode-unsure input").check()
    expect(page.locator("#badges")).to_contain_text("marked unsure")
    page.locator("#card").focus()
    mark(page, "n")
    expect(page.locator("#place")).to_contain_text("Row ", timeout=20_000)
    expect(page.locator("[name=mode][value=auto]")).to_be_checked()
    page.keyboard.press("n")
    expect(page.locator("#place")).to_have_text("Every row is read", timeout=20_000)
    expect(page.locator("#advice")).to_contain_text("Everything is read", timeout=20_000)
    assert page.complaints == []


def test_many_and_long_columns_leave_room_for_the_text(browser, served, tmp_path):
    words = "I booked a hotel and the voucher was refused. " * 20
    rows = [
        {"id": str(row), "text": f"{row} {words}", "rating": str(row), "long": "x " * 900 + "the end"}
        | {f"column_{column}": f"value {column} " * 4 for column in range(40)}
        for row in range(6)
    ]
    pile(tmp_path, rows)
    page = opened(browser, served("--in", "pile.jsonl", "--text", "text").url)
    for width, height in [(1280, 800), (390, 844)]:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        assert page.locator("#text").bounding_box()["height"] >= 120, (width, page.locator("#text").bounding_box())
        picture(page, f"many-columns-{width}")
    page.set_viewport_size({"width": 1280, "height": 800})
    rating = page.locator("#columns div", has=page.locator("dt", has_text="rating"))
    expect(rating.locator("dd")).to_have_text(row_id(page))
    assert "the end" not in page.locator("#columns").inner_text()
    page.get_by_role("button", name="… all of long").click()
    assert "the end" in page.locator("#columns").inner_text()
    assert page.complaints == []


def test_a_model_of_nothing_is_refused_in_words_and_files_are_written(browser, served, tmp_path):
    pile(tmp_path, parcels(20))
    page = opened(browser, served("--in", "pile.jsonl").url)
    page.locator("#open-export").click()
    page.get_by_role("link", name="review.model").click()
    expect(page.locator("#export-said")).to_contain_text("nothing is marked as wanted yet")
    with page.expect_download() as written:
        page.get_by_role("link", name="All rows with their marks as CSV").click()
    assert written.value.suggested_filename == "all.csv"
    assert len(written.value.path().read_text().splitlines()) == 21


def test_older_marks_can_be_had(browser, served, tmp_path):
    pile(tmp_path, parcels(70))
    page = opened(browser, served("--in", "pile.jsonl").url)
    for _ in range(60):
        mark(page, "n")
    is_read(page, 60, 70)
    expect(page.locator("#history li")).to_have_count(51, timeout=20_000)
    page.get_by_role("button", name="older …").click()
    expect(page.locator("#history li")).to_have_count(60)
    assert page.complaints == []


def test_an_example_added_by_mistake_is_taken_back(browser, served, tmp_path):
    pile(tmp_path, parcels(20))
    page = opened(browser, served("--in", "pile.jsonl").url)
    for said in ["1 example added", "Known already"]:
        page.locator("#open-examples").click()
        page.locator("#example").fill("I want my money back")
        page.locator("#add-example").click()
        expect(page.locator("#examples-said")).to_contain_text(said)
        page.keyboard.press("Escape")
    expect(page.locator("#pile")).to_contain_text("1 example from outside")
    page.locator("#card").focus()
    page.keyboard.press("z")
    expect(page.locator("#said")).to_contain_text("1 example taken back")
    expect(page.locator("#pile")).not_to_contain_text("example", timeout=20_000)
    assert page.complaints == []


def test_no_sign_is_cut_in_two(browser, served, tmp_path):
    text = "x" + "👍🏽" * 4000
    pile(tmp_path, [{"id": "r", "text": text}])
    page = opened(browser, served("--in", "pile.jsonl").url)
    pieces = page.evaluate("[...document.querySelectorAll('#text .piece')].map((piece) => piece.textContent)")
    assert len(pieces) > 1 and "".join(pieces) == text
    assert all(piece.startswith(("x", "👍")) for piece in pieces)
