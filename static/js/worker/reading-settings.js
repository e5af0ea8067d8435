const KEPT_AS = "reading"; // under this name the device keeps {size, width, lines, face}

/** What a reader can choose: setting → choice → the value of its token; "" is the page's own. */
export const READING = {
  size: { token: "--text-size", small: "1rem", usual: "", large: "1.375rem", largest: "1.625rem" },
  width: { token: "--measure", narrow: "30rem", usual: "", wide: "60rem" },
  lines: { token: "--text-lines", tight: "1.5", usual: "", loose: "2.2" },
  face: { token: "--text-face", usual: "", columns: "var(--mono)" },
};

/** What the worker of this device has chosen. */
export function readingOf(device) {
  return device.recall(KEPT_AS) ?? {};
}

export function chooseReading(device, chosen) {
  device.remember(KEPT_AS, chosen);
  showReading(device);
}

/** Set the text as its reader likes it. */
export function showReading(device) {
  const chosen = readingOf(device);
  const { style } = document.documentElement;
  for (const [name, { token, ...values }] of Object.entries(READING)) {
    style.setProperty(token, values[chosen[name]] ?? "");
  }
}
