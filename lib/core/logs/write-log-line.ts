import { LOG_FIELDS, type LogEntry, type LogKind } from './log-fields'

const EVENTS: { readonly [K in LogKind]: string } = {
  compaction: 'compaction_triggered',
  curation: 'memfas_curation',
  drops: 'chunk_dropped',
  recovery: 'chunk_recovered',
  health: 'health_check',
}

/**
 * One line of a log, without the newline: the plan's names in the plan's order, then whatever else there is. What is
 * unknown is left out.
 * @param at milliseconds since the epoch; written in UTC
 * @param mask covers credentials in a text
 */
export function writeLogLine<K extends LogKind>(
  kind: K,
  at: number,
  entry: LogEntry<K>,
  mask: (text: string) => string,
): string {
  const line = new Map<string, unknown>([
    ['timestamp', new Date(at).toISOString()],
    ['event', entry.event ?? EVENTS[kind]],
  ])
  const given = new Map<string, unknown>(Object.entries(entry))
  for (const [key, { names }] of Object.entries(LOG_FIELDS[kind])) {
    const value = given.get(key)
    if (value != null) line.set(names[0], value)
  }
  for (const [key, value] of Object.entries(entry.rest ?? {})) if (!line.has(key)) line.set(key, value)
  return JSON.stringify(
    Object.fromEntries([...line].map(([key, value]) => [mask(key), masked(key, value, mask)])),
  )
}

/** A value with the credentials in it covered; what a name like `apiKey` holds counts as one, too. */
function masked(key: string, value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') {
    const assigned = `${key}="${value}"`
    const covered = mask(assigned)
    return covered === assigned ? mask(value) : mask(covered.slice(key.length + 2, -1))
  }
  if (Array.isArray(value)) return value.map((item) => masked(key, item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [mask(name), masked(name, item, mask)]),
  )
}
