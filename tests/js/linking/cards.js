/** Cards of a small task: a helper of the tests. */
export function cardsNamed(...names) {
  return names.map((name, i) => ({
    id: `m${i}`, name, sentence: `${name} wrote.`, document_title: `Letter ${i}`, type: "PER",
  }));
}

export function placeOf(ids) {
  return new Map(ids.map((id, i) => [id, i]));
}
