import { make } from "../elements.js";
import { closeFromOutside } from "../outside.js";
import { KEPT_AS, showReading } from "../reading-settings.js";
import { gettext } from "../language.js";

// What can be chosen: choice → the value of the setting's token; "" is the page's own.
const SETTINGS = [
  {
    name: gettext("Size of the text"), token: "--text-size",
    values: { small: "1rem", usual: "", large: "1.375rem", largest: "1.625rem" },
  },
  { name: gettext("Width of the lines"), token: "--measure", values: { narrow: "30rem", usual: "", wide: "60rem" } },
  { name: gettext("Space between lines"), token: "--text-lines", values: { tight: "1.5", usual: "", loose: "2.2" } },
  { name: gettext("Typeface"), token: "--text-face", values: { usual: "", columns: "var(--mono)" } },
];
const CHOICES = {
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
    const rows = SETTINGS.map((setting) => this.#row(setting));
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

  get #chosen() {
    return this.#device.recall(KEPT_AS) ?? {};
  }

  #row({ name, token, values }) {
    const chosen = this.#chosen[token] ?? "";
    const choices = Object.entries(values).map(([choice, value]) => {
      const input = make("input", { type: "radio", name: token, checked: value === chosen });
      input.addEventListener("change", () => {
        this.#device.remember(KEPT_AS, { ...this.#chosen, [token]: value });
        showReading(this.#device);
      });
      return make("label", {}, input, make("span", { className: "reading-choice" }, CHOICES[choice]));
    });
    return make("fieldset", {}, make("legend", {}, name), make("div", {}, ...choices));
  }
}
