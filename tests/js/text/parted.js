/** Words as the tokeniser parts them, with the gaps between them. */
export function parted(text) {
  const tokens = text.match(/[\p{L}\p{N}]+(?:(?<=\p{Nd})[.,](?=\p{Nd})[\p{L}\p{N}]+)*|\S/gu);
  const gaps = [];
  let at = 0;
  for (const token of tokens) {
    gaps.push(text.slice(at, text.indexOf(token, at)));
    at += gaps.at(-1).length + token.length;
  }
  return { tokens, gaps: [...gaps, text.slice(at)] };
}
