/** The keys of a linking task: single characters that can be remapped, and the fixed ones. */

const PILES = 9;

/** What `shortcuts.define` takes. */
export function pileActions(can) {
  const own = [
    ["same", "s", "The same as the pile in focus"],
    ["apart", "n", "New pile; a single card on its own"],
    ["unsure", "u", "Unsure"],
    ["hold", "f", "Keep this pile in focus, or let it go"],
    ["whole", "a", "Choose the whole pile"],
    ["board", "g", "All piles, or one card after the other"],
  ];
  if (can.link) own.push(["link", "/", "Link the pile to the knowledge base"]);
  for (let number = 1; number <= PILES; number += 1) {
    own.push([`pile:${number}`, String(number), `The same as pile ${number} beside the card`]);
  }
  return own.map(([action, key, does]) => ({ action, key, does, group: "Cards" }));
}

/** What the list of keys shows beside those that can be remapped. */
export const FIXED_PILE_KEYS = [
  [["Enter"], "The next undecided card; hand in where none is left"],
  [["←", "→"], "The card before, or the next one: this one later"],
  [["↑", "↓"], "Among all piles: go to a card; the pile that you leave comes into focus"],
  [["Shift", "←", "→"], "Choose several cards"],
  [["Home"], "The first card"],
  [["End"], "The last card"],
  [["Space"], "Read the pile side by side with the one in focus"],
  [["Del"], "Take out of the pile"],
  [["Esc"], "Choose one card alone; close"],
].map(([keys, does]) => ({ group: "Cards", keys, does }));
