/** What *My work* asks the server, by `Api.ask`: of each promises the reply or rejects with a Failure. */

/** A task that was handed in: {page, answer, feedback}. */
export function askHandedIn(api, key) {
  return api.ask("GET", `assignments/${key}/`);
}

/** Let an answer count in the place of one that was handed in. */
export function sendCorrection(api, key, answer) {
  return api.ask("PUT", `assignments/${key}/correction/`, { answer });
}

/** What was handed in, the newest first: `before` is a key, or undefined. */
export function askHistory(api, before) {
  return api.ask("GET", before ? `history/?${new URLSearchParams({ before })}` : "history/");
}

/** The words by which this worker is known on another device. */
export async function askPhrase(api) {
  return (await api.ask("POST", "phrase/", {})).phrase;
}
