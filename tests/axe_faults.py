"""What axe finds wrong on an open page, by WCAG 2.2 A and AA and by best practice."""

from pathlib import Path

import axe_playwright_python

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]

# The contrast of a text follows from its color, size and weight and from what is behind it. A chapter has thousands of
# words of code that are equal in all of these: axe, which takes milliseconds for each, is given a few of each kind.
TEXTS = """() => {
    const OF_EACH = 4;
    const FIELDS = "input, select, textarea";
    const PLAIN = "rgba(0, 0, 0, 0) none 1 none normal";
    const known = new Map([[null, ""]]);
    const behind = (element) => {
        if (!known.has(element)) {
            const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(element);
            const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join(" ");
            known.set(element, behind(element.parentElement) + (own === PLAIN ? "" : `/${own}`));
        }
        return known.get(element);
    };
    const isText = ({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim();
    // Of a single letter axe says nothing.
    const isLong = (text) => isText(text) && text.data.trim().length > 1;
    const kinds = new Map();
    for (const element of document.querySelectorAll("body, body *")) {
        const typed = element.matches(FIELDS);
        const { width, height } = element.getBoundingClientRect();
        const seen = width > 3 && height > 3 && element.checkVisibility({ visibilityProperty: true });
        if (!seen || !(typed || [...element.childNodes].some(isText))) continue;
        const { color, fontSize, fontWeight, textShadow, webkitTextStrokeColor } = getComputedStyle(element);
        const off = Boolean(element.closest(":disabled, [aria-disabled=true], label:has(:disabled)"));
        const long = [...element.childNodes].some(isLong);
        const font = [color, fontSize, fontWeight, textShadow, webkitTextStrokeColor];
        const kind = [typed, long, off, ...font, behind(element)].join(" ");
        if (!kinds.has(kind)) kinds.set(kind, []);
        kinds.get(kind).push(element);
    }
    // Fields are few, and what is written in an empty one has a color of its own: all of them.
    const few = (equal) => equal.filter((element, at) => at < OF_EACH || element.matches(FIELDS));
    return [...kinds.values()].flatMap(few);
}"""
RUN = """async ([tags, texts]) => {
    const [contrast, resultTypes] = ["color-contrast", ["violations"]];
    const rest = { runOnly: { type: "tag", values: tags }, rules: { [contrast]: { enabled: false } }, resultTypes };
    const include = eval(texts)();
    const results = [await axe.run(rest), await axe.run({ include }, { runOnly: [contrast], resultTypes })];
    return results.flatMap(({ violations }) => violations).flatMap(
        ({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target} ${html}`));
}"""
# What the browser skips until the reader comes near: the reader has been there, and all of it is shown.
READ = """async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
        scrollTo(0, y);
        await frame();
        await frame();
    }
    scrollTo(0, 0);
}"""
ALL_SHOWN = "* { content-visibility: visible !important }"


def axe_faults(page) -> list[str]:
    """The rule, the place and the element of each fault; the page's policy has to let axe's own script in."""
    page.evaluate(READ)
    page.add_style_tag(content=ALL_SHOWN)
    page.evaluate(AXE)
    return page.evaluate(RUN, [TAGS, TEXTS])
