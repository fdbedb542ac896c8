// In the contents of the page, the section that is being read is marked.
const sectionLinks = [...document.querySelectorAll(".bd-toc-nav .nav-link")];
const markSection = () => {
  const begun = (link) => document.getElementById(link.hash.slice(1)).getBoundingClientRect().top < innerHeight * 0.4;
  const current = sectionLinks.findLast(begun);
  for (const link of sectionLinks) {
    link.classList.toggle("active", link === current);
    link.parentElement.classList.toggle("active", link.parentElement.contains(current ?? null));
  }
};
let sectionFrame = 0;
const markSectionSoon = () => {
  sectionFrame ||= requestAnimationFrame(() => {
    sectionFrame = 0;
    markSection();
  });
};
addEventListener("scroll", markSectionSoon, { passive: true });
addEventListener("load", markSectionSoon);
