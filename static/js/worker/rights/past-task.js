import { ActiveClock } from "../clock.js";

/** A task that was handed in long ago, to be looked at: nothing of it is kept or sent. */
export class PastTask {
  clock = new ActiveClock();

  constructor({ api, create, device, frame, shortcuts, work }, host, { page, answer }) {
    const nothing = () => {};
    this.host = host;
    this.task = create(host, {
      page,
      answer,
      work,
      shortcuts,
      search: async () => [],
      lookup: (keys) => api.lookup(keys),
      changed: nothing,
      act: nothing,
      recall: (name) => device.recall(name),
      remember: nothing,
      log: nothing,
      announce: (text) => frame.announce(text),
      showMessage: nothing,
      showPart: nothing,
    });
  }

  learnt() {}

  left() {}

  returned() {}

  end() {
    this.task.destroy();
  }
}
