// A reader who changes the language stays at the same section: anchors are equal in all languages.
const keepAnchor = () => {
  for (const link of document.querySelectorAll(".language-switcher a")) {
    link.hash = location.hash;
  }
};
addEventListener("hashchange", keepAnchor);
keepAnchor();
