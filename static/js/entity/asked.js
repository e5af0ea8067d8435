/** Whether a type's names are given their dates. */
export function asksDate(page, type) {
  return page.types.some(({ name, value }) => name === type && value === "date");
}

/** Whether names of a type are looked for in the knowledge base: no day is, nor what the schema excepts. */
export function asksEntry(page, type) {
  return page.types.some(({ name, value, link }) => name === type && value !== "date" && link !== false);
}
