// Numbers that fly from one place to another, for readers who do not mind motion.

import { make } from "./elements.js";

// More would not be followed by any eye, and would make the page wait.
const MOST_FLIGHTS = 200;

/** `legs` are lists of pairs of cells, from and to; each leg begins when the one before has landed. */
export function fly(sky, legs) {
  const pairs = legs.flatMap((found, leg) => found.filter(([, to]) => to).map(([from, to]) => [leg, from, to]));
  const still = pairs.length > MOST_FLIGHTS || matchMedia("(prefers-reduced-motion: reduce)").matches;
  sky.replaceChildren();
  // After the frame that shows what was asked for: that does not wait until the flights have been prepared.
  if (!still) requestAnimationFrame(() => setTimeout(() => takeOff(sky, pairs)));
}

function takeOff(sky, pairs) {
  const zero = sky.getBoundingClientRect();
  const flights = pairs.map(([leg, from, to]) => [leg, from, from.getBoundingClientRect(), to.getBoundingClientRect()]);
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
