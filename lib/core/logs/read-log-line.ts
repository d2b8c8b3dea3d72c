import { type AnyLogRecord, LOG_FIELDS, type LogKind, type LogRecord, REQUIRED } from './log-fields'

export type ReadLogLine =
  | { readonly ok: true; readonly record: AnyLogRecord }
  /** Names the key, where it is one. */
  | { readonly ok: false; readonly problem: string }

/** Below this, a number that tells a time is one of seconds. */
const SECONDS_BELOW = 1e11

/**
 * Reads one line of a log (X14). Unknown keys are kept; a known key with a value of another type spoils the line, so that
 * nothing is counted that was not understood.
 */
export function readLogLine(kind: LogKind, line: string): ReadLogLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return refuse('it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('it is JSON, but not an object')
  const rest = new Map<string, unknown>(Object.entries(value))
  const take = (names: readonly string[]): { name: string; value: unknown } | null => {
    const name = names.find((candidate) => rest.get(candidate) != null)
    if (name === undefined) return null
    const found = rest.get(name)
    rest.delete(name)
    return { name, value: found }
  }
  const time = take(['timestamp'])
  const at = time === null ? null : readTime(time.value)
  if (at === undefined) return refuse('timestamp is not a time')
  const event = take(['event'])
  if (event !== null && typeof event.value !== 'string') return refuse('event must be a text')
  const values: Record<string, unknown> = {}
  let known = time !== null || event !== null
  for (const [key, { names, type }] of Object.entries(LOG_FIELDS[kind])) {
    const found = take(names)
    values[key] = null
    if (found === null) {
      if (REQUIRED[kind] === key) return refuse(`${names[0]} is missing`)
      continue
    }
    const checked = type.safeParse(found.value)
    if (!checked.success) return refuse(`${found.name} ${checked.error.issues[0]?.message}`)
    values[key] = checked.data
    known = true
  }
  if (!known) return refuse(`it holds nothing that belongs into a ${kind} log`)
  const base = { kind, at, event: event?.value ?? null, rest: Object.fromEntries(rest) }
  // The table of fields is what both the type and this loop are made from.
  return { ok: true, record: { ...base, ...values } as AnyLogRecord }
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
