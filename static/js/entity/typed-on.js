/** The letters that are typed on after a jump to the one word that begins so. */

const BRISK = 700; // ms; an Enter that comes later is meant
const SLOW = 2_500; // ms; until then a letter that goes on with the word is one of it, and later may say what the word is
const WRITING = /^(Shift|CapsLock|AltGraph|Dead)$/; // keys on the way to a letter

export class TypedOn {
  #at;
  #isEnded = false;

  /** @param word   that was found, and `count` of its letters were typed, `now` the last of them */
  constructor(word, count, now) {
    this.letters = [...word.normalize("NFC")]; // as a keyboard writes it
    this.count = count;
    this.#at = now;
  }

  /**
   * Whether a key still belongs to the word: a letter that goes on with it, one taken back, or Enter.
   *
   * @param isNext  whether it is a key that one means after the word was found, and not in haste
   */
  takes({ key, ctrlKey, altKey, metaKey }, now, isNext = false) {
    if (ctrlKey || altKey || metaKey) return false;
    const since = now - this.#at;
    if (key === "Enter") { // the first ends the word that was typed, and a second in haste does too
      const isMeant = this.#isEnded && since >= BRISK;
      this.#isEnded = true;
      this.#at = now;
      return !isMeant;
    }
    const isBack = key === "Backspace" && this.count > 0;
    if (since >= (isBack ? BRISK : SLOW) && (isNext || isBack)) return false;
    if (!isBack && folded(this.letters[this.count] ?? "") !== folded(key)) return false;
    this.count += isBack ? -1 : 1;
    this.#at = now;
    return true;
  }
}

/** As long as keys belong to the word, `text` has them from nobody else; `taken` hears of each, and
 * `isNext(event)` says what `takes` asks. */
export function takeKeys(text, on, isNext, taken) {
  const listening = new AbortController();
  const take = (event) => {
    if (WRITING.test(event.key)) return;
    if (event.target !== text || !on.takes(event, performance.now(), isNext(event))) {
      listening.abort();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    taken();
  };
  const { signal } = listening;
  addEventListener("keydown", take, { capture: true, signal });
  addEventListener("pointerdown", () => listening.abort(), { capture: true, signal });
}

/** Accents and capitals don't count where a word is sought. */
export function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
