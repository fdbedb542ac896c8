// Brings the explorers of a page to life: each gets a small model in place of the notebook's kernel.

class PageModel {
  constructor({ content, rest }) {
    this.content = JSON.parse(content);
    this.address = rest;
    this.listeners = {};
  }

  get(name) {
    return this.content[name];
  }

  set(name, value) {
    this.content[name] = value;
    for (const listener of [...(this.listeners[`change:${name}`] ?? [])]) listener();
  }

  // There is no kernel to tell.
  save_changes() {}

  // What the page leaves in a file until it is asked for; nothing if that is out of reach. The file is a script, since
  // a page opened from the disk may read no other.
  rest() {
    return new Promise((done) => {
      window.restOfExplorer = done;
      document.head.append(Object.assign(document.createElement("script"), { src: this.address, onerror: () => done([]) }));
    });
  }

  on(event, listener) {
    (this.listeners[event] ??= []).push(listener);
  }

  off(event, listener) {
    this.listeners[event] = (this.listeners[event] ?? []).filter((other) => other !== listener);
  }
}

function start(place) {
  const tables = [...place.childNodes];
  try {
    const model = new PageModel(place.dataset);
    place.explorer = new Shell(EXPLORERS[place.dataset.explorer], model, place);
    place.explorerModel = model;
  } catch (error) {
    // The tables are better than nothing.
    place.replaceChildren(...tables);
    console.error(error);
  }
}

// Those in the window at once, the others one after the other when the reader first moves: a phone that is still loading
// the page has enough to do.
const places = [...document.querySelectorAll("[data-explorer]")];
const waiting = places.filter((place) => place.getBoundingClientRect().top > innerHeight);
const MOVES = ["scroll", "pointermove", "pointerdown", "keydown", "focusin", "hashchange"];
function startOthers() {
  for (const kind of MOVES) removeEventListener(kind, startOthers);
  if (waiting.length) setTimeout(() => {
    start(waiting.shift());
    startOthers();
  });
}
for (const kind of MOVES) addEventListener(kind, startOthers, { passive: true });
for (const place of places) if (!waiting.includes(place)) start(place);
