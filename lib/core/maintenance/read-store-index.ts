import { isObject } from '../transcript/json'
import type { Generation } from './limits'
import type { MaintenanceEntry } from './protection'

/** A `sessions.json`, whole: what maintenance asks of it, and every value as it is, to be written back. */
export type StoreIndex = {
  readonly entries: readonly MaintenanceEntry[]
  /** Keys of sessions of which the index says that a turn is running, or that were used after `activeSince`. */
  readonly active: ReadonlySet<string>
  /** The generation that wrote it, as far as its fields betray it. */
  readonly generation: Generation
  readonly values: ReadonlyMap<string, unknown>
}

/** Fields that only the later generation writes. */
const LATE_FIELDS = ['sessionStartedAt', 'lastInteractionAt', 'totalTokensVersion', 'contextBudgetStatus']

/**
 * Reads the text of an index. @param activeSince milliseconds since the epoch
 * @throws SyntaxError when it is no JSON, TypeError when it is no object
 */
export function readStoreIndex(text: string, activeSince: number): StoreIndex {
  const parsed: unknown = JSON.parse(text)
  if (!isObject(parsed)) throw new TypeError('it holds no object')
  const values = new Map(Object.entries(parsed))
  const entries: MaintenanceEntry[] = []
  const active = new Set<string>()
  let generation: Generation = 'early'
  for (const [key, value] of values) {
    if (!isObject(value)) continue
    const entry = readEntry(key, value)
    entries.push(entry)
    if (value.status === 'running' || (entry.updatedAt ?? 0) > activeSince) active.add(key)
    if (LATE_FIELDS.some((field) => field in value)) generation = 'late'
  }
  return { entries, active, generation, values }
}

/** The text of an index without some of its keys, as the runtime writes it. */
export function indexWithout({ values }: StoreIndex, keys: ReadonlySet<string>): string {
  return indexText(new Map([...values].filter(([key]) => !keys.has(key))))
}

/** The text of an index. */
function indexText(values: ReadonlyMap<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(values), null, 2)
}

function readEntry(key: string, value: Readonly<Record<string, unknown>>): MaintenanceEntry {
  const sessionId = text(value.sessionId)
  const sessionFile = text(value.sessionFile)
  const origin = isObject(value.origin) ? value.origin : {}
  const family = Array.isArray(value.usageFamilySessionIds) ? value.usageFamilySessionIds : []
  const ids = [sessionId, text(value.previousSessionId), ...family.map(text)]
  return {
    key,
    sessionId,
    updatedAt:
      typeof value.updatedAt === 'number' && Number.isFinite(value.updatedAt) ? value.updatedAt : null,
    // A path of another machine still ends in the file's own name.
    transcript: sessionFile?.split(/[\\/]/).at(-1) ?? (sessionId === null ? null : `${sessionId}.jsonl`),
    refersTo: ids.filter((id) => id !== null),
    chatType: (text(value.chatType) ?? text(origin.chatType))?.toLowerCase() ?? null,
    pinned: typeof value.pinnedAt === 'number' || value.pinned === true,
    // Without the braces around it, and with the comma and the line end that follow it.
    bytes: new TextEncoder().encode(JSON.stringify({ [key]: value }, null, 2)).length - 4 + 2,
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
