/** What stands between two cells of a table, not between two words. */
export const WIDE_GAP = /\t|[ \u00a0]{3}/;
