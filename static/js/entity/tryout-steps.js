import { quoted } from "../text/quoted.js";
import { spanText } from "../text/tokens.js";
import { gettext } from "../worker/language.js";

const MOST_STEPS = 3; // half a minute's

/** What is to be marked in the first practice text, one name after the other; the text ends with the
 * sentence of the last. */
export function tryoutSteps(page, known) {
  const names = [...known.mentions].sort((a, b) => a.start - b.start).slice(0, MOST_STEPS);
  const end = endOfSentence(page, names.at(-1)?.end ?? 1);
  const types = page.types.map(({ value, ...type }) => type); // no date is asked for
  const tried = { ...upTo(page, end), types, coreference: false, linking: false };
  return { page: tried, steps: names.map((name) => stepOf(name, tried)) };
}

function stepOf({ start, end, type }, page) {
  const params = { name: quoted(spanText(page, { start, end })), type };
  const isTouched = globalThis.matchMedia?.("(pointer: coarse)").matches;
  return {
    words: (keyOf) => howTo(end - start, { ...params, key: keyOf(`type:${type}`) }, isTouched),
    isDone: ({ mentions }) =>
      mentions.some((mention) => mention.start === start && mention.end === end && mention.type === type),
    lacks: ({ mentions }) => lacking(mentions.find((mention) => mention.start < end && start < mention.end), { start, end }),
  };
}

/** What is not yet right in the mention of a name that is wanted; "" where there is none. */
function lacking(mention, { start, end }) {
  if (!mention) return "";
  const isCut = mention.start === start && mention.end === end;
  return isCut ? gettext("The words are right, but not the type yet.") : gettext("These are not exactly the right words yet.");
}

function howTo(length, params, isTouched) {
  if (isTouched) {
    return length > 1
      ? gettext("Tap the first and the last word of {name}, then choose {type}.", params)
      : gettext("Tap {name}, then choose {type}.", params);
  }
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
