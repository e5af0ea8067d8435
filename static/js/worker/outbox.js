/**
 * Answers on their way. Each is written down before it is sent, under the key of its assignment,
 * by which the server knows it again: sent twice, by this tab or another, it counts once.
 */
export class Outbox {
  #device;
  #link;
  #send;

  /** `send(entry)` promises the server's reply, however long that takes, or rejects a refusal. */
  constructor(device, link, send) {
    this.#device = device;
    this.#link = link;
    this.#send = send;
  }

  /** What an earlier page, or another tab, has not got through yet; the oldest first. */
  async waiting() {
    const all = await this.#device.all("outbox");
    return all.filter(({ link }) => link === this.#link).sort((a, b) => a.at - b.at);
  }

  /** @param {{key: string, answer: any, seconds: number, events: object[]}} entry */
  async post(entry) {
    const dated = { ...entry, link: this.#link, at: Date.now() };
    await this.#device.put("outbox", entry.key, dated);
    return this.deliver(dated);
  }

  /**
   * The reply. An answer that is refused, whatever for, leaves the outbox too: it stands in its
   * draft, where the worker may go on with it, and must not be sent behind their back later.
   */
  async deliver(entry) {
    try {
      const reply = await this.#send(entry);
      await this.#device.remove("outbox", entry.key);
      return reply;
    } catch (failure) {
      if (failure.kind === "refused") await this.#device.remove("outbox", entry.key);
      throw failure;
    }
  }
}
