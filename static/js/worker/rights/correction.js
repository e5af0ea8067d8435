import { canonical } from "../fingerprint.js";
import { gettext } from "../language.js";
import { makeQuiet } from "./dialog.js";
import { sendCorrection } from "./own-work.js";

const SUBMIT = gettext("Submit");
const ELSEWHERE = gettext("Send the correction");

/**
 * A task that was handed in, to be worked on again until the correction is sent: a TaskSession of
 * which nothing is kept on the device, and nothing sent before that; isChanged() says whether it holds
 * what would be lost with it.
 *
 * @param on  {next(message): once it is sent; leave(): the answer stays as it was}
 */
export function openCorrection(tools, host, key, { page, answer }, on) {
  const { api, device, frame, requests } = tools;
  const quiet = {
    ...tools,
    api: {
      ask: async () => ({ answer: null }), saveDraft: async () => {}, sendEvents: async () => {},
      search: (...asked) => api.search(...asked), lookup: (keys) => api.lookup(keys),
    },
    device: {
      get: async () => undefined, put: async () => {},
      update: async (table, name, change) => change(undefined),
      recall: (name) => device.recall(name), remember: (name, value) => device.remember(name, value),
    },
    frame: {
      saved: () => frame.saved({ kind: "none" }),
      steps: (...can) => frame.steps(...can),
      wentOn: () => frame.wentOn(),
      showDoubts: (...shown) => frame.showDoubts(...shown),
      announce: (text) => frame.announce(text),
      showMessage: (text, ...controls) => frame.showMessage(text, ...controls),
      showPart: ({ submit = SUBMIT, ...words }) =>
        frame.showPart({ ...words, submit: submit === SUBMIT ? ELSEWHERE : submit }),
    },
  };
  quiet.work = { ...tools.work, isCorrection: true, anyway: ELSEWHERE };
  frame.showPart({ submit: ELSEWHERE }); // where the task says nothing else
  const session = new tools.TaskSession(quiet, { key, page, draft: answer }, undefined, host, () => {});
  const given = canonical(session.finished);
  const isChanged = () => canonical(session.finished) !== given;
  refuseUnchanged(session, frame, { isChanged, leave: on.leave });
  askBeforeLeaving(session, isChanged);
  session.deliver = async () => {
    await requests.insist(() => sendCorrection(api, key, session.finished));
    await on.next(gettext("Your correction counts from now on."));
  };
  return session;
}

/** There is one correction: none is spent on what is the same. */
function refuseUnchanged(session, frame, { isChanged, leave }) {
  const warns = session.warns.bind(session);
  session.warns = () => {
    if (isChanged()) return warns();
    const out = makeQuiet(gettext("Leave it as it was"), leave, "button-plain");
    frame.showMessage(gettext("You have not changed anything yet."), " ", out);
    return true;
  };
}

/** A reload would lose what nothing has kept: the browser asks. Over, there is nothing to lose. */
function askBeforeLeaving(session, isChanged) {
  const over = new AbortController();
  session.isChanged = () => !over.signal.aborted && isChanged();
  addEventListener("beforeunload", (event) => isChanged() && event.preventDefault(), { signal: over.signal });
  const end = session.end.bind(session);
  session.end = () => {
    over.abort();
    end();
  };
}
