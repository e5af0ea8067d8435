import { quoted } from "../text/quoted.js";

/** What "entity-aids" knows better: which entities a name is likely to be, which types it may have, and what
 * is said of a clash, of a link that is gone and of a name that was marked before. Until it has come, in the simplest form. */
export const aided = {
  likeliest: (entities) => [...entities].sort((a, b) => b.used - a.used),
  likely: (entities) => entities,
  lately: () => [],
  clashWords: (name, type) => `${quoted(name)} · ${type}`,
  linkGone: () => "",
  sameName: () => "",
};
