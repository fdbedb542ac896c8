// Brings the explorers of a page to life: each gets a small model in place of the notebook's kernel.

class PageModel {
  constructor(content) {
    this.content = content;
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

  on(event, listener) {
    (this.listeners[event] ??= []).push(listener);
  }

  off(event, listener) {
    this.listeners[event] = (this.listeners[event] ?? []).filter((other) => other !== listener);
  }
}

for (const place of document.querySelectorAll("[data-explorer]")) {
  const tables = [...place.childNodes];
  try {
    const model = new PageModel(JSON.parse(place.dataset.content));
    place.explorer = new Shell(EXPLORERS[place.dataset.explorer], model, place);
    place.explorerModel = model;
  } catch (error) {
    // The tables are better than nothing.
    place.replaceChildren(...tables);
    console.error(error);
  }
}
