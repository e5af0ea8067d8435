const SVG_SPACE = "http://www.w3.org/2000/svg";

/** A drawing of paths by their role: what is filled (f), drawn in ink (k), and drawn in the accent (w). */
export function draw(paths, [width, height]) {
  const svg = document.createElementNS(SVG_SPACE, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-hidden", "true");
  for (const [role, d] of Object.entries(paths)) {
    const path = document.createElementNS(SVG_SPACE, "path");
    path.setAttribute("class", `moment-${role}`);
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}
