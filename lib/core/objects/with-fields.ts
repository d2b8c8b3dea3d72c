/** What is spread first must not be what is copied; see `withFields`. */
const NO_FIELDS = {}

/**
 * A copy of an object with other fields: those that it has keep their places, the rest comes behind. For what is made by
 * the thousand, or is asked a thousand times: a literal that begins with the spread of an object and goes on with a
 * further field (`{ ...one, more }`) gets a hidden class of its own from V8 each time it is made (seen in Node 20), so
 * that no code which reads such objects can be compiled for one of them. Copied behind another spread, all share one.
 */
export function withFields<T extends object, F extends object>(one: T, fields: F): T & F {
  return { ...NO_FIELDS, ...one, ...fields }
}
