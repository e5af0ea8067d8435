/** What the keys of a linking task do, in words: loaded for the list of keys. */

import { gettext } from "../worker/language.js";

const CARDS = gettext("Cards");
const PILE = gettext("The same as that pile beside the card");
const WORDS = {
  same: gettext("The same as the likeliest pile; several chosen cards: put them together"),
  apart: gettext("New pile"),
  unsure: gettext("Can’t tell"),
  hold: gettext("Keep this pile in focus, or let it go"),
  whole: gettext("Choose the whole pile"),
  board: gettext("All piles, or one card after the other"),
  namesakes: gettext("Piles of one name side by side"),
  link: gettext("Link the pile to the knowledge base"),
};
const OF_FRAME = { submit: gettext("The next undecided card; submit where none is left") };
const KEYS = { Home: gettext("Home"), End: gettext("End") }; // as they stand on a keyboard
const FIXED = [
  [["←", "→"], gettext("The card before, or the next one")],
  [["↑", "↓"], gettext("Scroll the card’s text; among all piles: go to a card")],
  [["Shift", "←", "→"], gettext("Choose several cards")],
  [[KEYS.Home], gettext("The first card")],
  [[KEYS.End], gettext("The last card")],
  [["Space"], gettext("The pile side by side with others")],
  [["Del"], gettext("Take out of the pile")],
  [["Esc"], gettext("Choose one card alone; close")],
].map(([keys, does]) => ({ group: CARDS, keys, does }));

/** See `startWork`, keys. */
export function keyWords() {
  return { fixed: FIXED, ofFrame: OF_FRAME, wordsOf };
}

function wordsOf(action) {
  const [verb, number] = action.split(":");
  if (verb === "pile") return [CARDS, gettext("The same as pile {number} beside the card", { number }), PILE];
  return [CARDS, WORDS[verb]];
}
