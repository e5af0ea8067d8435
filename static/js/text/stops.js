// Brackets, quotes, dashes and stops; not what belongs to a word or a figure, such as $, % and &.
const EDGE = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pd}.,;:!?…"'¡¿、。，；：！？]+$/u;

/** Whether a token is punctuation alone. */
export const isStop = (token) => EDGE.test(token);
