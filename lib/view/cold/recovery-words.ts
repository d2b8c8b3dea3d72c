/** Where a recovery put a chunk, as people read it; `isCopy`: it stayed where it was. */
export function recoveryPlace(destination: string | null): {
  readonly preposition: string
  readonly place: string
  readonly isCopy: boolean
} {
  switch (destination) {
    case 'stdout':
      return { preposition: 'to', place: 'standard output', isCopy: true }
    case 'file':
      return { preposition: 'to', place: 'a file', isCopy: true }
    case 'transcript':
      return { preposition: 'into', place: 'its transcript', isCopy: false }
    case 'context':
    case null:
      return { preposition: 'into', place: 'the context', isCopy: false }
    default:
      return { preposition: 'into', place: destination, isCopy: false }
  }
}

/** What led to a recovery, after "by". Names of other agents stay as they are. */
export function recoveryTrigger(trigger: string): string {
  if (trigger === 'manual') return 'hand'
  return trigger === 'relevance' ? 'itself' : trigger
}
