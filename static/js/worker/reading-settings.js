export const KEPT_AS = "reading"; // under this name the device keeps {token: its value}; "" is the page's own

/** Set the text as the reader of this device likes it. */
export function showReading(device) {
  const { style } = document.documentElement;
  for (const [token, value] of Object.entries(device.recall(KEPT_AS) ?? {})) style.setProperty(token, value);
}
