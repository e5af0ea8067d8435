/** Icons of the entity page, on a ground of 20 by 20. */

export const SVG = "http://www.w3.org/2000/svg";
const PATHS = {
  pen: "m4 16 1-3.5 8.5-8.5 2.5 2.5L7.5 15zM12 5.5 14.5 8",
  "next-name": "M3 10h8M8 6.5 11.5 10 8 13.5M13 6h4v8h-4z",
  "next-line": "M4 10h11M11 6l4 4-4 4",
  find: "M8.5 3.5a5 5 0 1 0 0 10a5 5 0 1 0 0-10M12.5 12.5l4 4",
};
const TURNED = new Set(["next-name", "next-line"]); // in a page from right to left

/** It says nothing: words stand beside it. */
export function makeIcon(name) {
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "0 0 20 20");
  icon.setAttribute("class", TURNED.has(name) ? "icon icon-turns" : "icon");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  icon.append(path);
  return icon;
}
