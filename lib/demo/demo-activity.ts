import { safeName } from '../core/cold/names'
import { type ColdRecord, coldLine } from '../core/cold/record'
import type { LogEntry } from '../core/logs/log-fields'
import { LOG_FILES } from '../core/logs/log-files'
import { LOG_KINDS, type LogKind } from '../core/logs/log-kinds'
import { writeLogLine } from '../core/logs/write-log-line'
import type { DemoFile } from './demo-file'
import type { PlayedSession } from './play-session'
import type { Random } from './random'
import { demoTokens } from './transcript-writer'

const DAY = 86_400_000
const KEPT_DAYS = 30
/** The cut-off and the keep threshold of the preset `memfas`. */
const CUTOFF = 0.3
/** A chunk is dropped when the user has asked so many more times, and something is missed again that much later. */
const TURNS_TILL_DROP = 3
const TURNS_TILL_RECOVERY = 2
const LEAST_CHARS = 1_200

/** Where an agent keeps what it drops and what it notes, below its state folder. */
const COLD = 'cold-storage'
const LOGS = 'logs/context'

type Entry = {
  readonly type: string
  readonly id: string
  readonly parentId: string | null
  readonly timestamp: string
  readonly tokensBefore?: number
  readonly message?: {
    readonly role: string
    readonly content?: string | readonly { readonly type: string; readonly text?: string }[]
    readonly usage?: { readonly totalTokens: number }
  }
}

/** A record whose time is known. */
type Dropped = ColdRecord & { readonly at: number }

type Noted = { readonly kind: LogKind; readonly at: number; readonly line: string }

/**
 * What an agent that manages its contexts leaves beside its sessions: its settings, cold storage, and the logs of
 * drops, curations, recoveries, compactions and health checks, all of it about entries that are in the transcripts.
 * @param folder of the agent's state, relative as in `DemoFile`
 * @param root the same as an absolute path, as its settings must name it
 */
export function makeActivity(
  random: Random,
  { folder, root, sessions }: { folder: string; root: string; sessions: readonly PlayedSession[] },
): DemoFile[] {
  const records = new Map<string, Dropped>()
  const noted: Noted[] = []
  for (const session of sessions) {
    const entries = entriesOf(session)
    const dropped = dropsOf(random, session, entries)
    for (const record of dropped) records.set(record.chunkId, record)
    noted.push(...noteDrops(dropped), ...noteRecoveries(random, entries, dropped))
    noted.push(...noteWindow(session, entries, dropped))
  }
  noted.sort((a, b) => a.at - b.at)
  return [
    { path: `${folder}/context-config.yaml`, text: settings(root) },
    ...[...records.values()].map((record) => ({
      path: `${folder}/${COLD}/${safeName(record.sessionId)}/${safeName(record.chunkId)}.jsonl`,
      text: `${coldLine(record)}\n`,
    })),
    ...LOG_KINDS.map((kind) => ({
      path: `${folder}/${LOGS}/${LOG_FILES[kind][0]}`,
      text: noted.flatMap((note) => (note.kind === kind ? `${note.line}\n` : [])).join(''),
    })),
  ]
}

function settings(root: string): string {
  const quoted = (path: string) => JSON.stringify(path)
  return [
    '# Where this agent keeps what leaves its contexts, and what it notes about that.',
    `COLD_STORAGE_PATH: ${quoted(`${root}/${COLD}`)}`,
    `LOG_PATH: ${quoted(`${root}/${LOGS}`)}`,
    `RELEVANCE_CUTOFF: ${CUTOFF}`,
    `RECOVERABLE_FOR_DAYS: ${KEPT_DAYS}`,
    '',
  ].join('\n')
}

function entriesOf({ text }: PlayedSession): Entry[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Entry]
    } catch {
      // A line that was damaged on purpose, or the end.
      return []
    }
  })
}

/** Calls with their results that had become old when they were examined: most for being far from what was asked. */
function dropsOf(random: Random, { sessionId }: PlayedSession, entries: readonly Entry[]): Dropped[] {
  const prompts = entries.filter(({ message }) => message?.role === 'user')
  const records: Dropped[] = []
  entries.forEach((entry, i) => {
    const result = entries[i + 1]
    const text = textOf(result)
    if (entry.message?.role !== 'assistant' || result?.message?.role !== 'toolResult') return
    if (text.length < LEAST_CHARS || random.chance(0.7)) return
    const asked = promptAfter(prompts, result, TURNS_TILL_DROP)
    if (asked === undefined) return
    const at = Date.parse(asked.timestamp)
    const isForced = random.chance(0.08)
    const score = isForced ? 0.3 + random.next() * 0.3 : random.next() * CUTOFF
    records.push({
      chunkId: entry.id,
      sessionId,
      at,
      content: [textOf(entry), text].filter(Boolean).join('\n\n'),
      tokens: demoTokens(text),
      reason: isForced ? 'hard_limit' : 'low_relevance',
      score: Math.round(score * 100) / 100,
      prompt: textOf(asked),
      until: at + KEPT_DAYS * DAY,
      place: { entryIds: [entry.id, result.id], afterEntryId: entry.parentId },
    })
  })
  return records
}

function noteDrops(records: readonly Dropped[]): Noted[] {
  const times = [...new Set(records.map(({ at }) => at))]
  const curations = times.map((at) => {
    const dropped = records.filter((record) => record.at === at)
    return note('curation', at, {
      sessionId: dropped[0]?.sessionId ?? null,
      query: dropped[0]?.prompt ?? null,
      hitsFound: dropped.length + 4,
      tokenSavings: dropped.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
      dropsTriggered: dropped.length,
    })
  })
  const drops = records.map(({ chunkId, sessionId, reason, score, tokens, at }) =>
    note('drops', at, {
      chunkId,
      sessionId,
      reason,
      relevanceScore: score,
      thresholdUsed: reason === 'low_relevance' ? CUTOFF : null,
      tokens,
    }),
  )
  return [...curations, ...drops]
}

/** Some chunks came back: most automatically when they were asked about again. */
function noteRecoveries(random: Random, entries: readonly Entry[], records: readonly Dropped[]): Noted[] {
  const prompts = entries.filter(({ message }) => message?.role === 'user')
  return records.flatMap(({ chunkId, sessionId, tokens, at }) => {
    if (random.chance(0.85)) return []
    const asked = prompts.filter(({ timestamp }) => Date.parse(timestamp) > at)[TURNS_TILL_RECOVERY]
    if (asked === undefined) return []
    const isAuto = random.chance(0.7)
    return note('recovery', Date.parse(asked.timestamp), {
      chunkId,
      sessionId,
      trigger: isAuto ? 'auto' : 'manual',
      query: textOf(asked),
      relevanceScore: Math.round((0.5 + random.next() * 0.4) * 100) / 100,
      tokens,
      destination: 'context',
    })
  })
}

/** Compactions, and the fill that was measured at every third call. */
function noteWindow(
  { sessionId, script }: PlayedSession,
  entries: readonly Entry[],
  records: readonly Dropped[],
): Noted[] {
  let calls = 0
  return entries.flatMap((entry, i) => {
    const at = Date.parse(entry.timestamp)
    if (entry.type === 'compaction') {
      const { tokensBefore = null } = entry
      const next = entries.slice(i).find(({ message }) => (message?.usage?.totalTokens ?? 0) > 0)
      const tokensAfter = next?.message?.usage?.totalTokens ?? null
      return note('compaction', at, { sessionId, trigger: 'token_threshold', tokensBefore, tokensAfter })
    }
    const tokens = entry.message?.usage?.totalTokens
    if (tokens === undefined || tokens === 0 || calls++ % 3 !== 0) return []
    return note('health', at, {
      sessionId,
      currentTokens: tokens,
      limit: script.window,
      pctUsed: Math.round((tokens / script.window) * 1_000) / 1_000,
      chunksCold: records.filter((record) => record.at <= at).length,
    })
  })
}

function note<K extends LogKind>(kind: K, at: number, entry: LogEntry<K>): Noted {
  return { kind, at, line: writeLogLine(kind, at, entry, (text) => text) }
}

function promptAfter(prompts: readonly Entry[], { timestamp }: Entry, turns: number): Entry | undefined {
  return prompts.filter((prompt) => prompt.timestamp > timestamp)[turns]
}

function textOf(entry: Entry | undefined): string {
  const content = entry?.message?.content
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? text : [])).join('\n')
}
