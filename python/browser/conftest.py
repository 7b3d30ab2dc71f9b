"""A browser, and pages that end with the test."""

from __future__ import annotations

import pytest
from review_pages import Served, launched


@pytest.fixture(scope="session")
def browser():
    playwright_api = pytest.importorskip("playwright.sync_api", reason="no Playwright here (PyPI package playwright)")
    with playwright_api.sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


@pytest.fixture
def served(tmp_path):
    """Pages that end with the test."""
    pages: list[Served] = []

    def serve(*arguments: str, readers: int = 1) -> Served:
        pages.append(Served(*arguments, folder=tmp_path, readers=readers))
        return pages[-1]

    yield serve
    for page in pages:
        if page.process.poll() is None:
            page.end()
