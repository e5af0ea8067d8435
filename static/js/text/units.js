/** A token, and those that `isGlued` says belong to the one before them, one after the other. */
export function grown({ tokens }, token, isGlued) {
  let start = token;
  let end = token + 1;
  while (start > 0 && isGlued(start)) start -= 1;
  while (end < tokens.length && isGlued(end)) end += 1;
  return { start, end };
}

// What is one unit where two tokens meet (here at \v): $700, 50%, 10:30, 1996-08-22.
const FIGURE = /[\p{Sc}%‰٪]\v\p{Nd}|\p{Nd}\v([\p{Sc}%‰٪\p{Nd}]|[-–/.:,]\p{Nd})|\p{Nd}[-–/.:,]\v\p{Nd}/u;
// And $ 700, 50 %, US$; but in "2004 $ 700" the sign may belong to either.
const SIGNED = /(?<!\p{Nd}\p{Zs}?)\p{Sc}\v\p{Zs}\p{Nd}|\p{Nd}\v\p{Zs}[\p{Sc}%‰٪](?!\p{Zs}?\p{Nd})|(?<!\p{L})\p{Lu}{1,3}\v\p{Sc}\p{Zs}?\p{Nd}/u;

/** What a token is a part of as a figure with its sign, a time or a date; else the token alone. Nothing is
 * taken along that `isTaken` already. */
export function unitAround(page, token, isTaken = () => false) {
  const { tokens, gaps } = page;
  const text = (i) => (i in tokens && !isTaken(i) ? tokens[i] : "");
  return grown(page, token, (i) => {
    const joint = `${text(i - 2)}${gaps[i - 1]}${text(i - 1)}\v${gaps[i]}${text(i)}${gaps[i + 1]}${text(i + 1)}`;
    return FIGURE.test(joint) || SIGNED.test(joint);
  });
}
