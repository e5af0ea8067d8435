/** Tasks for the tests: text with a blank between words, and answers in short. */

import { aided } from "../../../static/js/entity/aided.js";
import { clashWords } from "../../../static/js/entity/clash-words.js";
import { ghostMenu } from "../../../static/js/entity/ghost-menu.js";
import { Ghosts } from "../../../static/js/entity/ghosts.js";
import { prepareSuggestions } from "../../../static/js/entity/suggestions.js";

Object.assign(aided, { clashWords });

await prepareSuggestions({ suggestions: true }, async () => ({ Ghosts, ghostMenu }));

export function makePage(text, more = {}) {
  const tokens = text.split(/\s+/).filter(Boolean);
  const gaps = text.split(/\S+/);
  return {
    tokens, gaps, sentences: [[0, tokens.length]], direction: "ltr", language: "en",
    types: [
      { name: "PER", key: "p", colour: 1, description: "A person", value: null },
      { name: "LOC", key: "l", colour: 2, description: "A place", value: null },
    ],
    nested: false, coreference: true, linking: true, ...more,
  };
}

/** makeAnswer("m1:0-2:PER:e1", …): the entities follow from the mentions. */
export function makeAnswer(...lines) {
  const mentions = lines.map((line) => {
    const [id, span, type, entity] = line.split(":");
    const [start, end] = span.split("-").map(Number);
    return { id, start, end, type, entity: entity ?? null };
  });
  const names = [...new Set(mentions.map(({ entity }) => entity).filter(Boolean))];
  const entities = names.map((id) => ({
    id, canonical: mentions.find(({ entity }) => entity === id).id, link: null, value: null,
  }));
  return { mentions, entities, unlabelled: [] };
}

export function inShort({ mentions }) {
  return mentions.map(({ id, start, end, type, entity }) =>
    [id, `${start}-${end}`, type, entity].filter((part) => part !== null).join(":"),
  );
}
