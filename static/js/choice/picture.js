import { keyCap } from "../worker/key-cap.js";
import { makeElement, makePressButton } from "./elements.js";
import { gettext } from "../worker/language.js";

const ON_ITS_WAY = gettext("The picture is still on its way. Answer when you see it.");
const WHAT_TO_DO = gettext("Load it again, report the task, or choose “Can’t tell”.");
const MIDDLE = [0.5, 0.5];

/** Whether a picture is there to be judged; a task without one has nothing to wait for. */
export class Picture {
  #element;
  #failed;
  #attempts = 0; // that failed
  missing = ""; // the sentence that says why there is nothing to be seen yet

  constructor(stimulus) {
    this.#element = stimulus.querySelector(".choice-picture");
    this.#failed = stimulus.querySelector(".choice-failed");
    if (this.#element !== null) this.missing = ON_ITS_WAY;
  }

  /** @param on  receives loaded(), failed(address), and report() where the task can still be reported */
  watch(on, signal) {
    const picture = this.#element;
    if (picture === null) return;
    const loaded = () => {
      this.missing = "";
      this.#showPicture();
      on.loaded();
    };
    const failed = () => {
      this.#attempts += 1;
      this.missing = this.#failureWords(Boolean(on.report));
      this.#showFailure(Boolean(on.report));
      on.failed(picture.getAttribute("src"));
    };
    picture.addEventListener("load", loaded, { signal });
    picture.addEventListener("error", failed, { signal });
    if (picture.complete && picture.naturalWidth > 0) loaded();
  }

  /** Its buttons stay meanwhile, with the focus; the words say that it is asked for. */
  loadAgain() {
    this.missing = ON_ITS_WAY;
    this.#failed.querySelector("p").textContent = gettext("The picture is asked for once more.");
    this.#element.setAttribute("src", this.#element.getAttribute("src")); // asks once more
  }

  /** Over the page, as large as it is; Close, Esc and a click beside it lead back.
   *
   * @param place  that comes into sight where not all fits: shares of its width and height */
  enlarge(place = MIDDLE) {
    if (this.#element === null || this.missing !== "") return;
    const { src, alt, naturalWidth: width, naturalHeight: height } = this.#element;
    const picture = Object.assign(document.createElement("img"), { src, alt, width, height });
    const close = makeElement("button", "button-quiet", gettext("Close"), keyCap("Esc"));
    const form = Object.assign(makeElement("form", "", close), { method: "dialog" });
    const dialog = makeElement("dialog", "dialog choice-large", form, picture);
    dialog.ariaLabel = gettext("Picture in full size");
    dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    this.#element.parentElement.append(dialog);
    dialog.showModal();
    const [sheet, box] = [dialog, picture].map((each) => each.getBoundingClientRect());
    const [x, y] = place;
    // By how much, and not to where: from right to left a box is scrolled to what is below nothing.
    dialog.scrollBy(
      box.left + x * box.width - sheet.left - sheet.width / 2,
      box.top + y * box.height - sheet.top - sheet.height / 2,
    );
  }

  #showPicture() {
    const hadFocus = this.#failed.contains(document.activeElement); // which would be lost with its button
    this.#hide(false);
    this.#failed.replaceChildren();
    if (hadFocus) this.#element.closest(".choice-task").focus({ preventScroll: true });
  }

  /** From the second failure on, each says which it is: who pressed sees that something came of it. */
  #failureWords(canReport) {
    const number = this.#attempts;
    const words = number === 1
      ? gettext("The picture can’t be loaded.")
      : gettext("Attempt {number}: the picture still can’t be loaded. Check your connection.", { number });
    return canReport ? `${words} ${WHAT_TO_DO}` : words;
  }

  #showFailure(canReport) {
    this.#hide(true);
    const told = this.#failed.querySelector("p");
    if (told !== null) {
      told.textContent = this.missing;
      return;
    }
    this.#failed.append(
      makeElement("p", "", this.missing),
      makePressButton("load", "button-quiet", gettext("Load it again")),
      ...(canReport ? [makePressButton("report", "button-quiet", gettext("Report the task"))] : []),
    );
  }

  #hide(hasFailed) {
    this.#element.hidden = hasFailed;
    this.#element.parentElement.querySelector("figcaption").hidden = hasFailed;
  }
}
