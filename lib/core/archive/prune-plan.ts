import type { Bytes, Milliseconds } from '../units/units'

/** A copy in the archive, as far as pruning looks at it. */
export type PrunableCopy = {
  /** See `versionName`. */
  readonly name: string
  /** Of its transcript. */
  readonly id: string
  /** When a newer copy took its place, or its transcript was found deleted; null: its transcript is there. */
  readonly since: Milliseconds | null
  /** The transcript is still there, and a newer copy of it in the archive. */
  readonly isReplaced: boolean
  readonly blocks: readonly string[]
  /** Of the file that names the blocks. */
  readonly bytes: Bytes
}

export type PruneRequest = {
  readonly copies: readonly PrunableCopy[]
  /** All blocks on disk, with their bytes there. */
  readonly blocks: ReadonlyMap<string, Bytes>
  readonly keepMs: Milliseconds
  readonly quotaBytes: Bytes
  readonly now: Milliseconds
  /**
   * `outlived`: all that is kept longer than `keepMs`. `room`: of that no more than it takes until so many bytes can be
   * added.
   */
  readonly goal: { readonly kind: 'outlived' } | { readonly kind: 'room'; readonly bytes: Bytes }
  /** Ids of transcripts that go whatever their age is. */
  readonly named: ReadonlySet<string>
}

type PrunedCopy = {
  readonly name: string
  readonly id: string
  readonly why: 'named' | 'replaced' | 'deleted'
}

export type ArchivePruning = {
  readonly remove: readonly PrunedCopy[]
  /** Blocks that nothing names then. */
  readonly blocks: readonly string[]
  readonly freed: Bytes
  /** What the archive holds afterwards. */
  readonly left: Bytes
}

/**
 * What leaves the archive: what was named, and of the copies that are older than they are kept the oldest first. The
 * only copy of a transcript that was deleted more recently stays, whatever the quota says.
 */
export function planPrune(request: PruneRequest): ArchivePruning {
  const { copies, blocks, now, keepMs, quotaBytes, goal, named } = request
  const users = new Map<string, number>()
  for (const copy of copies) {
    for (const hash of new Set(copy.blocks)) users.set(hash, (users.get(hash) ?? 0) + 1)
  }
  const unused = [...blocks.keys()].filter((hash) => !users.has(hash))
  const before = sum(blocks.values()) + sum(copies.map(({ bytes }) => bytes))
  let left = before - sum(unused.map((hash) => blocks.get(hash) ?? 0))
  const remove: PrunedCopy[] = []
  const take = (copy: PrunableCopy, why: PrunedCopy['why']) => {
    remove.push({ name: copy.name, id: copy.id, why })
    left -= copy.bytes
    for (const hash of new Set(copy.blocks)) {
      const others = (users.get(hash) ?? 1) - 1
      users.set(hash, others)
      if (others > 0) continue
      unused.push(hash)
      left -= blocks.get(hash) ?? 0
    }
  }
  const [chosen, others] = split(copies, ({ id }) => named.has(id))
  for (const copy of chosen) take(copy, 'named')
  const outlived = others
    .flatMap((copy) => (copy.since !== null && now - copy.since > keepMs ? { copy, since: copy.since } : []))
    .sort((a, b) => a.since - b.since)
  for (const { copy } of outlived) {
    if (goal.kind === 'room' && left + goal.bytes <= quotaBytes) break
    take(copy, copy.isReplaced ? 'replaced' : 'deleted')
  }
  return { remove, blocks: unused.filter((hash) => blocks.has(hash)), freed: before - left, left }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const first: T[] = []
  const second: T[] = []
  for (const item of items) (isFirst(item) ? first : second).push(item)
  return [first, second]
}
