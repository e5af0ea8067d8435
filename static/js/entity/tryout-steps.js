import { quoted } from "../text/quoted.js";
import { spanText } from "../text/tokens.js";
import { gettext } from "../worker/language.js";
import { isTouched } from "../worker/touched.js";

const MOST_STEPS = 3; // half a minute's

/** What is to be marked in the first practice text, one name after the other; the text ends with the
 * sentence of the last. */
export function tryoutSteps(page, known) {
  const names = [...known.mentions].sort((a, b) => a.start - b.start).slice(0, MOST_STEPS);
  const end = endOfSentence(page, names.at(-1)?.end ?? 1);
  const types = page.types.map(({ value, ...type }) => type); // no date is asked for
  const tried = { ...upTo(page, end), types, coreference: false, linking: false };
  return { page: tried, steps: names.map((name) => stepOf(name, tried, names)) };
}

const isThere = (name, mentions) =>
  mentions.some(({ start, end, type }) => start === name.start && end === name.end && type === name.type);

function stepOf(name, page, names) {
  const { start, end, type } = name;
  const first = quoted(page.tokens[start]);
  const params = { name: quoted(spanText(page, { start, end })), first, type };
  const isLong = end - start > 1;
  return {
    words: (keyOf, isByKeys) => {
      const all = { ...params, key: keyOf(`type:${type}`) };
      if (isByKeys) return byKeys(isLong, all);
      return isTouched() ? byTaps(isLong, all) : byMouse(all);
    },
    isDone: ({ mentions }) => isThere(name, mentions),
    lacks: ({ mentions }, isByKeys) => {
      const mention = mentions.find((one) => one.start < end && start < one.end);
      if (mention) return lacking(mention, name, isByKeys);
      return mentions.every((one) => isThere(one, names)) ? null : ""; // what was amiss is off again
    },
  };
}

/** What is not yet right in the mention of a name that is wanted. */
function lacking(mention, { start, end }, isByKeys) {
  const isCut = mention.start === start && mention.end === end;
  if (isCut) return gettext("The words are right, but not the type yet.");
  return isByKeys
    ? gettext("These are not exactly the right words yet: take the mark off with Del, and mark them again.")
    : gettext("These are not exactly the right words yet.");
}

/** With no key for the type, its menu is opened. */
function byKeys(isLong, params) {
  if (isLong) {
    return params.key
      ? gettext("Go to {first} with the arrows, select {name} with Shift and the arrows, then press {key} for {type}.", params)
      : gettext("Go to {first} with the arrows, select {name} with Shift and the arrows, then press Enter and choose {type}.", params);
  }
  return params.key
    ? gettext("Go to {name} with the arrows, then press {key} for {type}.", params)
    : gettext("Go to {name} with the arrows, then press the space bar and choose {type}.", params);
}

function byTaps(isLong, params) {
  return isLong
    ? gettext("Tap the first and the last word of {name}, then choose {type}.", params)
    : gettext("Tap {name}, then choose {type}.", params);
}

function byMouse(params) {
  return params.key
    ? gettext("Drag over {name}, then press {key} for {type}.", params)
    : gettext("Drag over {name}, then choose {type}.", params);
}

function endOfSentence({ sentences, tokens }, at) {
  return sentences.find(([first, end]) => first < at && at <= end)?.[1] ?? tokens.length;
}

function upTo({ suggestions, ...page }, end) {
  return {
    ...page,
    tokens: page.tokens.slice(0, end),
    gaps: page.gaps.slice(0, end + 1),
    sentences: page.sentences.filter(([first]) => first < end),
  };
}
