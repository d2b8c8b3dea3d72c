import { type AnyLogRecord, LOG_FIELDS } from './log-fields'
import type { LogKind } from './log-kinds'

/** What was stored of a line: what is unknown was left out. */
type Stored = {
  readonly at: number | null
  readonly sessionId: string | null
  readonly known: Readonly<Record<string, unknown>>
}

/** A stored line as a record again: every field of its kind, null where it is unknown or not of the field's type. */
export function storedRecord(kind: LogKind, { at, sessionId, known }: Stored): AnyLogRecord {
  const { event, rest } = known
  const record: Record<string, unknown> = {
    kind,
    at,
    event: typeof event === 'string' ? event : null,
    rest: typeof rest === 'object' && rest !== null ? rest : {},
  }
  for (const [name, { type }] of Object.entries(LOG_FIELDS[kind])) {
    const read = type.safeParse(known[name])
    record[name] = read.success ? read.data : null
  }
  // Every field was read by the type that LOG_FIELDS has for it, which TypeScript cannot follow through a loop.
  return { ...record, sessionId } as unknown as AnyLogRecord
}
