import type { ColdChunk } from './cold-store'

/** Which of the chunks with an id is meant. */
export type ChunkName = {
  /** The chunk of this session and of no other. */
  readonly session?: string | undefined
  /** When it was dropped; left out: the newest. Milliseconds since the epoch, null where unknown. */
  readonly at?: number | null | undefined
  /** Of chunks of several sessions that of this one. */
  readonly prefer?: string | undefined
}

type ChunkChoice =
  | { readonly kind: 'one'; readonly chunk: ColdChunk }
  | { readonly kind: 'none' }
  /** Chunks of several sessions; one of each. */
  | { readonly kind: 'several'; readonly chunks: readonly ColdChunk[] }

/** The chunk that an id means: of several in one session, which was dropped again and again, the newest. */
export function chooseChunk(named: readonly ColdChunk[], { session, at, prefer }: ChunkName): ChunkChoice {
  const newest = new Map<string, ColdChunk>()
  for (const chunk of named) {
    if (session !== undefined && chunk.sessionId !== session) continue
    if (at !== undefined && chunk.at !== at) continue
    const known = newest.get(chunk.sessionId)
    if (known === undefined || (chunk.at ?? 0) > (known.at ?? 0)) newest.set(chunk.sessionId, chunk)
  }
  const preferred = prefer === undefined ? undefined : newest.get(prefer)
  const [only, ...more] = preferred === undefined ? newest.values() : [preferred]
  if (only === undefined) return { kind: 'none' }
  return more.length === 0 ? { kind: 'one', chunk: only } : { kind: 'several', chunks: [only, ...more] }
}
