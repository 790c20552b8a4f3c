"""A browser as slow as that of a busy machine, to find tests that depend on time.

SCOREF_SLOW_BROWSER=delays has everything that a page does later happen 300 ms later:
timers, frames, unpacking, events that the browser queues, and files that are read.
SCOREF_SLOW_BROWSER=cpu divides the speed of the processor by 6.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

MODE = os.environ.get("SCOREF_SLOW_BROWSER", "")
RATE = 6

DELAYS = """(() => {
    const LATE = 300;
    const later = window.setTimeout.bind(window);
    const wait = () => new Promise(done => later(done, LATE));
    const late = run => function (...all) { later(() => run.apply(this, all), LATE); };
    // Bound functions are written like native ones, so that pages are used again.
    const delayed = (run, time = 0, ...all) => later(run, time + LATE, ...all);
    window.setTimeout = delayed.bind(window);
    window.requestIdleCallback = late(run => run());
    const frame = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = run => later(() => frame(run), LATE);
    for (const name of ["ResizeObserver", "IntersectionObserver"])
        window[name] = class extends window[name] {
            constructor(run, options) { super(late(run), options); }
        };
    const Unpacked = window.DecompressionStream;
    const unpacked = function (kind) {
        const { readable, writable } = new Unpacked(kind);
        const end = new TransformStream({ flush: wait });
        return { writable, readable: readable.pipeThrough(end) };
    };
    window.DecompressionStream = unpacked.bind(window);
    const slowed = (owner, name) => {
        const original = owner?.[name];
        if (original) owner[name] = async function (...all) {
            await wait();
            return original.apply(this, all);
        };
    };
    for (const name of ["text", "arrayBuffer"]) slowed(Blob.prototype, name);
    slowed(window.Clipboard?.prototype, "writeText");
    const QUEUED = new Set(["close", "hashchange", "popstate", "scroll", "toggle"]);
    const listen = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (type, run, options) {
        const isQuery = type === "change" && this instanceof MediaQueryList;
        const isLate = typeof run === "function" && (isQuery || QUEUED.has(type));
        return listen.call(this, type, isLate ? late(run) : run, options);
    };
})()"""


def slow_down(browser: Browser) -> None:
    """Have all pages of a browser be slow if SCOREF_SLOW_BROWSER says so."""
    if not MODE:
        return
    if MODE not in {"delays", "cpu"}:
        raise pytest.UsageError("SCOREF_SLOW_BROWSER is delays or cpu")
    new_context = browser.new_context

    def slow_context(**options: Any) -> BrowserContext:
        context = new_context(**options)
        new_page = context.new_page

        def slow_page() -> Page:
            page = new_page()
            if MODE == "cpu":
                session = context.new_cdp_session(page)
                session.send("Emulation.setCPUThrottlingRate", {"rate": RATE})
            return page

        if MODE == "delays":
            context.add_init_script(DELAYS)
        context.new_page = slow_page  # type: ignore[method-assign]
        return context

    browser.new_context = slow_context  # type: ignore[method-assign]
    browser.new_page = lambda **options: slow_context(**options).new_page()  # type: ignore[method-assign]
