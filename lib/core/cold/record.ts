import * as z from 'zod'
import { isObject } from '../transcript/json'

/** A chunk that was dropped from a context, as cold storage keeps it: one line of JSON (I2). */
export type ColdRecord = {
  readonly chunkId: string
  readonly sessionId: string
  /** When it was dropped. Milliseconds since the epoch. */
  readonly at: number
  readonly content: string
  /** null when whoever stored it did not count. */
  readonly tokens: number | null
  /** Why it was dropped, e.g. `low_relevance`; null when whoever stored it did not say. */
  readonly reason: string | null
  /** Relevance to the prompt at the drop; null for what was never scored. */
  readonly score: number | null
  readonly prompt: string | null
  /** Afterwards it is no longer offered. Milliseconds since the epoch. */
  readonly until: number
  /** Where it stood in its transcript; null when that is not known. */
  readonly place: ColdPlace | null
}

/** The old neighbourhood of a chunk, by ids of entries. */
export type ColdPlace = {
  /** Entries that the chunk consisted of, oldest first. */
  readonly entryIds: readonly string[]
  /** The entry right before it; null when it was the first. */
  readonly afterEntryId: string | null
}

export type ReadRecord =
  | { readonly ok: true; readonly record: ColdRecord }
  /** `torn`: no whole JSON; `archive`: a message of a session that the memfas module archived; `malformed`: what else. */
  | { readonly ok: false; readonly kind: 'torn' | 'archive' | 'malformed'; readonly why: string }

const shape = z.object({
  chunk_id: z.string().min(1),
  session_id: z.string().min(1),
  timestamp: z.string(),
  content: z.string(),
  recoverable_until: z.string(),
  tokens: z.number().min(0).nullish(),
  drop_reason: z.string().nullish(),
  relevance_score: z.number().nullish(),
  prompt_at_drop: z.string().nullish(),
  entry_ids: z.array(z.string()).nullish(),
  after_entry_id: z.string().nullish(),
})

/** Other names under which fields come: camelCase, and `reason` as in the log of drops. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ...Object.keys(shape.shape).map((name) => [camelCase(name), name] as const),
  ['reason', 'drop_reason'],
])

/** Reads one line of a file in cold storage: as the plan of memfas has it, as its module writes it, or in camelCase. */
export function readColdLine(line: string): ReadRecord {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { ok: false, kind: 'torn', why: 'the line is not whole JSON' }
  }
  if (!isObject(value)) return { ok: false, kind: 'malformed', why: 'the line is no JSON object' }
  const fields = withPlanNames(value)
  if (fields.chunk_id === undefined && 'role' in value)
    return { ok: false, kind: 'archive', why: 'the line is a message of an archived session' }
  const read = shape.safeParse(fields)
  if (!read.success) {
    const [issue] = read.error.issues
    return { ok: false, kind: 'malformed', why: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` }
  }
  const { data } = read
  const [at, until] = [timeOf(data.timestamp), timeOf(data.recoverable_until)]
  if (at === null) return { ok: false, kind: 'malformed', why: 'timestamp: it is no time' }
  if (until === null) return { ok: false, kind: 'malformed', why: 'recoverable_until: it is no time' }
  const record: ColdRecord = {
    chunkId: data.chunk_id,
    sessionId: data.session_id,
    at,
    content: data.content,
    // The module of memfas writes 0 for every chunk, which then means that nobody counted.
    tokens: data.tokens === 0 && data.content !== '' ? null : (data.tokens ?? null),
    reason: data.drop_reason ?? null,
    score: data.relevance_score ?? null,
    prompt: data.prompt_at_drop ?? null,
    until,
    place: data.entry_ids ? { entryIds: data.entry_ids, afterEntryId: data.after_entry_id ?? null } : null,
  }
  return { ok: true, record }
}

/** The line of a record, without a line end. Names and order are those of the plan of memfas; times are UTC. */
export function coldLine(record: ColdRecord): string {
  const { chunkId, sessionId, at, content, tokens, reason, score, prompt, until, place } = record
  return JSON.stringify({
    chunk_id: chunkId,
    session_id: sessionId,
    timestamp: new Date(at).toISOString(),
    content,
    tokens,
    drop_reason: reason,
    relevance_score: score,
    prompt_at_drop: prompt,
    recoverable_until: new Date(until).toISOString(),
    ...(place === null ? {} : { entry_ids: place.entryIds, after_entry_id: place.afterEntryId }),
  })
}

/** A line with another time up to which it is kept; all else of it stays, under whatever names. null: it is no record. */
export function lineKeptUntil(line: string, until: number): string | null {
  if (!readColdLine(line).ok) return null
  const value: unknown = JSON.parse(line)
  if (!isObject(value)) return null
  const name = 'recoverable_until' in value ? 'recoverable_until' : 'recoverableUntil'
  return JSON.stringify({ ...value, [name]: new Date(until).toISOString() })
}

function withPlanNames(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, content] of Object.entries(value)) {
    const planned = ALIASES.get(name) ?? name
    // A field under its own name beats the same one under another.
    if (planned === name || !(planned in value)) fields[planned] = content
  }
  return fields
}

/** The module writes local times without a zone; they are taken for UTC. */
function timeOf(text: string): number | null {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  const at = Date.parse(hasZone || !text.includes('T') ? text : `${text}Z`)
  return Number.isFinite(at) ? at : null
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
