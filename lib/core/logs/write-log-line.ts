import { LOG_FIELDS, type LogEntry } from './log-fields'
import type { LogKind } from './log-kinds'
import { maskValue } from './mask-value'

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
  return JSON.stringify(maskValue('', Object.fromEntries(line), mask))
}
