/** Which entities a name is likely to be: those used last, until "entity-aids" brings who is alike. */
export const likeness = {
  likeliest: (entities) => [...entities].sort((a, b) => b.used - a.used),
  isAlike: () => true,
};
