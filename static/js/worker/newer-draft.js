import { fingerprint } from "./fingerprint.js";

/**
 * The newer of the draft kept on this device and the server's. Clocks don't decide: where the
 * server holds what this device never sent, the worker has gone on at another device.
 */
export function newerDraft(record, fromServer) {
  if (record?.answer === undefined) return fromServer;
  if (fromServer === null) return record.answer;
  const known = [...record.sent, fingerprint(record.answer)];
  return known.includes(fingerprint(fromServer)) ? record.answer : fromServer;
}
