// What is wider than the screen scrolls in its own box; the keyboard must reach it too. The browser tells when a box has
// been laid out, opened, or shown after it was skipped, so that to look costs the page no layout of its own; the theme's
// script lays the page out anew for every box, and again after each change of an explorer.
const look = (boxes) => {
  const scrolls = boxes.map((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight);
  boxes.forEach((box, place) => {
    if (scrolls[place]) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
};
const sizes = new ResizeObserver((entries) => look(entries.map(({ target }) => target)));
const BOXES = "div.math, div.cell_output, div.cell_output > .output, .explorer-place, pre, .pst-scrollable-table-container";
for (const box of document.querySelectorAll(BOXES)) {
  sizes.observe(box);
  // In the next frame, when what was skipped has been laid out; what is skipped again stays as it was found.
  box.addEventListener("contentvisibilityautostatechange", ({ skipped }) => skipped || requestAnimationFrame(() => look([box])));
}
