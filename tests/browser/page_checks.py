"""What any page must hold, looked at as it stands: `./run screenshots --check` does it with each.

No fault that axe knows, in light and dark; no wider than the window, at 400 % zoom of 1,280 px and
on paper too; and from its first to its last place by the Tab key, each with a ring that can be
seen.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.browser.accessible import violations

MOST_STOPS = 250  # what comes after these is more of the same
ZOOMED = {"width": 320, "height": 256}  # 1,280 × 1,024 px at 400 %

# Where the focus is, and what is wrong there. A ring is the outline of what is focused, or of what
# is drawn in its place: a label around it or what stands beside it.
STOP = """() => {
  const here = document.activeElement;
  if (!here || here === document.body) return null;
  window.stops ??= [];
  const faults = [];
  const name = `${here.tagName.toLowerCase()}${here.id && `#${here.id}`} "${(
    here.getAttribute("aria-label") || here.textContent || here.name || "").trim()
    .replace(/\\s+/g, " ").slice(0, 40)}"`;
  const again = window.stops.indexOf(here);
  const last = window.stops.at(-1);
  if (again >= 0 && again === window.stops.length - 1 && (window.parts = (window.parts ?? 0) + 1)
      < 12 && /^(date|time)/.test(here.type)) return { name, faults }; // its days, months, years
  window.parts = 0;
  if (again >= 0) return { name, again: again === window.stops.length - 1 ? "trap" : "round" };
  if (last && last.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_PRECEDING)
    faults.push("comes before what was focused last");
  window.stops.push(here);
  const drawn = (one) => {
    const style = getComputedStyle(one);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 &&
      one.getBoundingClientRect().width > 1;
  };
  const ringed = [here, here.parentElement, here.nextElementSibling, here.closest("label"),
    here.closest("label")?.firstElementChild].find((one) => one && drawn(one));
  if (!ringed) faults.push("has no ring");
  else {
    const style = getComputedStyle(ringed);
    const out = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
    const box = [...ringed.getClientRects()].map((one) => ({
      left: one.left - out, right: one.right + out,
      top: one.top - out, bottom: one.bottom + out }));
    for (let around = ringed.parentElement; around && around !== document.documentElement;
         around = around.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      const cut = box.some((one) =>
        (overflowX !== "visible" && (one.left < edge.left - 1 || one.right > edge.right + 1)) ||
        (overflowY !== "visible" && (one.top < edge.top - 1 || one.bottom > edge.bottom + 1)));
      if (cut && around !== document.body) {
        faults.push(`has a ring cut by ${around.tagName.toLowerCase()}.${around.className}`);
        break;
      }
      if (position === "fixed") break;
    }
    const { left, top, width, height } = ringed.getBoundingClientRect();
    if (left + width < 0 || left > innerWidth || top + height < 0 || top > innerHeight)
      faults.push("is outside the window");
    else {
      const [first] = ringed.getClientRects();
      const on = document.elementFromPoint(
        Math.min(Math.max(first.left + first.width / 2, 0), innerWidth - 1),
        Math.min(Math.max(first.top + Math.min(first.height / 2, 20), 0), innerHeight - 1));
      if (on && !ringed.contains(on) && !on.contains(ringed) && on.closest("label") !==
          ringed.closest("label"))
        faults.push(`is covered by ${on.tagName.toLowerCase()}.${on.className}`);
    }
  }
  return { name, faults };
}"""

# What can be focused and was not, and what a pointer alone can do.
MISSED = """() => {
  const seen = { visibilityProperty: true, contentVisibilityAuto: true };
  const shown = (one) => one.checkVisibility(seen) && !one.closest("[inert]");
  const can = "a[href], button, input, select, textarea, summary, [tabindex]";
  const missed = [...document.querySelectorAll(can)].filter((one) =>
    shown(one) && !one.disabled && one.tabIndex >= 0 && one.type !== "hidden"
    && !window.stops.includes(one)
    && !(one.type === "radio" && window.stops.some((stop) => stop.name === one.name)));
  const pointed = [...document.querySelectorAll("body *")].filter((one) =>
    shown(one) && getComputedStyle(one).cursor === "pointer" && !one.disabled
    && !one.closest(`${can}, label, select`) && !one.querySelector(can));
  const name = (one) => `${one.tagName.toLowerCase()}.${one.className} "${
    (one.textContent || "").trim().slice(0, 30)}"`;
  return [...missed.map((one) => `${name(one)} is not reached by Tab`),
    ...pointed.map((one) => `${name(one)} answers to the pointer alone`)];
}"""


def faults(page: Page, address: str) -> list[str]:
    """Of a page at 1,280 px; empty where there is none."""
    found = []
    size = page.viewport_size
    page.goto(address, wait_until="load")
    found += by_keys(page)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {fault}" for fault in violations(page)]
    page.set_viewport_size(ZOOMED)
    found += [f"400 %: {fault}" for fault in too_wide(page)]
    page.set_viewport_size({"width": 794, "height": 1123})  # A4
    page.emulate_media(media="print")
    found += [f"print: {fault}" for fault in too_wide(page)]
    page.emulate_media(media="screen")
    assert size is not None
    page.set_viewport_size(size)
    return found


def by_keys(page: Page) -> list[str]:
    """Each place that Tab comes to, once: from the first, wherever the page puts the focus."""
    found = []
    for _ in range(MOST_STOPS):
        if page.evaluate("document.activeElement === document.body"):
            break
        page.keyboard.press("Tab")
    for number in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop: dict[str, Any] | None = page.evaluate(STOP)
        if stop is None:
            break
        if again := stop.get("again"):
            if again == "trap":
                found.append(f"Tab: {stop['name']} holds the focus")
            break
        found += [f"Tab {number + 1}: {stop['name']} {fault}" for fault in stop["faults"]]
    else:
        return found
    return found + [f"Tab: {fault}" for fault in page.evaluate(MISSED)]


def too_wide(page: Page) -> list[str]:
    """What reaches beyond the window where the page scrolls sideways."""
    found: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
          [...document.querySelectorAll("body *")].filter((one) =>
            one.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map((one) =>
            `${one.tagName.toLowerCase()}.${one.className} is wider than the window`)"""
    )
    return found
