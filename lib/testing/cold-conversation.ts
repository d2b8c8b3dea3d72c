import { fileColdStore } from '../adapters/cold/file-cold-store'
import type { ContentMessage } from '../core/history/thinking'
import type { AnyLogRecord, LogEntry } from '../core/logs/log-fields'
import type { LogKind } from '../core/logs/log-kinds'
import { readLogLine } from '../core/logs/read-log-line'
import { writeLogLine } from '../core/logs/write-log-line'
import type { Policy } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import type { ContextLog } from '../engine/logs/log-ports'
import type { WriteFiles } from '../engine/write/write-ports'
import { liveAgent } from './live-conversation'
import { MemoryDisk } from './memory-disk'

export const NOW = Date.parse('2026-11-21T10:00:00Z')
const HOUR = 3_600_000

/** Windows of tests are small on purpose: what an agent is warned of is tested by itself. */
const SMALL_WINDOWS = { window: { warnBelow: 0, blockBelow: 0 } }

/** Seed 2's settings: curation at .40, compaction at .50, the newest five chunks stay. */
export const MEMFAS: Policy = resolvePolicy([
  { level: 'preset', label: 'memfas', patch: PRESETS.memfas },
  { level: 'session', label: 'test', patch: SMALL_WINDOWS },
]).policy

/** Words that many say and that mean nothing. */
const FILLER = 'the quay lies quiet and nobody has anything to add to that today '.repeat(24)

/** Errands that have to do with nothing but themselves, each a call with its result, a day old; about 420 tokens each. */
export function errands(count: number, at = NOW - 24 * HOUR): ContentMessage[] {
  return Array.from({ length: count }, (_, i): ContentMessage[] => [
    {
      role: 'assistant',
      calls: [{ id: `e${i}` }],
      content: [{ type: 'toolCall', id: `e${i}`, name: 'read', arguments: { path: `ledger/page${i}.txt` } }],
      ...timed(at + i),
    },
    { role: 'toolResult', resultFor: `e${i}`, content: `page${i}: ${FILLER}`, ...timed(at + i) },
  ]).flat()
}

/** Messages of many agents carry their time. */
function timed(timestamp: number): { readonly timestamp: number } {
  return { timestamp }
}

export function said(role: 'user' | 'assistant', content: string, at = NOW): ContentMessage {
  return { role, content, ...timed(at) }
}

/** An agent whose dropped chunks go to a disk in memory, and whose logs are read back as they were written. */
export function coldAgent(
  messages: readonly ContentMessage[],
  policy: Policy = MEMFAS,
  more: Parameters<typeof liveAgent>[2] & { readonly files?: WriteFiles } = {},
) {
  const disk = new MemoryDisk()
  let unique = 0
  const { files = disk, clock = { now: () => NOW }, ...rest } = more
  const cold = fileColdStore(files, '/cold', () => String(++unique))
  const lines: AnyLogRecord[] = []
  const note = <K extends LogKind>(kind: K, entries: readonly LogEntry<K>[]) => {
    for (const entry of entries) {
      const read = readLogLine(
        kind,
        writeLogLine(kind, clock.now(), entry, (text) => text),
      )
      if (read.ok) lines.push(read.record)
    }
    return Promise.resolve(null)
  }
  const log: ContextLog = { add: (kind, entry) => note(kind, [entry]), addAll: note }
  const agent = liveAgent(messages, policy, { cold, log, clock, ...rest })
  return {
    ...agent,
    disk,
    cold,
    lines,
    logged: (kind: LogKind) => lines.filter((line) => line.kind === kind),
  }
}
