/** Lift the line that says where the answer stands above what is chosen, where it would cover that:
 * pressed once more, it is what shall be pressed. */
export function keepOff(line, chosen) {
  line.style.setProperty("--lift", "0px");
  const { top, bottom } = line.getBoundingClientRect();
  const covered = chosen
    .map((button) => button.getBoundingClientRect())
    .filter((place) => place.top < bottom && place.bottom > top);
  const lift = bottom - Math.min(bottom, ...covered.map((place) => place.top));
  line.style.setProperty("--lift", `${lift}px`);
}
