import { PRESSED_BY_ENTER } from "../frame-keys.js";
import { keyCap } from "../key-cap.js";
import { make, part } from "../elements.js";
import { gettext } from "../language.js";

/** The instructions beside the text, which can be read and marked meanwhile; on a narrow screen a
 * sheet over its lower part. */
export class Instructions {
  #frame;
  #shortcuts;
  #narrow = matchMedia("(width < 80rem)"); // as in asides.css
  #hadTask = false;
  #button = document.querySelector("[data-act=instructions]");
  #text = make("div", { className: "instructions", dir: "auto" });
  #aside;
  #before; // what had the focus when they were opened
  #place = null; // [what is read uppermost, how much of it has been, from 0 to 1]
  #width = 0; // for which that is so

  /** @param tools  {frame, shortcuts} */
  constructor({ frame, shortcuts }) {
    this.#frame = frame;
    this.#shortcuts = shortcuts;
    const title = make("h2", { id: "aside-title", tabIndex: -1 }, gettext("Instructions"));
    const close = make("button", { type: "button", className: "button-bare" }, gettext("Close"), keyCap("Esc"));
    close.addEventListener("click", () => this.toggle());
    this.#aside = make(
      "aside", { className: "aside-instructions", hidden: true }, make("header", {}, title, close), this.#text,
    );
    this.#aside.setAttribute("aria-labelledby", title.id);
    this.#aside.addEventListener("keydown", (event) => {
      this.#leave(event);
      this.#keepTask(event);
    });
    // From the task too, where nothing that is open there takes it.
    addEventListener("keydown", (event) => this.#leave(event));
    this.#aside.addEventListener("scroll", () => this.#keepPlace());
    new ResizeObserver(() => this.#returnToPlace()).observe(this.#text);
    document.querySelector("main").after(this.#aside);
    this.#narrow.addEventListener("change", () => this.#nameSheet());
    this.#nameSheet();
    const watch = new ResizeObserver(() => this.#standOnBar());
    for (const name of ["bar", "message"]) watch.observe(part(name));
  }

  toggle() {
    const isOpen = this.#aside.hidden;
    if (isOpen) this.#read();
    this.#aside.hidden = !isOpen;
    document.body.classList.toggle("has-aside", isOpen);
    this.#button.ariaPressed = String(isOpen);
    if (isOpen) {
      this.#before = document.activeElement;
      // Beside the text one goes on working in it. Who came to the button by keys did not work there.
      if (!this.#narrow.matches && this.#before !== this.#button) {
        this.#frame.announce(gettext("Instructions beside the text"));
      } else this.#aside.querySelector("h2").focus({ preventScroll: true });
    } else if (this.#aside.contains(document.activeElement)) {
      const isThere = this.#before.isConnected && this.#before !== document.body;
      const text = document.querySelector("[data-task] [tabindex='0']"); // of another task by now
      (isThere ? this.#before : (text ?? this.#button)).focus();
    }
  }

  #leave(event) {
    if (event.key !== "Escape" || event.defaultPrevented || this.#aside.hidden) return;
    if (document.querySelector("dialog[open]")) return; // it closes by the same key
    event.preventDefault();
    event.stopPropagation();
    this.toggle();
  }

  /** Who reads here does not mean the task by the key that hands it in. */
  #keepTask(event) {
    if (event.target.closest(PRESSED_BY_ENTER)) return;
    if (this.#shortcuts.action(event) === "submit") event.preventDefault();
  }

  /** By this name it is found by who asks what of the text is in sight. */
  #nameSheet() {
    if (this.#narrow.matches) this.#aside.id = "sheet";
    else this.#aside.removeAttribute("id");
  }

  /** And on what is said above the bar, which would hide them. What is said in the place of a task has its
   * button where a sheet would lie. */
  #standOnBar() {
    const bar = part("bar"); // in a window of little height it has no box
    document.documentElement.style.setProperty("--bar", `${bar.offsetHeight + part("message").offsetHeight}px`);
    const isTaskGone = this.#hadTask && bar.hidden;
    this.#hadTask = !bar.hidden;
    if (isTaskGone && this.#narrow.matches && !this.#aside.hidden) this.toggle();
  }

  /** Where the text begins that is in sight. */
  get #top() {
    return this.#aside.firstChild.getBoundingClientRect().bottom;
  }

  /** A device that is turned scrolls them too: then nobody did. */
  #keepPlace() {
    if (this.#text.clientWidth !== this.#width) return;
    const read = [...this.#text.children].find((one) => one.getBoundingClientRect().bottom > this.#top);
    if (!read) return;
    const { top, height } = read.getBoundingClientRect();
    this.#place = [read, (this.#top - top) / height];
  }

  /** Who turns the device reads on, however the lines are broken then. */
  #returnToPlace() {
    this.#width = this.#text.clientWidth;
    const [read, share] = this.#place ?? [];
    if (!read?.isConnected || this.#aside.hidden) return;
    const { top, height } = read.getBoundingClientRect();
    this.#aside.scrollTop += top + share * height - this.#top;
  }

  /** As they are now: they may have been changed since. All steps at once. */
  #read() {
    const steps = document.querySelectorAll("[data-dialog=help] [data-step]");
    this.#text.replaceChildren(...[...steps].flatMap((step) => [...step.cloneNode(true).childNodes]));
  }
}
