// Numbers that fly from one place to another, for readers who do not mind motion.

import { make } from "./elements.js";

// More would not be followed by any eye, and would make the page wait.
const MOST_FLIGHTS = 200;

/** `legs` are lists of pairs of cells, from and to; each leg begins when the one before has landed. */
export function fly(sky, legs) {
  const pairs = legs.flatMap((found, leg) => found.filter(([, to]) => to).map(([from, to]) => [leg, from, to]));
  const still = pairs.length > MOST_FLIGHTS || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const zero = still || sky.getBoundingClientRect();
  const flights = still ? [] : pairs.map(([leg, from, to]) => [leg, from, from.getBoundingClientRect(), to.getBoundingClientRect()]);
  sky.replaceChildren();
  for (const [leg, { textContent, dataset }, start, end] of flights) {
    const flyer = make("span", { "data-quantity": dataset.quantity }, textContent);
    Object.assign(flyer.style, { left: `${start.x - zero.x}px`, top: `${start.y - zero.y}px`, width: `${start.width}px` });
    sky.append(flyer);
    const transform = `translate(${end.x - start.x}px, ${end.y - start.y}px)`;
    flyer.animate(
      [{ opacity: 0 }, { opacity: 1, offset: 0.05 }, { opacity: 1, transform }],
      { duration: 700, delay: leg * 700, easing: "ease-in-out", fill: "backwards" },
    ).onfinish = () => flyer.remove();
  }
}
