import { gettext } from "../language.js";
import { newerDraft } from "../newer-draft.js";

const SILENCE = 60_000; // ms after which the server may have heard of another device
const PATIENCE = 2_000; // ms; whoever submits does not wait longer for it

/**
 * What another device has told the server of a session's task since this page did, as a record to go on
 * from; null where there is nothing new. What was done here stays a step of its history.
 */
export async function draftElsewhere({ api, device }, { key, draft }) {
  if (Date.now() - draft.settled.at < SILENCE) return null;
  const { answer } = await api.ask("GET", `assignments/${key}/draft/`, undefined, {
    signal: AbortSignal.timeout(PATIENCE),
  });
  const record = await device.get("drafts", key);
  if (answer === null || newerDraft(record, answer) !== answer) return null;
  const told = gettext("Here is what you did on another device.");
  return { answer, at: Math.max(Date.now(), draft.at + 1), kind: "saved", told };
}
