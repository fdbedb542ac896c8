"""What axe finds wrong on an open page, by WCAG 2.2 A and AA and by best practice."""

from pathlib import Path

import axe_playwright_python

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
RUN = """async (values) => {
    const { violations } = await axe.run({ runOnly: { type: "tag", values }, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target} ${html}`));
}"""


def axe_faults(page) -> list[str]:
    """The rule, the place and the element of each fault; the page's policy has to let axe's own script in."""
    page.evaluate(AXE)
    return page.evaluate(RUN, TAGS)
