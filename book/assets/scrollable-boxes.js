// A formula or a figure wider than the screen scrolls in its own box; the keyboard must reach it too.
const markScrollable = () => {
  for (const box of document.querySelectorAll("div.math, div.cell_output")) {
    box.toggleAttribute("tabindex", false);
    if (box.scrollWidth > box.clientWidth) {
      box.tabIndex = 0;
    }
  }
};
addEventListener("load", markScrollable);
addEventListener("resize", markScrollable);
document.addEventListener("toggle", markScrollable, true);
