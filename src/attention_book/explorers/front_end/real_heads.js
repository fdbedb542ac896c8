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
      terms: (i, j) => [[{ ref: `model/${i + 1}/${j + 1}` }, "/ ("], ...shown.map((_, k) => [k > 0 && "+", { ref: `model/${i + 1}/${k + 1}` }]), ")"],
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
      "select", { "aria-label": own.sentence, onchange: () => shell.afresh({ sentence: Number(select.value) }) },
      Object.entries(own.languages).map(([language, label]) => make("optgroup", { label }, sentences.map((entry, value) =>
        entry.language === language && make("option", { value, lang: language }, entry.text)).filter(Boolean))),
    );
    const special = toggle({ label: own.special, change: (on) => shell.afresh({ special: on }) });
    const maps = Array.from({ length: LAYER_COUNT * HEAD_COUNT }, (_, place) => {
      const at = { layer: Math.floor(place / HEAD_COUNT), head: place % HEAD_COUNT };
      const canvas = make("canvas");
      const button = make("button", { type: "button", tabindex: "-1", "aria-pressed": "false", "aria-label": phrase(own.opened, at).join(""), onclick: () => shell.set(at) }, canvas);
      return { at, button, canvas };
    });
    const number = (text) => make("span", { "aria-hidden": "true" }, String(text));
    const field = make(
      "div", { class: "maps", role: "group", "aria-label": own.maps, onkeydown: turn }, number(""), maps.slice(0, HEAD_COUNT).map(({ at }) => number(at.head)),
      maps.flatMap(({ at, button }) => (at.head ? [button] : [number(at.layer), button])),
    );
    const caption = make("span");
    let drawn;
    let opened;
    const large = () => ({
      class: "dense", caption, corner: own.query, rows: shown().length, columns: shown().length, rowLabel: (i) => shown()[i], columnLabel: (j) => shown()[j],
      id: shell.state().special ? "model" : "words",
    });
    const grid = new Grid(shell, large());

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
        const now = `${state.sentence} ${state.special} ${state.sentences[state.sentence].maps}`;
        if (now !== drawn) {
          drawn = now;
          grid.use(large());
          mapsOf(state.sentences[state.sentence]).forEach((map, place) => draw(maps[place].canvas, state.special ? map : withoutSpecial(map)));
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

/** A map as a picture, a pixel for each weight, from white to black; the style sheet gives it its color. */
function draw(canvas, map) {
  if (canvas.width !== map.length) canvas.width = canvas.height = map.length;
  const context = canvas.getContext("2d");
  const picture = context.createImageData(map.length, map.length);
  const pixels = new Uint32Array(picture.data.buffer);
  map.flat().forEach((weight, place) => (pixels[place] = 0xff000000 + Math.round(255 * (1 - weight)) * 0x10101));
  context.putImageData(picture, 0, 0);
}
