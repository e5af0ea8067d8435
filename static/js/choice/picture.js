import { made, pressable } from "./elements.js";

const ON_ITS_WAY = "The picture is still on its way. Answer when you see it.";
const FAILED = "The picture can't be loaded. Load it again, report the task, or choose “Can't tell”.";

/** Whether a picture is there to be judged; a task without one has nothing to wait for. */
export class Picture {
  #element;
  #failed;
  missing = ""; // the sentence that says why there is nothing to be seen yet

  constructor(shown) {
    this.#element = shown.querySelector(".choice-picture");
    this.#failed = shown.querySelector(".choice-failed");
    if (this.#element !== null) this.missing = ON_ITS_WAY;
  }

  /** @param on  receives seen(), failed(address) */
  watch(on, signal) {
    const picture = this.#element;
    if (picture === null) return;
    const seen = () => {
      this.missing = "";
      this.#tell(false);
      on.seen();
    };
    const failed = () => {
      this.missing = FAILED;
      this.#tell(true);
      on.failed(picture.getAttribute("src"));
    };
    picture.addEventListener("load", seen, { signal });
    picture.addEventListener("error", failed, { signal });
    if (picture.complete && picture.naturalWidth > 0) seen();
  }

  loadAgain() {
    this.missing = ON_ITS_WAY;
    this.#tell(false);
    this.#element.setAttribute("src", this.#element.getAttribute("src")); // asks once more
  }

  enlarge() {
    if (this.#element === null) return;
    const figure = this.#element.parentElement;
    const isLarge = figure.classList.toggle("is-large");
    figure.querySelector("[data-press=enlarge]").ariaPressed = String(isLarge);
  }

  #tell(hasFailed) {
    this.#element.hidden = hasFailed;
    this.#element.parentElement.querySelector("figcaption").hidden = hasFailed;
    if (!hasFailed) {
      this.#failed.replaceChildren();
      return;
    }
    this.#failed.append(
      made("p", "", FAILED),
      pressable("load", "button-quiet", "Load it again"),
      pressable("report", "button-quiet", "Report the task"),
    );
  }
}
