import { isObject } from '../transcript/json'
import type { Tokens } from '../units/units'

/** A chunk that was dropped from a context, as cold storage keeps it: one line of JSON. */
export type ColdRecord = {
  readonly chunkId: string
  readonly sessionId: string
  /** When it was dropped. Milliseconds since the epoch; null when the record does not say. */
  readonly at: number | null
  readonly content: string
  /** null when its writer did not count. */
  readonly tokens: Tokens | null
  /** Why it was dropped, e.g. `low_relevance`; null when its writer did not say. */
  readonly reason: string | null
  /** Relevance to the prompt at the drop; null for what was never scored. */
  readonly score: number | null
  readonly prompt: string | null
  /** Afterwards it is no longer offered. Milliseconds since the epoch; null when unknown: then it is always offered. */
  readonly until: number | null
  /** Where it was in its transcript; null when that is not known. */
  readonly place: RecordPlace | null
  /**
   * The messages that it consisted of, each as it came: what `originalText` writes, to be read by `originalOf`. Left out
   * where they were not kept.
   */
  readonly messages?: readonly string[]
}

/** The old neighbourhood of a chunk, by ids of entries. */
export type RecordPlace = {
  /** Entries that the chunk consisted of, oldest first. */
  readonly entryIds: readonly string[]
  /** The entry right before it; null when it was the first. */
  readonly afterEntryId: string | null
}

export type ReadRecord =
  /** `odd`: what is wrong with fields that are taken as unknown, a sentence each. */
  | { readonly ok: true; readonly record: ColdRecord; readonly odd: readonly string[] }
  /**
   * `torn`: no whole JSON; `archive`: a message of a session that the memfas module archived; `malformed`: what else.
   */
  | { readonly ok: false; readonly kind: 'torn' | 'archive' | 'malformed'; readonly why: string }

/** Fields of a line. Id, session and content make a record; whatever else is odd is unknown. */
const NAMES = [
  ...['chunk_id', 'session_id', 'timestamp', 'content', 'recoverable_until', 'tokens', 'drop_reason'],
  ...['relevance_score', 'prompt_at_drop', 'entry_ids', 'after_entry_id', 'messages'],
]

/** Other names under which fields come: camelCase, and `reason` as in the log of drops. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name) => [camelCase(name), name] as const),
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
  const { chunk_id: chunkId, session_id: sessionId, content } = fields
  for (const [name, id] of [
    ['chunk_id', chunkId],
    ['session_id', sessionId],
  ] as const)
    if (!isName(id)) return malformed(`${name} ${found(id)}, and has to be a text that is not empty`)
  if (!isName(chunkId) || !isName(sessionId) || typeof content !== 'string')
    return malformed(`content ${found(content)}, and has to be a text`)
  const read = new FieldReader(fields)
  const tokens = read.known('tokens', isCount, 'a number of at least 0')
  const entryIds = read.known('entry_ids', isTexts, 'a list of texts')
  const afterEntryId = read.known('after_entry_id', isText, 'a text')
  const messages = read.known('messages', isList, 'a list')
  const record: ColdRecord = {
    chunkId,
    sessionId,
    at: read.time('timestamp', 'when it was dropped is unknown'),
    content,
    // The module of memfas writes 0 for every chunk, which then means that nothing was counted.
    tokens: tokens === 0 && content !== '' ? null : tokens,
    reason: read.known('drop_reason', isText, 'a text'),
    score: read.known('relevance_score', isNumber, 'a number'),
    prompt: read.known('prompt_at_drop', isText, 'a text'),
    until: read.time('recoverable_until', 'it does not expire'),
    place: entryIds === null ? null : { entryIds, afterEntryId },
    ...(messages === null ? {} : { messages: messages.map((message) => JSON.stringify(message)) }),
  }
  return { ok: true, record, odd: read.odd }
}

/** Reads fields that a record can do without, and notes those that are not what they should be. */
class FieldReader {
  readonly odd: string[] = []

  constructor(private readonly fields: Readonly<Record<string, unknown>>) {}

  known<T>(name: string, fits: (value: unknown) => value is T, what: string): T | null {
    const value = this.fields[name] ?? null
    if (value === null || fits(value)) return value
    this.odd.push(`${name} ${found(value)} and not ${what}: it counts as unknown`)
    return null
  }

  /** Milliseconds since the epoch. Every record should have it. */
  time(name: string, otherwise: string): number | null {
    const value = this.fields[name] ?? null
    const at = typeof value === 'string' ? timeOf(value) : null
    if (at === null)
      this.odd.push(`${name} ${value === null ? found(value) : `${found(value)} and no time`}: ${otherwise}`)
    return at
  }
}

function malformed(why: string): ReadRecord {
  return { ok: false, kind: 'malformed', why }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown): value is number => isNumber(value) && value >= 0
const isList = (value: unknown): value is unknown[] => Array.isArray(value)
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

/** Characters of a value that a message shows. */
const SHOWN = 40

function found(value: unknown): string {
  if (value === undefined || value === null) return 'is missing'
  const text = JSON.stringify(value)
  return `is ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}`
}

/** The line of a record, without a line end. Names and order are those of the plan of memfas; times are UTC. */
export function coldLine(record: ColdRecord): string {
  const { chunkId, sessionId, at, content, tokens, reason, score, prompt, until, place, messages } = record
  return JSON.stringify({
    chunk_id: chunkId,
    session_id: sessionId,
    timestamp: isoTime(at),
    content,
    tokens,
    drop_reason: reason,
    relevance_score: score,
    prompt_at_drop: prompt,
    recoverable_until: isoTime(until),
    ...(place === null ? {} : { entry_ids: place.entryIds, after_entry_id: place.afterEntryId }),
    ...(messages === undefined ? {} : { messages: messages.map((text): unknown => JSON.parse(text)) }),
  })
}

/**
 * A line with another time up to which it is kept; all else of it stays, under whatever names. null: it is no record.
 */
export function lineKeptUntil(line: string, until: number): string | null {
  if (!readColdLine(line).ok) return null
  const value: unknown = JSON.parse(line)
  if (!isObject(value)) return null
  const name =
    'recoverableUntil' in value && !('recoverable_until' in value) ? 'recoverableUntil' : 'recoverable_until'
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

function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
