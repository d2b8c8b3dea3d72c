// A list that is spread into a call takes a place on the stack for each of its members, and a transcript of two hundred
// thousand messages overflows it. What may be as long as a transcript goes through these. Where a compaction reads
// thousands of messages, loops count places: an iterator makes an object, or two, for each of them.

/** Puts all of `more` behind the members of `list`. */
export function append<T>(list: T[], more: Iterable<T>): void {
  if (Array.isArray(more)) for (let at = 0; at < more.length; at++) list.push(more[at])
  else for (const one of more) list.push(one)
}

/** The highest of the values, and no less than `least`. */
export function highestOf(values: Iterable<number>, least: number): number {
  let highest = least
  for (const value of values) highest = Math.max(highest, value)
  return highest
}

/** The lowest of the values, and no more than `most`. */
export function lowestOf(values: Iterable<number>, most: number): number {
  let lowest = most
  for (const value of values) lowest = Math.min(lowest, value)
  return lowest
}
