import type { ReplayPolicy } from '../replay-policy'
import type { ReplayWalk } from '../walk/replay-walk'

/** The compactions that were recorded, with what their summaries hold. */
export const RECORDED: ReplayPolicy = {
  id: 'as-it-was',
  label: 'As it was',
  about:
    'What the runtime really did: each recorded compaction where it was, with the spans that its summary holds word for word. What tool results the runtime cleared besides is not recorded.',
  source: 'the record itself',
  family: 'recorded',
  start: (walk) => {
    walk.hasReread = true
    let next = 0
    const { compactions } = walk.session
    return (call) => {
      while (next < compactions.length && (compactions[next]?.before ?? 0) <= call) {
        compact(walk, next)
        next += 1
      }
    }
  },
}

function compact(walk: ReplayWalk, number: number): void {
  const compaction = walk.session.compactions[number]
  if (compaction === undefined) return
  const { firstKept, kept, summaryTokens, holds } = compaction
  const to = Math.min(firstKept, walk.end)
  const stays = kept.length === 0 ? undefined : new Set(kept)
  walk.summarise(to, summaryTokens, {
    ...{ kind: 'empty', request: 'cold', rule: 'recorded' },
    ...(stays === undefined ? {} : { stays: (chunk) => stays.has(chunk) }),
  })
  walk.hold(holds)
}
