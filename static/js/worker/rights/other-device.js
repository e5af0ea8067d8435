import { copyText } from "../clipboard.js";
import { make } from "../elements.js";
import { makeQuiet, attempt } from "./dialog.js";
import { askPhrase } from "./own-work.js";
import { gettext } from "../language.js";

const HOW = gettext(
  "Five words let you continue on another device. Open the link of this page there, choose " +
    "“I have worked here before” or “My work”, and type them in. Whoever has these words works in your " +
    "name: keep them to yourself.",
);

/** Continuing on another device: the words by which one is known there. */
export function makeOwnWords({ api, frame }, status) {
  const words = make("code", { id: "phrase" });
  const copy = makeQuiet(gettext("Copy"), () => copyText(words, copy, (text) => frame.announce(text)));
  copy.setAttribute("aria-describedby", words.id);
  const shown = make("p", { className: "work-code", hidden: true }, words, " ", copy);
  const reveal = async () => {
    words.textContent = await askPhrase(api);
    shown.hidden = false;
    show.hidden = true;
    shown.tabIndex = -1;
    shown.focus();
  };
  const show = makeQuiet(gettext("Show my five words"), () => attempt(reveal, status));
  const head = make("h3", {}, gettext("Continue on another device"));
  return make("section", {}, head, make("p", {}, HOW), make("p", {}, show), shown);
}

/**
 * Coming from another device: its words are typed in.
 *
 * @param become  (phrase) hears that they are somebody's
 */
export function makeWordsInput({ api }, status, become) {
  const input = make("input", { className: "work-words", autocomplete: "off", maxLength: 200 });
  input.autocapitalize = "none";
  input.spellcheck = false;
  const send = async () => {
    const words = input.value.trim();
    if (words === "") return;
    const before = api.phrase;
    api.phrase = words;
    if (await attempt(() => api.join(), status)) become(words);
    else api.phrase = before;
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) void send();
  });
  return make(
    "section",
    {},
    make("h3", {}, gettext("I have worked here before")),
    make("p", {}, make("label", {}, gettext("The five words that your other device shows"), " ", input)),
    make("p", {}, makeQuiet(gettext("Go on with that work"), send)),
  );
}
