"""Measure how fast the explorers answer: `python tools/benchmark_explorers.py`.

Pages with 12 tokens, 8 heads and d_model 64 are opened in Chromium and sent real pointer and key events. The time runs
from the event's own time stamp until the frame that shows the change is laid out, painted and handed to the screen;
the page is at rest before each event, so that the browser begins that frame at once. The first rows are a page whose
handler writes one number: no explorer can be faster than that. The exit status is 1 beyond the limits, and an event
that changes nothing on the page stops the measurement. On a rented machine the host takes the processor away at times
(`steal` in /proc/stat): what was sent meanwhile measures the neighbors, and is counted apart instead.
"""

import argparse
import itertools
import statistics
import sys
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass

import psutil
import torch
from playwright.sync_api import Page, sync_playwright

from attention_book.explorers import (
    AttentionRowExplorer,
    ContextExplorer,
    CostExplorer,
    DotProductExplorer,
    FusedProjectionExplorer,
    HeadsExplorer,
    LookUpExplorer,
    MaskExplorer,
    RealHeadsExplorer,
    SoftmaxExplorer,
    TokenIdsExplorer,
    TrainingReplay,
    WalkThrough,
)
from book_extension.explorers import load_bundle, script
from installed_browser import installed_browser

MEDIAN, WORST = 16.0, 50.0  # milliseconds
TOKENS, HEADS, D_MODEL = 12, 8, 64
REPEATS = 40
TICK = 0.015  # seconds; the system counts in steps of 0.01, and a single one may be the sum of many that hurt nobody
MOST_STOLEN = 120  # then the machine is too busy to measure anything
PAUSE = 80  # milliseconds until the page is at rest again

WATCH = """() => {
    window.changes = 0;
    window.observer = new MutationObserver((all) => (window.changes += all.length));
    const kinds = { subtree: true, childList: true, characterData: true, attributes: true };
    window.observer.observe(document.body, kinds);
}"""

# A message sent in the frame's own callback is answered when layout, paint and the rest of the frame are done.
RECORD = """(kind) => {
    window.times = [];
    window.addEventListener(kind, ({ timeStamp }) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.times.push(performance.now() - timeStamp);
        port2.postMessage(null);
    }), true);
}"""

FLOOR = """<button>one number</button> <span>0</span>
<script>for (const kind of ["click", "keydown", "pointermove"])
    document.querySelector("button").addEventListener(kind, () => {
        document.querySelector("span").textContent = Math.random();
    });
</script>"""

Events = Callable[[Page], Generator[None, None, None]]


@dataclass(frozen=True)
class Case:
    """One kind of event on one page; `events` sends one event each time it is asked for the next."""

    name: str
    html: str
    kind: str
    events: Events
    pause: int = PAUSE


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


def begin(page: Page) -> None:
    """Forget the events that led to the first place."""
    page.wait_for_timeout(PAUSE)
    page.evaluate("() => ((window.times = []), (window.changes = 0))")


def keys(first: str, *names: str) -> Events:
    """Keys pressed in turn, the first time on the element `first`."""

    def events(page: Page) -> Generator[None, None, None]:
        page.locator(first).first.focus()
        for turn in itertools.count():
            page.keyboard.press(names[turn % len(names)])
            yield

    return events


def pointer_over(numbers: str) -> Events:
    """The mouse moves from one number to the next."""

    def events(page: Page) -> Generator[None, None, None]:
        page.locator(numbers).first.scroll_into_view_if_needed()
        boxes = [cell.bounding_box() for cell in page.locator(numbers).all()[:REPEATS]]
        for x in (5, 7):  # a pointer that has just appeared has not moved
            page.mouse.move(boxes[-1]["x"] + x, boxes[-1]["y"] + 5)
        begin(page)
        for turn in itertools.count():
            box = boxes[turn % len(boxes)]
            # Never to the same place: that would be no movement.
            page.mouse.move(box["x"] + box["width"] / 2 + turn % 3, box["y"] + box["height"] / 2)
            yield

    return events


def drag(handle: str) -> Events:
    """The mouse holds `handle` and moves it to and fro."""

    def events(page: Page) -> Generator[None, None, None]:
        page.locator(handle).first.scroll_into_view_if_needed()
        box = page.locator(handle).first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        begin(page)
        try:
            for turn in itertools.count():
                page.mouse.move(x + 6 * (turn % 7 - 3), y + turn % 2)
                yield
        finally:
            page.mouse.up()

    return events


def clicks(*buttons: str) -> Events:
    """All buttons of a kind in turn, or the first of each kind."""

    def events(page: Page) -> Generator[None, None, None]:
        for turn in itertools.count():
            found = page.locator(buttons[turn % len(buttons)])
            button = found.nth(turn % found.count() if len(buttons) == 1 else 0)
            button.scroll_into_view_if_needed()
            box = button.bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.mouse.down()
            page.wait_for_timeout(PAUSE)  # a finger is not faster
            page.mouse.up()
            yield

    return events


def cases() -> list[Case]:
    generator = torch.Generator().manual_seed(5)
    numbers = sentence(generator)
    words = numbers["tokens"]
    scores = 2 * torch.randn(TOKENS, TOKENS, generator=generator)
    table = {name: numbers[name] for name in ("tokens", "token_ids", "vocabulary", "embedding_matrix")}
    walk = {step: WalkThrough(**numbers, num_heads=HEADS, step=step).to_html() for step in ("output", "context")}
    token_ids = TokenIdsExplorer(" ".join(words)).to_html()
    look_up = LookUpExplorer(**table).to_html()
    dot_product = DotProductExplorer().to_html()
    softmax = SoftmaxExplorer(scores[0], tokens=words).to_html()
    row = AttentionRowExplorer(scores, words).to_html()
    context = ContextExplorer(scores[0].softmax(dim=-1), numbers["embedding_matrix"], words).to_html()
    mask = MaskExplorer(scores, words, preset="causal").to_html()
    own = {name: numbers[name] for name in (*table, "W_Q", "W_K", "W_V")}
    heads, fused = (kind(**own, num_heads=HEADS).to_html() for kind in (HeadsExplorer, FusedProjectionExplorer))
    records = scores.softmax(dim=-1)
    training = TrainingReplay(list(range(TOKENS)), records[0] + 1, records[1], records, words).to_html()
    cost, real_heads = CostExplorer().to_html(), RealHeadsExplorer(sentence=4).to_html()  # 14 tokens
    output, sliders, number = 'td[data-ref^="output/"]', "td input", "td.number"
    return [
        Case("one number, click", FLOOR, "click", clicks("button")),
        Case("one number, key", FLOOR, "keydown", keys("button", "a")),
        Case("one number, pointer", FLOOR, "pointermove", pointer_over("button")),
        Case("walk-through, point at a number", walk["output"], "pointermove", pointer_over(output)),
        Case("walk-through, arrow keys", walk["output"], "keydown", keys(output, "ArrowRight", "ArrowDown")),
        Case("walk-through, another step", walk["output"], "click", clicks(".step")),
        Case("walk-through, another query", walk["output"], "click", clicks(".which .choice:first-child button")),
        Case("walk-through, another head", walk["context"], "click", clicks(".which .choice:last-child button")),
        Case("walk-through, heads and mask", walk["context"], "click", clicks(".controls > .choice button")),
        Case("walk-through, follow and back", walk["context"], "click", clicks(".operand", ".back")),
        Case("token ids, typing", token_ids, "keydown", keys("input[type=text]", "a", " ", "Backspace")),
        Case("token ids, point at a number", token_ids, "pointermove", pointer_over(number)),
        Case(
            "token ids, arrow keys",
            token_ids,
            "keydown",
            keys(number, "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"),
        ),
        Case("look-up, point at a number", look_up, "pointermove", pointer_over('td[data-ref^="embeddings/"]')),
        Case("look-up, arrow keys", look_up, "keydown", keys('td[data-ref^="emb"]', "ArrowRight", "ArrowDown")),
        Case("look-up, another token", look_up, "click", clicks(".choice button")),
        Case("dot product, drag a tip", dot_product, "pointermove", drag(".handle .ring")),
        Case("dot product, tip by arrow keys", dot_product, "keydown", keys(".handle", "ArrowRight", "ArrowUp")),
        Case("dot product, point at a number", dot_product, "pointermove", pointer_over(number)),
        Case("dot product, turn the key", dot_product, "click", clicks(".choice button")),
        Case("softmax, drag a score", softmax, "pointermove", drag(sliders)),
        Case("softmax, score by arrow keys", softmax, "keydown", keys(sliders, "ArrowRight")),
        Case("softmax, temperature", softmax, "keydown", keys(".slider input", "ArrowRight", "ArrowLeft")),
        Case("softmax, point at a number", softmax, "pointermove", pointer_over(number)),
        Case("attention row, drag a weight", row, "pointermove", drag(sliders)),
        Case("attention row, weight by keys", row, "keydown", keys(sliders, "ArrowRight")),
        Case("attention row, another query", row, "click", clicks(".words button")),
        Case("attention row, point at a number", row, "pointermove", pointer_over(".square td.number")),
        Case("context, drag a weight", context, "pointermove", drag(sliders)),
        Case("context, weight by keys", context, "keydown", keys(sliders, "ArrowRight")),
        Case("context, all on one token", context, "click", clicks(".choice button")),
        Case("context, point at a number", context, "pointermove", pointer_over('td[data-ref^="context/"]')),
        Case("context, arrow keys", context, "keydown", keys('td[data-ref^="values/"]', "ArrowRight", "ArrowDown")),
        Case("mask, press a cell", mask, "click", clicks("table.mask button")),
        Case("mask, arrow keys", mask, "keydown", keys("table.masked td.number", "ArrowRight", "ArrowDown")),
        Case("heads, point at a number", heads, "pointermove", pointer_over(number)),
        # The number flies to its place in the other form before the page is at rest.
        Case("heads, arrow keys", heads, "keydown", keys(number, "ArrowRight", "ArrowDown"), pause=800),
        Case("fused projection, point at a number", fused, "pointermove", pointer_over(number)),
        Case("fused projection, arrow keys", fused, "keydown", keys(number, "ArrowRight", "ArrowDown")),
        Case("training, another step", training, "keydown", keys(".controls input", "ArrowRight", "ArrowLeft")),
        Case("training, point at a number", training, "pointermove", pointer_over(number)),
        Case("cost, another size", cost, "keydown", keys(".sizes input[type=range]", "ArrowRight", "ArrowLeft")),
        Case("cost, another model", cost, "click", clicks(".choice button")),
        Case("cost, point at a number", cost, "pointermove", pointer_over(number)),
        Case(
            "real heads, another head",
            real_heads,
            "keydown",
            keys('.maps [tabindex="0"]', "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"),
        ),
        Case("real heads, special tokens", real_heads, "click", clicks(".switch input")),
        Case("real heads, point at a number", real_heads, "pointermove", pointer_over(number)),
    ]


def stolen() -> float:
    """Seconds for which the host has given the processors to others; 0 where the system does not tell."""
    return getattr(psutil.cpu_times(), "steal", 0.0)


def measure(page: Page, case: Case) -> tuple[list[float], int]:
    """Milliseconds from each event to its repaint, the shortest first, and how many events were not counted."""
    style = f"<style>{load_bundle().styles()} main {{ max-width: 44rem; margin: auto }}</style>"
    page.set_content(
        f"<!DOCTYPE html><html lang='en'>{style}<main>{case.html}</main><script>{script()}</script></html>"
    )
    page.evaluate(WATCH)
    with closing(case.events(page)) as events:  # once to warm up, and to see that each event changes the page
        for turn, _ in enumerate(itertools.islice(events, REPEATS)):
            page.wait_for_timeout(case.pause)
            if page.evaluate("() => window.changes") == 0:
                raise RuntimeError(f"{case.name}: event {turn} changed nothing")
            page.evaluate("() => (window.changes = 0)")
    page.evaluate("() => window.observer.disconnect()")
    page.evaluate(RECORD, case.kind)
    disturbed = []
    with closing(case.events(page)) as events:
        before = stolen()
        for turn, _ in enumerate(events, start=1):
            page.wait_for_timeout(PAUSE)
            page.wait_for_function("(turn) => window.times.length >= turn", arg=turn)
            disturbed.append(stolen() - before > TICK)
            page.wait_for_timeout(case.pause - PAUSE)
            if disturbed.count(False) == REPEATS:
                break
            if disturbed.count(True) > MOST_STOLEN:
                raise RuntimeError(f"{case.name}: the host of this machine is too busy")
            before = stolen()
    times = page.evaluate("() => window.times")
    return sorted(time for time, out in zip(times, disturbed, strict=True) if not out), disturbed.count(True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="?", default="", help="measure the rows whose name begins with this")
    wanted = [case for case in cases() if case.name.startswith(parser.parse_args().rows)]
    print(
        f"{TOKENS} tokens, {HEADS} heads, d_model {D_MODEL}; milliseconds from event to repaint, {REPEATS} events each"
    )
    print(f"{'':36}{'median':>8}{'95 %':>8}{'worst':>8}{'not counted':>13}")
    slow = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        for case in wanted:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            times, uncounted = measure(page, case)
            page.close()
            median, worst = statistics.median(times), times[-1]
            most = times[int(0.95 * len(times))]
            print(f"{case.name:36}{median:8.1f}{most:8.1f}{worst:8.1f}{uncounted:13}", flush=True)
            if median >= MEDIAN or worst >= WORST:
                slow.append(case.name)
        browser.close()
    print(f"Too slow (median {MEDIAN:.0f}, worst {WORST:.0f}): {', '.join(slow)}" if slow else "Within the limits.")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
