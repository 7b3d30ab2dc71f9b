"""The page in a real browser: a whole reading to the advice to stop, undo, two tabs, a phone, kill and resume, dark."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from review_pages import AXE, ROOT, export, helpdesk, mark, opened, picture, row_id, sms

playwright_api = pytest.importorskip("playwright.sync_api", reason="no Playwright here (PyPI package playwright)")
expect = playwright_api.expect


# Reads as fast as the page lets it: the rule is the truth of each id.
READER = """async ({truth, most}) => {
  const place = document.getElementById("place");
  const advised = () => !document.getElementById("advice").hidden && document.getElementById("advice").className === "proved";
  let marks = 0, idle = 0;
  while (marks < most && !advised()) {
    const before = place.textContent;
    if (!before.startsWith("Row ")) { await new Promise((go) => setTimeout(go, 20)); idle += 1; if (document.getElementById("yes").disabled && marks > 0 && idle > 1000) break; continue; }
    const wanted = truth[before.slice(4)];
    document.dispatchEvent(new KeyboardEvent("keydown", { key: wanted ? "y" : "n", bubbles: true }));
    marks += 1;
    idle = 0;
    for (let wait = 0; place.textContent === before && wait < 500; wait += 1) await new Promise((go) => setTimeout(go, 10));
    if (marks % 10 === 0) await new Promise((go) => setTimeout(go, 60));
  }
  return marks;
}"""


def test_a_whole_reading_ends_with_the_advice_to_stop(browser, served, tmp_path):
    truth = sms(tmp_path, rows=900)
    review = served("--like", "like.jsonl", "--in", "pile.jsonl", "--project", "sms.likewise", "--target", "0.8")
    page = opened(browser, review.url)
    expect(page.locator("#model")).to_contain_text("marks", timeout=20_000)
    marks = page.evaluate(READER, {"truth": truth, "most": 900})
    expect(page.locator("#advice h2")).to_have_text("You may stop", timeout=20_000)
    picture(page, "stop")
    found = [row["id"] for row in export(tmp_path / "sms.likewise")]
    wanted = {name for name, spam in truth.items() if spam}
    assert set(found) <= wanted
    assert len(set(found) & wanted) >= 0.8 * len(wanted), (len(found), len(wanted))
    assert marks < 900, "it saved nothing"
    recall = re.search(r"at least (\d+) %", page.locator("#recall").inner_text())
    assert recall and int(recall[1]) >= 80
    page.keyboard.press("g")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#advice")).to_be_hidden()
    assert page.complaints == []
    print(f"{marks} marks of {len(truth)} rows, {len(found)} of {len(wanted)} found")


def test_undo_of_any_depth_redo_and_history(browser, served, tmp_path):
    review = served("--project", "help.likewise")
    page = opened(browser, review.url)
    seen = []
    for key in ["y", "n", "u", "ArrowRight", "0"]:
        seen.append(row_id(page))
        mark(page, key)
    for name in reversed(seen):
        page.keyboard.press("z")
        expect(page.locator("#place")).to_have_text(f"Row {name}")
    expect(page.locator("#progress .read")).to_contain_text("12 of", timeout=5000)
    for _ in seen:
        page.keyboard.press("Shift+Z")
        page.wait_for_timeout(150)
    expect(page.locator("#progress .found")).to_have_text("14 found", timeout=5000)
    entry = page.locator("#history button", has_text=seen[1])
    expect(entry).to_have_class("no")
    entry.click()
    expect(page.locator("#place")).to_have_text(f"Row {seen[1]}")
    expect(page.locator("#badges")).to_contain_text("marked no")
    mark(page, "y")
    expect(page.locator("#progress .found")).to_have_text("15 found", timeout=5000)
    kept = {row["id"]: row["verdict"] for row in export(tmp_path / "help.likewise", "all")}
    assert [kept[name] for name in seen] == ["yes", "yes", "unsure", "yes", "no"]
    assert page.complaints == []


def test_a_row_that_was_taken_back_stays_whatever_was_asked_for_before(browser, served):
    page = opened(browser, served("--project", "help.likewise").url)
    held: list[Any] = []
    mark(page, "n")
    page.wait_for_function(
        "async () => { const { seq, model } = await (await fetch('/api/state')).json(); return model.seq === seq; }"
    )
    page.wait_for_timeout(300)
    # Nothing is under way: what is asked for next is asked for behind the row after this one.
    page.route("**/api/next*", lambda route: held.append(route))
    marked = row_id(page)
    mark(page, "n")
    while not held:
        page.wait_for_timeout(20)
    page.keyboard.press("z")
    expect(page.locator("#place")).to_have_text(f"Row {marked}")
    # The answer, and that to what was asked for meanwhile.
    for asked in range(2):
        while len(held) <= asked:
            page.wait_for_timeout(20)
        held[asked].continue_()
    page.wait_for_timeout(300)
    assert row_id(page) == marked
    assert page.complaints == []


def test_two_tabs_share_the_work(browser, served, tmp_path):
    review = served("--project", "help.likewise", "--name", "anna", "--name", "ben", readers=2)
    anna, ben = (opened(browser, url) for url in review.urls)
    assert row_id(anna) != row_id(ben)
    shown = []
    for turn in range(6):
        page = (anna, ben)[turn % 2]
        shown.append(row_id(page))
        mark(page, "n")
    assert len(set(shown)) == 6
    for page in (anna, ben):
        expect(page.locator("#progress .read")).to_contain_text("18 of", timeout=5000)
    log = [entry for entry in export(tmp_path / "help.likewise", "log") if entry["by"] != "file"]
    assert {entry["by"] for entry in log} == {"anna", "ben"}
    # A row that one marks while the other looks at it leaves the other's page.
    looked_at = row_id(ben)
    anna.keyboard.press("/")
    anna.locator("#query").fill(looked_at)
    anna.locator("#results button", has_text=looked_at).first.click()
    expect(anna.locator("#place")).to_have_text(f"Row {looked_at}")
    mark(anna, "y")
    expect(ben.locator("#place")).not_to_have_text(f"Row {looked_at}", timeout=5000)


def test_killed_and_started_again_it_goes_on(browser, served, tmp_path):
    first = served("--project", "help.likewise")
    page = opened(browser, first.url)
    for _ in range(4):
        mark(page, "n")
    expect(page.locator("#progress .read")).to_contain_text("16 of", timeout=5000)
    first.end(signal.SIGKILL)
    page.keyboard.press("y")
    expect(page.locator("#away")).to_contain_text("1 mark or note waits to be kept", timeout=20_000)
    again = served("help.likewise")
    page = opened(browser, again.url)
    expect(page.locator("#progress .read")).to_contain_text("16 of", timeout=5000)
    assert again.end() == 0


def test_a_phone_is_enough(browser, served):
    review = served()
    page = opened(browser, review.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    for name in ("no", "unsure", "yes", "undo"):
        box = page.locator(f"#{name}").bounding_box()
        assert box["height"] >= 48 and box["y"] + box["height"] <= 844, (name, box)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    picture(page, "phone")
    before = row_id(page)
    swipe(page, (60, 300), (330, 310))
    expect(page.locator("#place")).not_to_have_text(f"Row {before}")
    expect(page.locator("#progress .found")).to_have_text("13 found", timeout=5000)
    second = row_id(page)
    swipe(page, (330, 300), (60, 310))
    expect(page.locator("#place")).not_to_have_text(f"Row {second}")
    expect(page.locator("#progress .read")).to_contain_text("14 of", timeout=5000)
    # The swipes above were faster than a finger is, and the browser takes a tap after them for one that stops a fling.
    page.locator("#open-panel").click()
    expect(page.locator("#recall")).to_be_visible()
    page.wait_for_timeout(400)
    picture(page, "phone-panel")
    page.locator("#close-panel").click()
    expect(page.locator("#panel")).to_be_hidden()
    assert page.complaints == []


def swipe(page, start, end):
    """One finger from here to there."""
    client = page.context.new_cdp_session(page)
    steps = 6
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start[0], "y": start[1]}]})
    for step in range(1, steps + 1):
        at = {axis: a + (b - a) * step / steps for axis, a, b in zip("xy", start, end, strict=True)}
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_serious_for_those_who_cannot_see_it(browser, served, scheme, width):
    if not AXE.exists():
        pytest.skip(f"no axe-core at {AXE} (npm package axe-core)")
    review = served()
    page = opened(browser, review.url, color_scheme=scheme, viewport={"width": width, "height": 844}, bypass_csp=True)
    expect(page.locator("#model")).to_contain_text("marks", timeout=20_000)
    for _ in range(3):
        mark(page, "n")
    page.add_script_tag(path=str(AXE))
    check = "async () => (await axe.run()).violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.html).slice(0, 3)])"
    serious = []
    names = ["", "search", "examples", "export", "settings", "keys"] if width > 900 else ["", "panel"]
    for name in names:
        if name:
            page.locator(f"#open-{name}").click()
            page.wait_for_timeout(300)
        serious += [(name, *found) for found in page.evaluate(check) if found[0] in ("serious", "critical")]
        if name not in ("", "panel"):
            page.keyboard.press("Escape")
    assert serious == []


def test_the_keyboard_is_enough(browser, served, tmp_path):
    review = served("--project", "help.likewise")
    page = opened(browser, review.url)
    first = row_id(page)
    page.keyboard.press("e")
    page.keyboard.type("you and n are letters here")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.keyboard.type("odd, later")
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    expect(page.locator("#text mark")).to_have_count(0)
    page.keyboard.press("h")
    mark(page, "y")
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_be_visible()
    page.locator("#keys button").first.click()
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    before = row_id(page)
    page.keyboard.press("y")
    expect(page.locator("#place")).to_have_text(f"Row {before}")
    mark(page, "j")
    kept = {row["id"]: row for row in export(tmp_path / "help.likewise", "all")}
    assert (kept[first]["note"], kept[first]["tags"]) == ("you and n are letters here", "odd, later")
    assert kept[before]["verdict"] == "yes"
    assert page.complaints == []


def test_any_script_and_a_long_text_are_readable(browser, served, tmp_path):
    texts = ["שלום, אני רוצה החזר כספי refund", "请退款，谢谢", "<img src=x onerror=alert(1)> <b>bold</b>", "word and other words. " * 5000]
    lines = [json.dumps({"id": f"t{at}", "text": text}, ensure_ascii=False) for at, text in enumerate(texts)]
    (tmp_path / "pile.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    review = served("--in", "pile.jsonl")
    page = opened(browser, review.url)
    expect(page.locator("#hint")).to_be_visible()
    for at, text in enumerate(texts):
        page.keyboard.press("/")
        page.locator("#query").fill({0: "refund", 1: "退款", 2: "onerror", 3: "other"}[at])
        page.locator("#results button", has_text=f"t{at}").first.click()
        expect(page.locator("#place")).to_have_text(f"Row t{at}")
        assert page.locator("#text").text_content() == text
        took = page.evaluate("new Promise((go) => { const a = performance.now(); requestAnimationFrame(() => setTimeout(() => go(performance.now() - a), 0)); })")
        assert took < 5000, f"{took} ms: the page froze"
        if at == 0:
            assert page.evaluate("getComputedStyle(document.querySelector('#text .piece')).direction") == "rtl"
            picture(page, "hebrew")
    assert page.locator("#text img, #text b").count() == 0
    page.keyboard.press(" ")
    page.wait_for_timeout(300)
    assert page.evaluate("document.getElementById('text').scrollTop") > 0
    assert page.complaints == []


def test_the_picture_of_the_page(browser, served, tmp_path):
    """Writes docs/review.png where LIKEWISE_PICTURES is set, and looks at dark and light anyway."""
    topics = {row["id"]: row["topic"] == "refund" for row in helpdesk()}
    review = served("--project", "refunds.likewise")
    for scheme in ("light", "dark"):
        page = opened(browser, review.url, color_scheme=scheme, viewport={"width": 1280, "height": 820})
        page.evaluate(READER, {"truth": topics, "most": 45})
        page.wait_for_timeout(700)
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        light = sum(int(part) for part in re.findall(r"\d+", paper)[:3]) > 3 * 128
        assert light == (scheme == "light")
        picture(page, f"desktop-{scheme}")
        if scheme == "light" and os.environ.get("LIKEWISE_PICTURES"):
            page.screenshot(path=str(ROOT / "docs" / "review.png"))
        assert page.complaints == []
        page.context.close()
