"""Measure how fast the explorers answer: `python tools/benchmark_explorers.py`.

Pages with 12 tokens, 8 heads and d_model 64 are opened in Chromium and sent real pointer and key events. The
time runs from the event's own time stamp to the end of the frame that shows the change, so it holds the wait for the
screen too. The exit status is 1 beyond the limits.
"""

import argparse
import shutil
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from playwright.sync_api import Page, sync_playwright

from attention_book.explorers import (
    Explorer,
    LookUpExplorer,
    MaskExplorer,
    SoftmaxExplorer,
    TokenIdsExplorer,
    WalkThrough,
)
from book_extension.explorers import load_bundle, script

MEDIAN, WORST = 16.0, 50.0  # milliseconds
TOKENS, HEADS, D_MODEL = 12, 8, 64
REPEATS = 40

RECORD = """(kind) => {
    window.times = [];
    document.addEventListener(kind, ({ timeStamp }) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.times.push(performance.now() - timeStamp);
        port2.postMessage(null);  // answered when the frame is done
    }), true);
}"""


@dataclass(frozen=True)
class Case:
    """One kind of event on one explorer; `events` sends one event each time it is asked for the next."""

    name: str
    explorer: Explorer
    kind: str
    events: Callable[[Page], Iterator[None]]


def sentence(generator: torch.Generator) -> dict:
    """Twelve tokens and matrices of the size that the limits are set for."""

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64) / D_MODEL**0.5

    words = [f"word{place}" for place in range(TOKENS)]
    square = {name: draw(D_MODEL, D_MODEL) for name in ("W_Q", "W_K", "W_V", "W_O")}
    embeddings = draw(TOKENS, D_MODEL) * D_MODEL**0.5
    return {
        "tokens": words,
        "token_ids": list(range(TOKENS)),
        "vocabulary": words,
        "embedding_matrix": embeddings,
    } | square


def arrow_keys(first: str, *keys: str) -> Callable[[Page], Iterator[None]]:
    def events(page: Page) -> Iterator[None]:
        page.locator(first).first.focus()
        for turn in range(REPEATS):
            page.keyboard.press(keys[turn % len(keys)])
            yield

    return events


def pointer_over(numbers: str) -> Callable[[Page], Iterator[None]]:
    def events(page: Page) -> Iterator[None]:
        page.locator(numbers).first.scroll_into_view_if_needed()
        boxes = [cell.bounding_box() for cell in page.locator(numbers).all()[:REPEATS]]
        for turn in range(REPEATS):
            box = boxes[turn % len(boxes)]
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            yield

    return events


def clicks(buttons: str) -> Callable[[Page], Iterator[None]]:
    def events(page: Page) -> Iterator[None]:
        for turn in range(REPEATS):
            page.locator(buttons).nth(turn % page.locator(buttons).count()).click()
            yield

    return events


def cases() -> list[Case]:
    generator = torch.Generator().manual_seed(5)
    numbers = sentence(generator)
    whole = WalkThrough(**numbers, num_heads=HEADS, step="output")
    look_up = {name: numbers[name] for name in ("tokens", "token_ids", "vocabulary", "embedding_matrix")}
    scores = torch.randn(TOKENS, generator=generator)
    mask = MaskExplorer(torch.randn(TOKENS, TOKENS, generator=generator), numbers["tokens"], preset="causal")
    return [
        Case("walk-through, point at a number", whole, "pointermove", pointer_over('td[data-ref^="output/"]')),
        Case(
            "walk-through, arrow keys",
            whole,
            "keydown",
            arrow_keys('td[data-ref^="output/"]', "ArrowRight", "ArrowDown"),
        ),
        Case("walk-through, another head", whole, "click", clicks(".which .choice:last-child button")),
        Case("walk-through, another step", whole, "click", clicks(".step")),
        Case("walk-through, another query", whole, "click", clicks(".which .choice:first-child button")),
        Case(
            "look-up, point at a number", LookUpExplorer(**look_up), "pointermove", pointer_over('td[data-ref^="emb"]')
        ),
        Case("mask, press a cell", mask, "click", clicks("table.mask button")),
        Case("softmax, slider by arrow keys", SoftmaxExplorer(scores), "keydown", arrow_keys("td input", "ArrowRight")),
        Case("token ids, typing", TokenIdsExplorer(), "keydown", arrow_keys("input[type=text]", "a", " ", "Backspace")),
    ]


def measure(page: Page, case: Case) -> list[float]:
    """Milliseconds from each event to its repaint."""
    html = case.explorer.to_html()
    style = f"<style>{load_bundle().styles()} main {{ max-width: 44rem; margin: auto }}</style>"
    page.set_content(f"<!DOCTYPE html><html lang='en'>{style}<main>{html}</main><script>{script()}</script></html>")
    for _ in case.events(page):  # once to warm up
        page.wait_for_timeout(5)
    page.evaluate(RECORD, case.kind)
    for turn, _ in enumerate(case.events(page), start=1):
        page.wait_for_function("(count) => window.times.length >= count", arg=turn, polling=5)
    return page.evaluate("() => window.times")


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter).parse_args()
    print(
        f"{TOKENS} tokens, {HEADS} heads, d_model {D_MODEL}; milliseconds from event to repaint, {REPEATS} events each"
    )
    print(f"{'':36}{'median':>8}{'95 %':>8}{'worst':>8}")
    slow = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1600})
        for case in cases():
            times = sorted(measure(page, case))
            median, worst = statistics.median(times), times[-1]
            print(f"{case.name:36}{median:8.1f}{times[int(0.95 * len(times))]:8.1f}{worst:8.1f}", flush=True)
            if median >= MEDIAN or worst >= WORST:
                slow.append(case.name)
        browser.close()
    print(f"Too slow (median {MEDIAN:.0f}, worst {WORST:.0f}): {', '.join(slow)}" if slow else "Within the limits.")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
