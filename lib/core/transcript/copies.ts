import type { Milliseconds } from '../units/units'
/** What decides which transcript is the session and which are copies of it. */
export type CopyFacts = {
  /** Id or root of the store. */
  readonly store: string
  readonly agent: string | null
  readonly sessionId: string
  /** live | reset | deleted | backup | checkpoint | imported | gone */
  readonly state: string
  /** Milliseconds. */
  readonly updatedAt: Milliseconds | null
}

/** A transcript and the copies of its session that lie beside it, newest first. */
export type FoldedSession<T> = { readonly head: T; readonly copies: readonly T[] }

/**
 * Folds archives, backups and checkpoints under their session. The live transcript is the session, else the newest one
 * that is there. Several live transcripts of one id stay apart; copies fold under the newest of them. The order of
 * `items` is kept. The database folds by the same rule (db/queries/copies.ts).
 */
export function foldCopies<T>(items: readonly T[], factsOf: (item: T) => CopyFacts): FoldedSession<T>[] {
  const families = new Map<string, { item: T; facts: CopyFacts }[]>()
  for (const item of items) {
    const facts = factsOf(item)
    const key = JSON.stringify([facts.store, facts.agent, facts.sessionId])
    const family = families.get(key)
    if (family === undefined) families.set(key, [{ item, facts }])
    else family.push({ item, facts })
  }
  const copiesOf = new Map<T, readonly T[]>()
  for (const family of families.values()) {
    const [first, ...others] = family.toSorted((a, b) => compareRank(b.facts, a.facts))
    if (first === undefined) continue
    copiesOf.set(
      first.item,
      others.filter(({ facts }) => facts.state !== 'live').map(({ item }) => item),
    )
    for (const { item, facts } of others) if (facts.state === 'live') copiesOf.set(item, [])
  }
  return items.flatMap((head) => {
    const copies = copiesOf.get(head)
    return copies === undefined ? [] : [{ head, copies }]
  })
}

const RANKS: { readonly [state: string]: number } = { live: 2, gone: 0 }

function compareRank(a: CopyFacts, b: CopyFacts): number {
  const rank = ({ state }: CopyFacts) => RANKS[state] ?? 1
  return rank(a) - rank(b) || (a.updatedAt ?? 0) - (b.updatedAt ?? 0)
}
