import { make } from "../worker/elements.js";
import { layout, legend, pieces } from "./findings.js";
import { gettext } from "../worker/language.js";

/** Lay the right answer and the worker's over each other in the text: the worker's above the
 * words, the right one below them. The list beside it shows the right one.
 *
 * @param tools  {AnswerEditor, dates, makeToken} of the page, which has them already */
export function layFeedback({ text, list, finder, palette }, page, { findings, right }, tools) {
  const laid = layout(findings);
  // They say what the colours mean, and no more what to do, or by which key; counts of the worker's own
  // answer would seem to be those of the right one below.
  for (const each of palette.querySelectorAll("small, .palette-count, .key")) each.remove();
  for (const button of palette.querySelectorAll("button")) {
    Object.assign(button, { ariaDisabled: "true", tabIndex: -1 });
  }
  text.role = "group";
  text.ariaRoleDescription = null;
  text.ariaLabel = gettext("Text with your answer and the right one");
  const makeToken = (i) => tools.makeToken(page.tokens[i], i);
  text.drawAll((row, gaps, elements) =>
    pieces(row, gaps, laid).map((piece) => drawPiece(piece, makeToken, elements)),
  );
  text.before(makeLegend(findings));
  const editor = new tools.AnswerEditor(page, eachNamed(right));
  const showList = () => {
    list.show(gettext("The right answer"), gettext("There is nothing to mark in this text."), {
      editor, page, can: {}, inFocus: new Set(), linkName: (key) => finder.described(key),
      dateWords: tools.dates.dateWords,
    });
  };
  showList();
  void finder.learn(right.entities).then((hasLearnt) => hasLearnt && showList());
  list.addEventListener("list-choose", ({ detail }) => {
    text.reveal(right.mentions.find(({ id }) => id === detail.ids[0]).start);
  });
}

/** A known answer may leave out who is meant: then each mention stands for itself in the list. */
export function eachNamed(answer) {
  const alone = answer.mentions.filter(({ entity }) => entity === null);
  const own = ({ id }) => ({ id: `alone ${id}`, canonical: id, link: null, value: null });
  return {
    ...answer,
    mentions: answer.mentions.map((one) => (one.entity ? one : { ...one, entity: own(one).id })),
    entities: [...answer.entities, ...alone.map(own)],
  };
}

function drawPiece({ over, parts }, makeToken, elements) {
  const numbers = parts.filter(Number.isInteger);
  const nodes = parts.map((part) => {
    if (typeof part === "string") return part;
    if (typeof part === "object") return makeLabel(part);
    elements[part] = makeToken(part);
    return elements[part];
  });
  const drawn = make("span", {}, ...nodes);
  return over.reduceRight((inside, line) => makeLine(line, numbers, inside), drawn);
}

/** A part of a line, with the edges that it has there. */
function makeLine({ start, end, isKnown, kind, level }, numbers, inside) {
  const mark = make("mark", { className: `finding finding-${isKnown ? "right" : "yours"}` }, inside);
  mark.classList.toggle("finding-wrong", kind !== "right");
  mark.classList.toggle("finding-from", numbers[0] === start);
  mark.classList.toggle("finding-to", numbers.at(-1) === end - 1);
  mark.style.setProperty("--level", level);
  return mark;
}

function makeLabel({ words, isRight = false }) {
  const className = isRight ? "finding-label finding-label-right" : "finding-label";
  return make("span", { className, dir: document.dir || "ltr" }, words);
}

function makeLegend(findings) {
  const sample = (side, words) =>
    make("mark", { className: `finding finding-${side} finding-from finding-to` }, words);
  const kinds = legend(findings).map(([label, words]) =>
    make("li", {}, makeLabel({ words: label }), ` ${words}`),
  );
  const samples = {
    "{yours}": () => sample("yours", gettext("your answer")),
    "{right}": () => sample("right", gettext("the right one")),
  };
  const sentence = gettext("Above the words is {yours}, below them {right}.");
  const nodes = sentence.split(/(\{\w+\})/).map((piece) => samples[piece]?.() ?? piece);
  const sides = make("p", {}, ...nodes);
  return make("div", { className: "finding-legend" }, sides, make("ul", {}, ...kinds));
}
