/** Which entities a name is likely to be: those used last, until "entity-aids" brings who is alike, and
 * which types it may have, and what is said of a link that a type has no use for. */
export const likeness = {
  likeliest: (entities) => [...entities].sort((a, b) => b.used - a.used),
  likely: (entities) => entities,
  lately: () => [],
  linkGone: () => "",
};
