import { ActiveClock } from "../clock.js";
import { make, withNames } from "../elements.js";
import { gettext } from "../language.js";
import { loadPart } from "../parts.js";

/**
 * The first practice task to play with, step by step, before anything is agreed to: nothing of it is
 * kept, sent or paid.
 *
 * @param tools  {api, create, device, frame, shortcuts, transition, work}
 * @returns      a promise of what opens it; it takes what *Go on* leads to
 */
export async function loadTryout(tools) {
  const { api, frame, transition, work } = tools;
  const [{ tryoutSteps }, { page, answer }] = await Promise.all([
    loadPart(work, `${work.interface}-steps`), api.tryOut(),
  ]);
  await Promise.resolve(tools.prepare?.(page, (name) => loadPart(work, name))).catch(() => {});
  const tried = tryoutSteps(page, answer);
  return (onleave) => {
    const title = gettext("Try it: half a minute");
    const tryout = new Tryout(tools, frame.openTask(title), tried);
    transition.showPast(tryout, title, tryout.nodes, onleave);
    tryout.start();
  };
}

class Tryout {
  clock = new ActiveClock();
  #tools;
  #steps;
  #at = 0;
  #coach = make("p", {});

  /** @param tried  {page, steps: {words(keyOf), isDone(answer), lacks?(answer)}[]}; `lacks` says what
   *   is not yet right, "" where that is the step itself */
  constructor(tools, host, { page, steps }) {
    this.#tools = tools;
    this.host = host;
    this.page = page;
    this.#steps = steps;
    const again = make("button", { type: "button", className: "button-quiet" }, gettext("Begin again"));
    again.addEventListener("click", () => this.start());
    this.nodes = [this.#coach, again];
  }

  start() {
    const { api, create, device, frame, shortcuts, work } = this.#tools;
    const nothing = () => {};
    this.task?.destroy();
    this.task = create(this.host, {
      page: this.page,
      answer: null,
      work: { ...work, knowledge_base: false }, // nothing is looked up
      isTried: true,
      shortcuts,
      load: (name) => loadPart(work, name),
      search: async () => [],
      lookup: (keys) => api.lookup(keys),
      changed: () => this.#look(),
      act: nothing,
      recall: (name) => device.recall(name),
      remember: nothing,
      log: nothing,
      announce: (text) => frame.announce(text),
      showMessage: (text, ...controls) => frame.showMessage(text, ...controls),
      showPart: nothing,
    });
    this.#at = 0;
    this.#say("");
    this.task.focus();
  }

  /** On as many steps as are done, and at one that is not, what is wanted once more. */
  #look() {
    const answer = this.task.answer();
    const before = this.#at;
    while (this.#steps[this.#at]?.isDone(answer)) this.#at += 1;
    const lacks = () => this.#steps[this.#at]?.lacks?.(answer) || gettext("Not quite.");
    this.#say(this.#at > before ? gettext("Well done.") : lacks());
  }

  #say(before) {
    const step = this.#steps[this.#at];
    const place = gettext("{number} of {all}", { number: this.#at + 1, all: this.#steps.length });
    const words = step
      ? `${place} · ${step.words((action) => this.#tools.shortcuts.keyOf(action))}`
      : gettext("That is how the work goes. Nothing of this was kept or counted.");
    const said = `${before} ${words}`.trim();
    this.#coach.replaceChildren(...withNames(said));
    this.#tools.frame.announce(said);
  }

  learnt() {}

  left() {}

  returned() {}

  end() {
    this.task.destroy();
  }
}
