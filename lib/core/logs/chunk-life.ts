import type { Milliseconds, Tokens } from '../units/units'
import type { AnyLogRecord } from './log-fields'
import { chunksOfRecovery, isUndoing } from './recovery-events'

/** Something that happened to a chunk. Milliseconds since the epoch; null when unknown. */
export type LifeEvent = {
  readonly what: 'born' | 'dropped' | 'stored' | 'recovered' | 'undone' | 'purged' | 'expired'
  readonly at: number | null
  /** What the source says of it, for people: a reason, a score, a place. */
  readonly facts: Readonly<Record<string, string | number | null>>
}

/** A chunk from birth to expiry. */
export type ChunkLife = {
  readonly chunkId: string
  /** null while no source says whose chunk it is. */
  readonly sessionId: string | null
  readonly tokens: Tokens | null
  readonly state: 'in-context' | 'cold' | 'expired' | 'purged' | 'gone'
  readonly recoverableUntil: number | null
  readonly events: readonly LifeEvent[]
}

/** A chunk as it lies in cold storage. */
export type ColdChunkRecord = {
  readonly chunkId: string
  readonly sessionId: string | null
  readonly at: number | null
  readonly tokens: Tokens | null
  readonly reason: string | null
  readonly recoverableUntil: number | null
}

/** The entry of the transcript that a chunk was made of. */
export type BornChunk = {
  readonly chunkId: string
  readonly sessionId: string | null
  readonly at: number | null
  readonly tokens: Tokens | null
}

type Draft = { sessionId: string | null; tokens: Tokens | null; until: number | null; events: LifeEvent[] }

/**
 * Joins by chunk id what transcript, drop log, cold storage and recovery log say of a chunk. Ids are unique within a
 * session only; what names no session belongs to the one session that has such a chunk, and is alone if several do.
 */
export class ChunkLives {
  private readonly chunks = new Map<string, Draft[]>()

  born({ chunkId, sessionId, at, tokens }: BornChunk): void {
    this.note(chunkId, sessionId, { what: 'born', at, facts: {} }, tokens)
  }

  stored({ chunkId, sessionId, at, tokens, reason, recoverableUntil }: ColdChunkRecord): void {
    const draft = this.note(chunkId, sessionId, { what: 'stored', at, facts: { reason } }, tokens)
    draft.until = recoverableUntil ?? draft.until
  }

  /** A recovery was taken back: the chunk is where it was before. */
  undone(chunkId: string, sessionId: string | null, at: number | null): void {
    this.note(chunkId, sessionId, { what: 'undone', at, facts: {} }, null)
  }

  purged(chunkId: string, sessionId: string | null, at: number | null): void {
    this.note(chunkId, sessionId, { what: 'purged', at, facts: {} }, null)
  }

  /** Lines of other logs say nothing of single chunks. */
  logged(record: AnyLogRecord): void {
    const { at, sessionId } = record
    if (record.kind === 'drops' && record.chunkId !== null) {
      const { reason, relevanceScore, thresholdUsed, coldStoragePath } = record
      const facts = { reason, relevanceScore, thresholdUsed, coldStoragePath }
      this.note(record.chunkId, sessionId, { what: 'dropped', at, facts }, record.tokens)
    }
    if (record.kind === 'recovery') {
      const { trigger, query, relevanceScore, destination } = record
      const ids = chunksOfRecovery(record)
      if (isUndoing(record)) {
        for (const id of ids) this.undone(id, sessionId, at)
        return
      }
      const facts = { trigger, query, relevanceScore, destination }
      for (const id of ids)
        this.note(id, sessionId, { what: 'recovered', at, facts }, ids.size === 1 ? record.tokens : null)
    }
  }

  /** @param now what has run out before has expired. Milliseconds since the epoch. */
  lives(now: Milliseconds): ChunkLife[] {
    return [...this.chunks].flatMap(([chunkId, drafts]) =>
      settle(drafts).map((draft) => finish(chunkId, draft, now)),
    )
  }

  private note(chunkId: string, sessionId: string | null, event: LifeEvent, tokens: Tokens | null): Draft {
    const drafts = this.chunks.get(chunkId) ?? []
    this.chunks.set(chunkId, drafts)
    let draft = drafts.find((known) => known.sessionId === sessionId)
    if (draft === undefined) {
      draft = { sessionId, tokens: null, until: null, events: [] }
      drafts.push(draft)
    }
    draft.events.push(event)
    draft.tokens ??= tokens
    return draft
  }
}

/** Gives what names no session to the only session there is. */
function settle(drafts: readonly Draft[]): readonly Draft[] {
  const [owner, ...others] = drafts.filter(({ sessionId }) => sessionId !== null)
  const nameless = drafts.find(({ sessionId }) => sessionId === null)
  if (owner === undefined || nameless === undefined || others.length > 0) return drafts
  return [
    {
      sessionId: owner.sessionId,
      tokens: owner.tokens ?? nameless.tokens,
      until: owner.until ?? nameless.until,
      events: [...owner.events, ...nameless.events],
    },
  ]
}

/** The order of events that share a time, or have none. */
const ORDER: readonly LifeEvent['what'][] = [
  'born',
  'stored',
  'dropped',
  'recovered',
  'undone',
  'purged',
  'expired',
]

function finish(chunkId: string, { sessionId, tokens, until, events }: Draft, now: Milliseconds): ChunkLife {
  const sorted = [...events].sort(
    (a, b) => placeOf(a) - placeOf(b) || ORDER.indexOf(a.what) - ORDER.indexOf(b.what),
  )
  const state = stateOf(sorted, until, now)
  if (state === 'expired') sorted.push({ what: 'expired', at: until, facts: {} })
  return { chunkId, sessionId, tokens, state, recoverableUntil: until, events: sorted }
}

/** Without a time: a birth comes first, everything else last. */
function placeOf({ what, at }: LifeEvent): number {
  return at ?? (what === 'born' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
}

function stateOf(events: readonly LifeEvent[], until: number | null, now: Milliseconds): ChunkLife['state'] {
  const last = events.filter(changesContext).at(-1)?.what
  if (last === 'born' || last === 'recovered') return 'in-context'
  if (last === 'purged') return 'purged'
  if (!events.some(({ what }) => what === 'stored')) return 'gone'
  return until !== null && until < now ? 'expired' : 'cold'
}

/** What is only written to a file or shown stays where it was. */
function changesContext({ what, facts }: LifeEvent): boolean {
  return what !== 'recovered' || (facts.destination !== 'file' && facts.destination !== 'stdout')
}
