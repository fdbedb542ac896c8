// The search in the theme's dialog: it asks Pagefind's index of the pages in this language, loaded at the first letter.
{
  const MOST_RESULTS = 12;
  const MOST_SECTIONS = 3;
  const PAUSE = 150;
  const dialog = document.getElementById("pst-search-dialog");
  const form = dialog.querySelector("form");
  const field = form.querySelector("input");
  const status = dialog.querySelector(".search-status");
  const list = dialog.querySelector(".search-results");
  const endings = JSON.parse(form.dataset.endings);
  let index;

  const loadIndex = () => {
    const entry = new URL(form.dataset.index, location.href);
    index ??= import(entry).then(async (pagefind) => {
      await pagefind.options({ baseUrl: new URL("..", entry).pathname, excerptLength: 16 });
      await pagefind.init();
      return pagefind;
    });
    return index;
  };

  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  // The index takes singular and plural for different words where their endings differ much: ask for both.
  const forms = (word) => {
    const found = new Set([word]);
    for (const pair of endings) {
      for (const [own, other] of [pair, pair.toReversed()]) {
        if (word.endsWith(own)) found.add(word.slice(0, -own.length) + other);
      }
    }
    return [...found];
  };

  const queries = (words) =>
    words.reduce((begun, word) => begun.flatMap((query) => forms(word).map((form) => [...query, form])), [[]]).slice(0, 8);

  // Pagefind also gives words that share only a letter or two with an unknown one; those are no finds.
  const fits = (found, word) =>
    plain(found).includes(word.slice(0, Math.max(4, Math.ceil(word.length * 0.55))));

  // How good a result is: 0 if one of the words is not really there, less the more of the marks are something else.
  const value = (result, page, words) => {
    const text = page.raw_content.split(/\s+/);
    const marked = page.locations.map((place) => text[place] ?? "");
    const meant = marked.filter((found) => words.some((word) => fits(found, word)));
    const complete = words.every((word) => meant.some((found) => fits(found, word)));
    return complete ? (result.score * meant.length) / marked.length : 0;
  };

  const ask = async (words) => {
    const pagefind = await loadIndex();
    const pages = new Map();
    for (const query of queries(words)) {
      const { results } = await pagefind.search(query.join(" "));
      for (const result of results.slice(0, MOST_RESULTS)) {
        const page = await result.data();
        const score = value(result, page, query);
        if (score > (pages.get(page.url)?.score ?? 0)) pages.set(page.url, { score, page });
      }
    }
    return [...pages.values()].sort((a, b) => b.score - a.score).slice(0, MOST_RESULTS).map(({ page }) => page);
  };

  const link = (address, title, excerpt) => {
    const element = document.createElement("a");
    element.href = address;
    element.append(title);
    if (excerpt) {
      const text = document.createElement("span");
      text.className = "search-excerpt";
      text.innerHTML = excerpt; // Pagefind escapes the text and adds <mark>.
      element.append(text);
    }
    const item = document.createElement("li");
    item.append(element);
    return item;
  };

  const show = (pages) => {
    const items = pages.map((page) => {
      const sections = page.sub_results.filter((section) => section.url !== page.url).slice(0, MOST_SECTIONS);
      const item = link(page.url, page.meta.title, sections.length ? "" : page.excerpt);
      if (sections.length) {
        const inner = document.createElement("ul");
        inner.append(...sections.map((section) => link(section.url, section.title, section.excerpt)));
        item.append(inner);
      }
      return item;
    });
    list.replaceChildren(...items);
  };

  const update = async () => {
    const typed = field.value.trim();
    const words = plain(typed).split(/\s+/).filter(Boolean);
    let message = "";
    let pages = [];
    if (words.length) {
      try {
        pages = await ask(words);
        message = (pages.length ? form.dataset.found : form.dataset.none).replace("{count}", pages.length);
      } catch {
        index = undefined;
        message = form.dataset.failed;
      }
    }
    // Meanwhile the reader may have typed on.
    if (field.value.trim() === typed) {
      show(pages);
      status.textContent = message.replace("{words}", typed);
    }
  };

  let waiting;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, PAUSE);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const stops = [field, ...list.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement) + step];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });
  // A result on this very page changes the place, not the page.
  list.addEventListener("click", () => dialog.close());
  dialog.setAttribute("aria-label", field.getAttribute("aria-label"));
}
