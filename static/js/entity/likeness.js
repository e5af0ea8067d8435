/** Which entities a name is likely to be: those used last, until "entity-aids" brings who is alike, and
 * which types it may have. */
export const likeness = {
  likeliest: (entities) => [...entities].sort((a, b) => b.used - a.used),
  likely: (entities) => entities,
  lately: () => [],
};
