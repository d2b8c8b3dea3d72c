/** Names are short; longer ones are cut. UTF-16 units. */
const MOST_NAME = 60

/** A name that came from a transcript, on one line and bounded. */
export function shownName(name: string): string {
  const line = name.replace(/\s+/g, ' ').trim()
  return line.length > MOST_NAME ? `${line.slice(0, MOST_NAME - 1)}…` : line
}
