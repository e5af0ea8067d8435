import { gettext } from "../worker/language.js";

/** The keys of a linking task: single characters that can be remapped, and the fixed ones. */

const PILES = 9;

/** What `shortcuts.define` takes. */
export function pileActions(can) {
  const own = [
    ["same", "s", gettext("The same as the first pile, or as the one in focus")],
    ["apart", "n", gettext("New pile")],
    ["unsure", "u", gettext("Can’t tell")],
    ["hold", "f", gettext("Keep this pile in focus, or let it go")],
    ["whole", "a", gettext("Choose the whole pile")],
    ["board", "g", gettext("All piles, or one card after the other")],
  ];
  if (can.link) own.push(["link", "/", gettext("Link the pile to the knowledge base")]);
  for (let number = 1; number <= PILES; number += 1) {
    const does = gettext("The same as pile {number} beside the card", { number });
    own.push([`pile:${number}`, String(number), does]);
  }
  return own.map(([action, key, does]) => ({ action, key, does, group: gettext("Cards") }));
}

/** What the list of keys shows beside those that can be remapped. */
export const FIXED_PILE_KEYS = [
  [["Enter"], gettext("The next undecided card; submit where none is left")],
  [["←", "→"], gettext("The card before, or the next one")],
  [["↑", "↓"], gettext("Among all piles: go to a card; the pile that you leave comes into focus")],
  [["Shift", "←", "→"], gettext("Choose several cards")],
  [["Home"], gettext("The first card")],
  [["End"], gettext("The last card")],
  [["Space"], gettext("The pile side by side with others")],
  [["Del"], gettext("Take out of the pile")],
  [["Esc"], gettext("Choose one card alone; close")],
].map(([keys, does]) => ({ group: gettext("Cards"), keys, does }));
