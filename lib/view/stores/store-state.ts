export type StoreBadge = {
  readonly label: string
  readonly tone: 'ok' | 'neutral' | 'attention' | 'danger'
}

/**
 * How a store is, in a word. `ok` and `empty` need nothing; the others say what to do in their problem, as does a store
 * that is read, or judged, but for a part.
 */
export function storeBadge({
  state,
  problem,
  findingsProblem,
}: {
  readonly state: string
  readonly problem: string | null
  readonly findingsProblem: string | null
}): StoreBadge {
  switch (state) {
    case 'ok':
      return problem === null && findingsProblem === null
        ? { label: 'ok', tone: 'ok' }
        : { label: 'in part', tone: 'attention' }
    case 'empty':
      return { label: 'empty', tone: 'neutral' }
    case 'unreadable':
      return { label: 'unreadable', tone: 'danger' }
    default:
      return { label: state, tone: 'attention' }
  }
}
