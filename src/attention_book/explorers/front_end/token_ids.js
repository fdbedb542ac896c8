// A sentence that the reader types: its tokens, their ids, and what writing an accent in two ways does.

import { toggle } from "./controls.js";
import { make, phrase } from "./elements.js";
import { Graph } from "./graph.js";
import { Grid } from "./grid.js";
import { Problem } from "./shell.js";

// The same rule as attention_book.text: a word with inner hyphens and apostrophes, or any other visible character.
const INNER = "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]";
const WORD = new RegExp(`[\\p{L}\\p{N}_]${INNER}*(?:[-'’]${INNER}+)*`, "uy");
const INVISIBLE = /^[\s\p{C}\p{M}]/u;
const CHARACTERS = new Intl.Segmenter("en", { granularity: "grapheme" });
const LONGEST = 200;

export function tokenize(text) {
  const tokens = [];
  for (let at = 0; at < text.length; ) {
    WORD.lastIndex = at;
    const rest = text.slice(at);
    const found = WORD.exec(text)?.[0] ?? (INVISIBLE.test(rest) ? "" : CHARACTERS.segment(rest)[Symbol.iterator]().next().value.segment);
    if (found) tokens.push(found);
    at += found.length || String.fromCodePoint(rest.codePointAt(0)).length;
  }
  return tokens;
}

const tokensOf = ({ text, normalize }) => tokenize(normalize ? text.normalize("NFC") : text);
const codePoints = (text) => [...text].map((sign) => `U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`);

export const explorer_token_ids = {
  traits: ["text", "vocabulary", "normalize"],
  first: () => "token_ids/0/0",

  compute(state, words) {
    if (typeof state.text !== "string") throw new Problem("bad_numbers");
    const tokens = tokensOf(state);
    if (tokens.length === 0) throw new Problem("empty");
    const graph = new Graph(words.numbers);
    const unknown = state.vocabulary.indexOf("<unk>");
    const ids = tokens.map((token) => state.vocabulary.indexOf(token));
    const common = { rows: tokens, vector: "column", digits: 0, full: Infinity };
    graph.add("token_ids", {
      ...common, values: ids.map((id) => [id < 0 ? unknown : id]), code: "token_ids", quantity: "embeddings", kindOf: (i) => (ids[i] < 0 ? "unknown_id" : "known_id"),
    });
    graph.add("code_points", {
      ...common, values: tokens.map((token) => [[...token].length]), code: "code_points", kind: "code_points",
      parts: (i) => ({ list: make("code", {}, codePoints(tokens[i]).join(" ")) }),
    });
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const input = make("input", { type: "text", maxlength: LONGEST, spellcheck: "false", autocomplete: "off", oninput: () => shell.set({ text: input.value }) });
    const field = make("label", { class: "field" }, make("span", {}, own.sentence), input);
    const normalize = toggle({ label: own.normalize, change: (on) => shell.set({ normalize: on }) });
    const split = toggle({ label: own.split, change: (on) => shell.set({ text: shell.state().text.normalize(on ? "NFD" : "NFC") }) });
    const place = make("div");
    const note = make("p", { class: "verdict" });
    let grids = [];
    let built = "";
    return {
      controls: [field, normalize.element, split.element],
      body: make("div", {}, place, note),
      grids: () => grids,
      refresh(graph, state) {
        const { rows } = graph.matrix("token_ids");
        if (input.value !== state.text) input.value = state.text;
        normalize.show(state.normalize);
        split.show(state.text !== state.text.normalize("NFC"));
        const key = JSON.stringify(rows);
        if (key !== built) {
          built = key;
          const columns = ["token_ids", "code_points"];
          grids = [
            new Grid(shell, {
              caption: own.table, corner: own.token, rows: rows.length, columns: 2, class: "tokens",
              rowLabel: (i) => rows[i], columnLabel: (j) => own[columns[j]], ref: (i, j) => `${columns[j]}/${i}/0`,
            }),
          ];
          place.replaceChildren(grids[0].element);
        }
        grids[0].refresh(graph);
        const unknown = rows.filter((token) => !state.vocabulary.includes(token));
        note.replaceChildren(...(unknown.length ? phrase(own.unknown, { tokens: make("strong", {}, unknown.join(" ")) }) : [own.all_known]));
      },
    };
  },
};
