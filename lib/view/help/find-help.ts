/** A place on the help page, as searches find it. */
export type HelpEntry = {
  readonly id: string
  readonly label: string
  /** The first sentence of a term, whose other words find it too; '' for a whole part. */
  readonly about: string
  readonly words: string
}

/** Entries that hold every word typed: in the label before in the meaning. Nothing typed finds nothing. */
export function findHelp(entries: readonly HelpEntry[], typed: string, most: number): readonly HelpEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const byLabel = entries.filter(({ label }) => holds(label))
  const byMeaning = entries.filter(
    (entry) => !byLabel.includes(entry) && holds(`${entry.label} ${entry.words}`),
  )
  return [...byLabel, ...byMeaning].slice(0, most)
}
