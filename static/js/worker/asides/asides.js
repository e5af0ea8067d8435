import { Instructions } from "./instructions.js";
import { ReadingDialog } from "./reading-dialog.js";

/** What stands beside the task while one works on it; the page loads it when it is asked for. */
export class Asides {
  #reading;
  #instructions;

  /** @param tools  {device, frame, shortcuts} */
  constructor(tools) {
    this.#reading = new ReadingDialog(tools.device);
    this.#instructions = new Instructions(tools);
  }

  toggle(act) {
    if (act === "reading") this.#reading.toggle();
    else this.#instructions.toggle();
  }
}
