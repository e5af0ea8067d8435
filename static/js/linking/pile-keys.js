/** The keys of a linking task that can be remapped, each a single character. */

const PILES = 9;

/** What `shortcuts.define` takes; what each does stands in key-words.js. */
export function pileActions(can) {
  const own = [["same", "s"], ["apart", "n"], ["unsure", "u"], ["hold", "f"], ["whole", "a"], ["board", "g"], ["namesakes", "="]];
  if (can.link) own.push(["link", "/"]);
  for (let number = 1; number <= PILES; number += 1) own.push([`pile:${number}`, String(number)]);
  return own.map(([action, key]) => ({ action, key }));
}
