/** The classes of a type's look: its colour and the pattern of its underline; of none the plainest. */
export function typeLook(type) {
  return type ? `type-${type.colour} pattern-${type.pattern ?? (type.colour - 1) % 4}` : "type-12";
}
