import { History } from "../worker/history.js";
import { keyCap } from "../worker/key-cap.js";
import { startWork } from "../worker/work.js";

startWork({ create: (host, context) => new StarsTask(host, context) });

/** A text and a row of buttons: one star and more, and "Can’t tell", which is null. */
class StarsTask {
  #listeners = new AbortController();

  constructor(host, context) {
    const { page, answer, shortcuts } = context;
    this.context = context;
    this.history = new History(answer ? answer.stars : undefined); // undefined: nothing is chosen
    this.values = [...Array.from({ length: page.most }, (_, i) => i + 1), null];
    shortcuts.define(this.values.map((value) => ({
      action: `stars:${value}`, key: value === null ? "u" : String(value), does: wordsOf(value),
    })));
    this.ground = document.createElement("section");
    this.ground.tabIndex = -1;
    const question = document.createElement("h3");
    question.textContent = page.question;
    const text = document.createElement("p");
    text.textContent = page.text;
    text.dir = page.direction;
    this.row = document.createElement("div");
    this.row.className = "stars-row";
    this.row.append(...this.values.map((value) => this.#button(value)));
    this.ground.append(question, text, this.row);
    host.replaceChildren(this.ground);
    const { signal } = this.#listeners;
    document.addEventListener("keydown", (event) => this.#keydown(event), { signal });
    this.#draw();
  }

  answer() {
    return { stars: this.history.present ?? null };
  }

  submitWarning() {
    return this.history.present === undefined ? "Give it some stars first." : "";
  }

  isUnfinished() {
    return this.submitWarning() !== "";
  }

  restored() {
    this.#draw();
  }

  adopt({ stars }) {
    this.history.step(stars, wordsOf(stars));
    this.#draw();
  }

  showErrors() {}

  showFeedback({ right }) {
    this.row.querySelector(`[data-stars="${right.stars}"]`).dataset.right = "";
    for (const button of this.row.children) button.disabled = true;
  }

  keys() {
    return { wordsOf: () => ["Stars"] };
  }

  isOpen() {
    return false;
  }

  focus() {
    this.ground.focus();
  }

  destroy() {
    this.#listeners.abort();
  }

  #button(value) {
    const button = document.createElement("button");
    button.className = "button-quiet";
    button.dataset.stars = String(value);
    button.append(wordsOf(value), keyCap(this.context.shortcuts.keyOf(`stars:${value}`)));
    button.onclick = () => this.#give(value);
    return button;
  }

  #keydown(event) {
    const [kind, value] = (this.context.shortcuts.action(event) ?? "").split(":");
    if (kind !== "stars" || event.defaultPrevented || event.target.closest("dialog, input")) return;
    event.preventDefault();
    this.#give(value === "null" ? null : Number(value));
  }

  #give(value) {
    this.history.step(value, wordsOf(value));
    this.context.log("given", { stars: value });
    this.#draw();
    this.context.changed();
  }

  #draw() {
    for (const button of this.row.children) {
      button.ariaPressed = String(button.dataset.stars === String(this.history.present));
    }
  }
}

function wordsOf(value) {
  if (value === null) return "Can’t tell";
  return value === 1 ? "1 star" : `${value} stars`;
}
