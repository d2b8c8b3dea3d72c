import { type AnyLogRecord, LOG_FIELDS, type LogField, type LogRecord, REQUIRED } from './log-fields'
import type { LogKind } from './log-kinds'

export type ReadLogLine =
  | { readonly ok: true; readonly record: AnyLogRecord }
  /** Names the key, where it is one. */
  | { readonly ok: false; readonly problem: string }

const TIME = ['timestamp']
const EVENT = ['event']

/** The table as a list; a log is read by the hundred thousand lines. */
const FIELDS: { readonly [K in LogKind]: readonly (readonly [string, LogField])[] } = {
  compaction: Object.entries(LOG_FIELDS.compaction),
  curation: Object.entries(LOG_FIELDS.curation),
  drops: Object.entries(LOG_FIELDS.drops),
  recovery: Object.entries(LOG_FIELDS.recovery),
  health: Object.entries(LOG_FIELDS.health),
}

/** Below this, a number that tells a time is one of seconds. */
const SECONDS_BELOW = 1e11

/**
 * Reads one line of a log. Unknown keys are kept; a known key with a value of another type spoils the line, so that
 * nothing is counted that was not understood.
 */
export function readLogLine(kind: LogKind, text: string): ReadLogLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('it is JSON, but not an object')
  const line = value as Readonly<Record<string, unknown>>
  const taken: string[] = []
  const take = (names: readonly string[]): string | undefined => {
    const name = names.find((candidate) => Object.hasOwn(line, candidate) && line[candidate] !== null)
    if (name !== undefined) taken.push(name)
    return name
  }
  const at = take(TIME) === undefined ? null : readTime(line.timestamp)
  if (at === undefined) return refuse('timestamp is not a time')
  const event = take(EVENT) === undefined ? null : line.event
  if (event !== null && typeof event !== 'string') return refuse('event must be a text')
  const record: Record<string, unknown> = { kind, at, event, rest: {} }
  for (const [key, { names, type }] of FIELDS[kind]) {
    const name = take(names)
    record[key] = null
    if (name === undefined) {
      if (REQUIRED[kind] === key) return refuse(`${names[0]} is missing`)
      continue
    }
    const checked = type.safeParse(line[name])
    if (!checked.success) return refuse(`${name} ${checked.error.issues[0]?.message}`)
    record[key] = checked.data
  }
  if (taken.length === 0) return refuse(`it holds nothing that belongs into a ${kind} log`)
  const entries = Object.entries(line)
  if (entries.length > taken.length)
    record.rest = Object.fromEntries(entries.filter(([key]) => !taken.includes(key)))
  // The table of fields is what both the type and this loop are made from.
  return { ok: true, record: record as AnyLogRecord }
}

/** Milliseconds; undefined when it is no time. A time without a zone is one of this machine, as Python writes it. */
function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return value < SECONDS_BELOW ? value * 1000 : value
  if (typeof value !== 'string') return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : at
}

function refuse(problem: string): ReadLogLine {
  return { ok: false, problem }
}

/** Whether a record is of this kind. */
export function isOfKind<K extends LogKind>(
  record: AnyLogRecord,
  kind: K,
): record is LogRecord<K> & AnyLogRecord {
  return record.kind === kind
}
