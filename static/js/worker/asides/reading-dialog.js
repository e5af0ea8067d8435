import { make } from "../elements.js";
import { closeFromOutside } from "../outside.js";
import { READING, chooseReading, readingOf } from "../reading-settings.js";
import { gettext } from "../language.js";

const SETTING_NAMES = {
  size: gettext("Size of the text"),
  width: gettext("Width of the lines"),
  lines: gettext("Space between lines"),
  face: gettext("Typeface"),
};
const SETTING_CHOICES = {
  usual: gettext("Usual"),
  small: gettext("Small"),
  large: gettext("Large"),
  largest: gettext("Largest"),
  narrow: gettext("Narrow"),
  wide: gettext("Wide"),
  tight: gettext("Tight"),
  loose: gettext("Loose"),
  columns: gettext("Fixed-width letters"),
};

/** The reader's settings, below their button; what is chosen is shown at once, and kept. */
export class ReadingDialog {
  #device;
  #button = document.querySelector("[data-act=reading]");
  #dialog;

  constructor(device) {
    this.#device = device;
    const chosen = readingOf(device);
    const rows = Object.keys(READING).map((name) => this.#row(name, chosen[name] ?? "usual"));
    this.#dialog = make("dialog", { className: "reading-dialog", ariaLabel: gettext("Reading") }, ...rows);
    this.#dialog.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.toggle();
    });
    this.#dialog.addEventListener("close", () => {
      this.#button.ariaExpanded = "false";
    });
    const isOutside = (target) => this.#dialog.open && !this.#dialog.contains(target) && !this.#button.contains(target);
    closeFromOutside(isOutside, () => this.#dialog.close());
    document.querySelector("[data-part=head]").append(this.#dialog);
  }

  toggle() {
    if (this.#dialog.open) {
      this.#dialog.close();
      this.#button.focus();
      return;
    }
    this.#dialog.show(); // not modal: the text shows what a choice does
    this.#button.ariaExpanded = "true";
    this.#dialog.querySelector(":checked").focus();
  }

  #row(name, chosen) {
    const { token: _, ...values } = READING[name];
    const choices = Object.keys(values).map((value) => {
      const input = make("input", { type: "radio", name: `reading-${name}`, checked: value === chosen });
      input.addEventListener("change", () =>
        chooseReading(this.#device, { ...readingOf(this.#device), [name]: value }),
      );
      return make("label", {}, input, make("span", { className: "reading-choice" }, SETTING_CHOICES[value]));
    });
    return make("fieldset", {}, make("legend", {}, SETTING_NAMES[name]), make("div", {}, ...choices));
  }
}
