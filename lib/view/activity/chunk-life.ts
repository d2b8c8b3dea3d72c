import type { ChunkLife } from '../../core/logs/chunk-life'
import { maskValue } from '../../core/logs/mask-value'
import { maskSecrets } from '../../core/redaction/secrets'
import type { Tokens } from '../../core/units/units'
import { recoveryPlace, recoveryTrigger } from '../cold/recovery-words'
import { shownText } from '../text/shown-text'

/** Where a chunk is now, as people read it. */
export const LIFE_STATES: { readonly [S in ChunkLife['state']]: string } = {
  'in-context': 'in its context',
  cold: 'in cold storage',
  expired: 'expired',
  purged: 'purged',
  gone: 'dropped, and not in cold storage',
}

/** Names of what happened, as people read them. */
const EVENTS: { readonly [E in ChunkLife['events'][number]['what']]: string } = {
  born: 'born in the transcript',
  stored: 'written to cold storage',
  dropped: 'left the context',
  recovered: 'brought back',
  undone: 'the recovery was taken back',
  purged: 'purged',
  expired: 'expired',
}

export type LifeView = {
  readonly key: string
  readonly shownId: string
  readonly shownSession: string
  readonly sessionHref: string | null
  readonly tokens: Tokens | null
  readonly state: string
  readonly isRecoverable: boolean
  readonly coldHref: string | null
  readonly until: number | null
  readonly events: readonly {
    readonly key: string
    readonly what: string
    readonly at: number | null
    readonly facts: readonly { readonly name: string; readonly value: string }[]
  }[]
}

const FACTS: { readonly [name: string]: string } = {
  relevanceScore: 'score',
  thresholdUsed: 'cut-off',
  coldStoragePath: 'file',
  query: 'for',
}

/** The life of a chunk as it may be shown. @param coldAt when its record in
 * cold storage was made; null where that is unknown, undefined without one */
export function lifeView(
  { chunkId, sessionId, tokens, state, recoverableUntil, events }: ChunkLife,
  session: { readonly id: string; readonly title: string } | null,
  coldAt: number | null | undefined,
): LifeView {
  const name = new URLSearchParams({
    chunk: chunkId,
    of: sessionId ?? '',
    at: coldAt === null ? '' : String(coldAt),
    expired: 'with',
  })
  return {
    key: `${sessionId} ${chunkId}`,
    shownId: shownText(chunkId),
    shownSession: session?.title ?? (sessionId === null ? 'an unknown session' : shownText(sessionId)),
    sessionHref: session === null ? null : `/sessions/${session.id}`,
    tokens,
    state: LIFE_STATES[state],
    isRecoverable: state === 'cold',
    coldHref: coldAt === undefined ? null : `/cold-storage?${name}`,
    until: recoverableUntil,
    events: events.map(({ what, at, facts }, i) => ({
      key: `${i}`,
      what: what === 'recovered' && recoveryPlace(destinationOf(facts)).isCopy ? 'copied' : EVENTS[what],
      at,
      facts: Object.entries(facts).flatMap(([name, value]) =>
        value === null ? [] : [shownFact(name, value)],
      ),
    })),
  }
}

function destinationOf({ destination }: ChunkLife['events'][number]['facts']): string | null {
  return typeof destination === 'string' ? destination : null
}

function shownFact(name: string, value: string | number): { readonly name: string; readonly value: string } {
  const text = String(maskValue(name, value, maskSecrets))
  if (name === 'trigger') return { name: 'by', value: shownText(recoveryTrigger(text)) }
  if (name !== 'destination') return { name: FACTS[name] ?? name, value: shownText(text) }
  const { preposition, place } = recoveryPlace(text)
  return { name: preposition, value: shownText(place) }
}
