import { ANY_RELATION, RELATION_ICONS } from "./icons.js";

const SVG = "http://www.w3.org/2000/svg";

/** The icon of a relation; of one that has none of its own, circle → square. */
export function relationIcon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "relation-icon");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", RELATION_ICONS[name] ?? ANY_RELATION);
  svg.append(path);
  return svg;
}

/** A wording with the names of both sides, each with the shape that it has in the text. */
export function wordingNodes(parts) {
  return parts.map(({ text, side }) => {
    if (side === null) return text;
    const name = document.createElement("bdi");
    name.className = `side side-${side}`;
    name.textContent = text;
    return name;
  });
}

/** The same with the shapes alone in sight: the question gives the names once, and the verb is what
 * one looks for. Who hears the page hears the names. */
function verbNodes(parts) {
  return parts.map(({ text, side }) => {
    // No line ends between a shape and the word beside it.
    if (side === null) return makeNode("b", "", text.replaceAll(/^\s+|\s+$/g, "\u00a0"));
    const shape = makeNode("bdi", `side side-${side} side-shape`, makeNode("span", "unseen", text));
    shape.title = text;
    return shape;
  });
}

export function makeNode(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

/** One answer of a group, that a press chooses. No <button>: there Enter would not submit. */
export function answerNode(option, isSmall) {
  const node = makeNode("div", isSmall ? "verdict" : "answer");
  node.role = "radio";
  node.ariaChecked = "false";
  node.dataset.action = option.action;
  if (option.isPlain) {
    node.append(relationIcon(option.icon));
    node.classList.add("answer-plain");
  }
  const nodes = isSmall || option.isPlain ? wordingNodes : verbNodes;
  const words = makeNode("span", "answer-words", ...nodes(option.wording));
  words.dir = "auto";
  node.append(words);
  return node;
}
