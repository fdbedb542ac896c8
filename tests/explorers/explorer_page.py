"""A page of the site cut down to one explorer, and how a test reads and sets it."""

import json


def page_of(explorer_html: str, language: str = "en", theme: str = "light") -> str:
    """The element in a page with the script and the style sheet that the site gives it."""
    from book_extension import explorers

    background = {"light": "#fdfcfa", "dark": "#14181d"}[theme]
    return f"""<!DOCTYPE html>
<html lang="{language}" data-theme="{theme}"><head><meta charset="utf-8"><title>Explorer</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{explorers.load_bundle().styles()}
body {{ margin: 0; background: {background}; font: 16px/1.5 sans-serif }}
h1 {{ color: gray; font-size: 1.5rem }} main {{ max-width: 44rem; margin: auto; padding: 1rem }}
</style></head>
<body><main><h1>Explorer</h1>{explorer_html}</main><script>{explorers.script()}</script></body></html>"""


def set_state(page, state: dict) -> None:
    """Set traits as a kernel would; what has no JSON, such as NaN, is written as JavaScript."""
    literal = json.dumps(state)
    page.evaluate(
        f"""async () => {{
            const model = document.querySelector("[data-explorer]").explorerModel;
            for (const [name, value] of Object.entries({literal})) model.set(name, value);
            await new Promise(requestAnimationFrame);
        }}"""
    )


def get_state(page, name: str):
    return page.evaluate("(name) => document.querySelector('[data-explorer]').explorerModel.get(name)", name)


def numbers_on(page) -> dict[str, float]:
    """All numbers shown, {ref: value with all digits}; a cell keeps what was written in it."""
    text = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".body [data-ref]")].map(
            (cell) => [cell.dataset.ref, String(cell.written?.value ?? cell.dataset.value)]))"""
    )
    return {ref: float(value.replace("Infinity", "inf")) for ref, value in text.items()}


def cell(page, ref: str):
    return page.locator(f'td[data-ref="{ref}"]')


def lit(page) -> set[str]:
    """The references of the numbers that light up because the explained one was made from them, or is the same."""
    return set(page.evaluate("() => [...document.querySelectorAll('.body td.lit')].map((cell) => cell.dataset.ref)"))


def button(page, group: str, name: str):
    return page.get_by_role("group", name=group, exact=True).get_by_role("button", name=name, exact=True)


def explained_numbers(page) -> dict[str, dict]:
    """For each number of the graph, shown or not: its value, its operands, and where it stands once more."""
    return page.evaluate(
        """() => {
            const { graph } = document.querySelector("[data-explorer]").explorer;
            return Object.fromEntries([...graph.matrices].flatMap(([name, { values }]) =>
                values.flatMap((row, i) => row.map((_, j) => {
                    const { operands, also, value } = graph.explain(`${name}/${i}/${j}`);
                    return [`${name}/${i}/${j}`, { operands, also, value }];
                }))));
        }"""
    )


# Where a chain of operands may end.
ENDS = {"token_ids", "vocabulary"}


def without_origin(numbers: dict[str, dict]) -> list[str]:
    """The numbers from which some chain of operands ends elsewhere than at a token id, or comes back to itself."""
    ends: dict[str, bool] = {}

    def ends_well(ref: str) -> bool:
        if ref not in ends:
            ends[ref] = False  # a chain that comes back to itself never ends
            operands = numbers[ref]["operands"]
            ends[ref] = all(map(ends_well, operands)) if operands else ref.split("/")[0] in ENDS
        return ends[ref]

    return [ref for ref in numbers if not ends_well(ref)]


def text_of_explanation(page) -> str:
    return page.locator(".explanation").inner_text()


def touch_drag(page, start: tuple[float, float], end: tuple[float, float], steps: int = 8) -> None:
    """One finger put down, moved and lifted; coordinates in CSS pixels of the window."""
    client = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    send("touchStart", start)
    for step in range(1, steps + 1):
        send("touchMove", tuple(a + (b - a) * step / steps for a, b in zip(start, end, strict=True)))
    send("touchEnd")


def middle_of(locator) -> tuple[float, float]:
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
