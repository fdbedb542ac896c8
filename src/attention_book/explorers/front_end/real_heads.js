// All heads of a published model over some sentences, one of them opened.

import { toggle } from "./controls.js";
import { make, phrase, show, showSmall } from "./elements.js";
import { Graph } from "./graph.js";
import { Grid } from "./grid.js";
import { Problem } from "./shell.js";

const [LAYER_COUNT, HEAD_COUNT] = [6, 12];
const LEAST_LEFT = 1e-4;
const among = (place, size) => Number.isInteger(place) && place >= 0 && place < size;
const divided = (row, sum = row.reduce((total, number) => total + number, 0)) => row.map((number) => number / sum);

// What was decoded last: every change of head would decode the sentence again.
let decodedLast = {};

/** The maps of a sentence, [layer · 12 + head][query][key]: one byte each, on a scale of squares; see head_maps.py. */
function mapsOf({ tokens: { length }, maps }) {
  if (decodedLast.maps === maps) return decodedLast.decoded;
  const squares = Array.from(atob(maps), (sign) => (sign.charCodeAt(0) / 255) ** 2);
  if (squares.length !== LAYER_COUNT * HEAD_COUNT * length ** 2) throw new Problem("bad_numbers");
  const rowAt = (place) => {
    const row = squares.slice(place * length, (place + 1) * length);
    const left = Math.max(1 - row[0] - row[length - 1], LEAST_LEFT);
    return divided([row[0], ...divided(row.slice(1, -1)).map((share) => share * left), row[length - 1]]);
  };
  const decoded = Array.from({ length: LAYER_COUNT * HEAD_COUNT }, (_, map) => Array.from({ length }, (_, i) => rowAt(map * length + i)));
  decodedLast = { maps, decoded };
  return decoded;
}

const withoutSpecial = (map) => map.slice(1, -1).map((row) => divided(row.slice(1, -1)));

export const explorer_real_heads = {
  traits: ["sentences", "sentence", "layer", "head", "special"],

  first({ special }, graph) {
    const { values } = graph.matrix(special ? "model" : "words");
    const i = special ? 1 : 0;
    return `${special ? "model" : "words"}/${i}/${values[i].indexOf(Math.max(...values[i]))}`;
  },

  compute({ sentences, sentence, layer, head, special }, words) {
    if (!(among(sentence, sentences.length) && among(layer, LAYER_COUNT) && among(head, HEAD_COUNT))) throw new Problem("bad_numbers");
    const { tokens } = sentences[sentence];
    const map = mapsOf(sentences[sentence])[layer * HEAD_COUNT + head];
    const graph = new Graph(words.numbers);
    const common = { quantity: "weights", full: 1, code: "weights", head: `${layer}, ${head}` };
    graph.add("model", { ...common, values: map, kind: "model_weight", rows: tokens, columns: tokens, write: special ? show : showSmall });
    if (special) return graph;
    const shown = tokens.slice(1, -1);
    graph.add("words", {
      ...common, values: withoutSpecial(map), kind: "weight_of_words", code: "words", rows: shown, columns: shown, rule: "written",
      terms: (i, j) => [[{ ref: `model/${i + 1}/${j + 1}` }, "/"], ...shown.map((_, k) => [k ? "+" : "(", { ref: `model/${i + 1}/${k + 1}` }]), ")"],
    });
    return graph;
  },

  view(shell) {
    const { own } = shell.words;
    const { sentences } = shell.start;
    const shown = () => {
      const { sentence, special } = shell.state();
      const { tokens } = shell.state().sentences[sentence];
      return special ? tokens : tokens.slice(1, -1);
    };
    const select = make(
      "select", { "aria-label": own.sentence, onchange: () => choose(Number(select.value)) },
      Object.entries(own.languages).map(([language, label]) => make("optgroup", { label }, sentences.map((entry, value) =>
        entry.language === language && make("option", { value, lang: language }, entry.text)).filter(Boolean))),
    );
    const special = toggle({ label: own.special, change: (on) => shell.afresh({ special: on }) });
    const maps = Array.from({ length: LAYER_COUNT * HEAD_COUNT }, (_, place) => {
      const at = { layer: Math.floor(place / HEAD_COUNT), head: place % HEAD_COUNT };
      const button = make("button", { type: "button", tabindex: "-1", "aria-pressed": "false", "aria-label": phrase(own.opened, at).join(""), onclick: () => shell.set(at) });
      return { at, button };
    });
    const canvas = make("canvas");
    const pictures = make("div", { class: "pictures" }, canvas);
    const number = (text) => make("span", { "aria-hidden": "true" }, String(text));
    const field = make(
      "div", { class: "maps", role: "group", "aria-label": own.maps, onkeydown: turn }, pictures, number(""), maps.slice(0, HEAD_COUNT).map(({ at }) => number(at.head)),
      maps.flatMap(({ at, button }) => (at.head ? [button] : [number(at.layer), button])),
    );
    const caption = make("span");
    let drawn = {};
    let opened;
    const large = () => ({
      class: "dense", caption, corner: own.query, rows: shown().length, columns: shown().length, rowLabel: (i) => shown()[i], columnLabel: (j) => shown()[j],
      id: shell.state().special ? "model" : "words",
    });
    const grid = new Grid(shell, large());

    // A page brings the maps of one sentence, and those of the others when one of them is chosen.
    async function choose(sentence) {
      const { sentences: all } = shell.state();
      if (!all[sentence].maps && shell.model.rest) (await shell.model.rest()).forEach((maps, place) => (all[place].maps = maps));
      shell.afresh({ sentence });
      select.value = shell.state().sentence;
    }

    function open(button) {
      opened?.setAttribute("aria-pressed", false);
      opened?.setAttribute("tabindex", -1);
      opened = button;
      opened.setAttribute("aria-pressed", true);
      opened.setAttribute("tabindex", 0);
    }

    function turn(event) {
      const { layer, head } = shell.state();
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const at = { layer: layer + step[0], head: head + step[1] };
      if (!among(at.layer, LAYER_COUNT) || !among(at.head, HEAD_COUNT)) return;
      shell.set(at);
      maps[at.layer * HEAD_COUNT + at.head].button.focus();
    }

    return {
      controls: [select, special.element],
      body: make("div", {}, make("p", { class: "verdict" }, own.maps), field, make("div", { class: "matrix" }, grid.element)),
      tall: true,
      grids: () => [grid],
      refresh(graph, state) {
        const { maps: encoded, tokens } = state.sentences[state.sentence];
        if (drawn.encoded !== encoded || drawn.tokens !== tokens) drawn = { encoded, tokens };
        if (drawn.special !== state.special) {
          drawn.special = state.special;
          grid.use(large());
          const all = mapsOf(state.sentences[state.sentence]);
          // Kept for the reader who compares the two.
          const picture = (drawn[state.special] ??= pictureOf(state.special ? all : all.map(withoutSpecial)));
          const { width, height } = picture;
          Object.assign(canvas, { width, height });
          canvas.getContext("2d").putImageData(picture, 0, 0);
          // The lines round the maps lie half in one button and half in the next.
          pictures.style.inset = `${-50 / (height - 1)}% ${-50 / (width - 1)}%`;
        }
        select.value = state.sentence;
        special.show(state.special);
        caption.replaceChildren(...phrase(own.opened, state));
        grid.refresh(graph);
        open(maps[state.layer * HEAD_COUNT + state.head].button);
      },
    };
  },
};

/**
 * All maps as one picture, behind the buttons: a canvas for each would be handed to the screen one by one. A weight is
 * a pixel through which the color behind it is seen; between the maps runs a line of one pixel.
 */
function pictureOf(maps) {
  const side = maps[0].length + 1;
  const picture = new ImageData(HEAD_COUNT * side + 1, LAYER_COUNT * side + 1);
  const pixels = new Uint32Array(picture.data.buffer).fill(0xffffffff);
  maps.forEach((map, place) => {
    const [top, left] = [Math.floor(place / HEAD_COUNT) * side + 1, (place % HEAD_COUNT) * side + 1];
    map.forEach((row, i) => row.forEach((weight, j) => {
      pixels[(top + i) * picture.width + left + j] = Math.round(255 * (1 - weight)) * 0x1000000 + 0xffffff;
    }));
  });
  return picture;
}
