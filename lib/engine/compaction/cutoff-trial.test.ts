import { describe, expect, it } from 'vitest'
import type { LogKind } from '../../core/logs/log-kinds'
import { readLogLine } from '../../core/logs/read-log-line'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession } from '../../testing/memory-session'
import {
  type CutoffPorts,
  compareCutoffs,
  judgeLogged,
  type LoggedSession,
  readLoggedSession,
  settingOf,
  tryCutoffs,
} from './cutoff-trial'

const NOW = Date.parse('2026-11-01T08:00:00Z')

const record = (kind: LogKind, line: object) => {
  const read = readLogLine(kind, JSON.stringify(line))
  if (!read.ok) throw new Error(read.problem)
  return read.record
}
const drop = (chunk: string, session: string, over: object = {}) =>
  record('drops', {
    ...{ chunk_id: chunk, session_id: session, timestamp: NOW, reason: 'low_relevance' },
    ...{ relevance_score: 0.2, threshold_used: 0.3, tokens: 10, ...over },
  })

/** A path is named at the beginning, other things are talked about, and the path is needed again at the end. */
function harbour(turns = 12): TranscriptBuilder {
  const session = new TranscriptBuilder()
  session.user(`The plan lies in src/harbour/berth-seven.ts. ${'plan '.repeat(60)}`)
  for (let i = 0; i < turns; i++) {
    session.assistant(`Weather ${i} is fine over the sea. ${'calm '.repeat(60)}`, {
      usage: { input: 500 + i * 150, output: 9 },
    })
    session.user(`And what of day ${i}? ${'wind '.repeat(60)}`)
  }
  session.assistant('I open src/harbour/berth-seven.ts now.', { usage: { input: 4_000, output: 9 } })
  return session
}
async function logged(text = harbour().text()): Promise<LoggedSession> {
  const { reader, session } = await memorySession(text)
  return readLoggedSession(reader, session)
}

function portsOf(over: Partial<CutoffPorts> = {}) {
  const asked = { sessions: [] as string[], stored: [] as (readonly string[])[] }
  const ports: CutoffPorts = {
    session: async (id) => {
      asked.sessions.push(id)
      return over.session?.(id) ?? null
    },
    stored: async (ids) => {
      asked.stored.push(ids)
      return over.stored?.(ids) ?? []
    },
  }
  return { ports, asked }
}

describe('W4 a session whose drops are judged', () => {
  it('has chunks and what was needed of them later', async () => {
    const { chunks, needs } = await logged()
    expect(chunks[0]?.text).toContain('berth-seven.ts')
    const last = needs.at(-1)
    expect([last?.at, last?.sources]).toEqual([chunks.length - 1, [0]])
  })

  it('is due for a pass at the policy’s share of its window', async () => {
    const session = await logged()
    const at = (share: number): Policy => ({
      ...DEFAULT_POLICY,
      lines: { ...DEFAULT_POLICY.lines, compact: { ...DEFAULT_POLICY.lines.compact, at: share } },
    })
    expect(session.dueAt(at(0.5))).toBe(session.dueAt(at(0.25)) * 2)
    const window = session.dueAt(at(1))
    expect(session.dueAt(at(1 / 3))).toBe(Math.round(window / 3))
    const narrow = { ...at(0.5), window: { ...DEFAULT_POLICY.window, cap: 1_000 } }
    expect(session.dueAt(narrow)).toBe(500)
  })
})

describe('W4 logged drops are judged', () => {
  it('by later needs in their session, and by what came back', async () => {
    const session = await logged()
    const { ports, asked } = portsOf({ session: async (id) => (id === 's1' ? session : null) })
    const [first = '', second = ''] = session.chunks.map(({ id }) => id)
    const at = (session.chunks[0]?.at ?? 0) + 1
    const recovery = record('recovery', {
      ...{ chunk_id: second, session_id: 's1', trigger: 'manual', timestamp: at + 10_000 },
    })
    const records = [drop(first, 's1', { timestamp: at }), recovery, drop(second, 's1', { timestamp: at })]
    const { drops, sessions, unread } = await judgeLogged(ports, records)
    const judged = new Map(drops.map((one) => [one.chunkId, one]))
    expect(judged.get(first)).toMatchObject({ recovered: null, sessionId: 's1', score: 0.2 })
    expect(judged.get(first)?.needed).toBeCloseTo(0.4)
    expect(judged.get(second)).toMatchObject({ recovered: 'manual', needed: 0 })
    expect([...sessions.keys()]).toEqual(['s1'])
    expect(unread.size).toBe(0)
    expect(asked).toEqual({ sessions: ['s1'], stored: [] })
  })

  it('without its transcript it is unknown what was needed; where that cannot be read, it is said why', async () => {
    const { ports } = portsOf({
      session: (id) => (id === 'torn' ? Promise.reject(new Error('no such line')) : Promise.resolve(null)),
    })
    const { drops, sessions, unread } = await judgeLogged(ports, [drop('a', 'torn'), drop('b', 'gone')])
    expect(drops.map(({ needed }) => needed)).toEqual([null, null])
    expect([...unread]).toEqual([['torn', 'no such line']])
    expect(sessions.size).toBe(0)
  })

  it('a chunk of another name is found by its text in cold storage, in its own session', async () => {
    const session = await logged()
    const content = session.chunks[0]?.text ?? ''
    const at = (session.chunks[0]?.at ?? 0) + 1
    const held = (sessionId: string, place: { entryIds: readonly string[] } | null = null) => [
      { chunkId: 'hash-1', sessionId, content, place },
    ]
    const judge = async (stored: ReturnType<typeof held>) => {
      const { ports, asked } = portsOf({
        session: async () => session,
        stored: async () => stored,
      })
      const records = [drop('hash-1', 's1', { timestamp: at }), drop('hash-1', 's1', { timestamp: at })]
      const { drops } = await judgeLogged(ports, records)
      expect(asked.stored, 'asked for once').toEqual([['hash-1']])
      return drops[0]?.needed
    }
    expect(await judge(held('s1'))).toBeCloseTo(0.4)
    expect(await judge(held('s1', { entryIds: [session.chunks[0]?.id ?? ''] }))).toBeCloseTo(0.4)
    expect(await judge(held('s2')), 'of another session').toBeNull()
    expect(await judge([])).toBeNull()
  })

  it('ten sessions are read, those that were dropped from last, and a hundred are looked for', async () => {
    const session = await logged()
    const records = Array.from({ length: 130 }, (_, i) => drop(`c${i}`, `s${i}`, { timestamp: NOW + i }))
    const here = portsOf({ session: async () => session })
    const { sessions } = await judgeLogged(here.ports, records)
    expect([...sessions.keys()]).toEqual(Array.from({ length: 10 }, (_, i) => `s${129 - i}`))
    expect(here.asked.sessions).toHaveLength(10)
    const gone = portsOf()
    await judgeLogged(gone.ports, records)
    expect(gone.asked.sessions).toHaveLength(100)
    expect(gone.asked.sessions[0]).toBe('s129')
  })

  it('of two thousand chunks at most the texts are looked up', async () => {
    const session = await logged()
    const records = Array.from({ length: 2_001 }, (_, i) => drop(`c${i}`, 's1', { timestamp: NOW - i }))
    const { ports, asked } = portsOf({ session: async () => session })
    await judgeLogged(ports, records)
    expect(asked.stored.map((ids) => [ids.length, ids[0]])).toEqual([[2_000, 'c0']])
  })

  it('what came back alone is no reason to look for its session', async () => {
    const session = await logged()
    const { ports, asked } = portsOf({ session: async () => session })
    const back = { chunk_id: 'c', session_id: 's9', trigger: 'manual', timestamp: NOW + 1 }
    await judgeLogged(ports, [record('recovery', back), drop(session.chunks[0]?.id ?? '', 's1')])
    expect(asked).toEqual({ sessions: ['s1'], stored: [] })
  })

  it('a drop without a session or a time is judged as far as that goes', async () => {
    const { ports, asked } = portsOf()
    const records = [
      drop('a', 's1', { session_id: undefined }),
      drop('b', 's2', { timestamp: undefined }),
      drop('c', 's3'),
    ]
    const { drops } = await judgeLogged(ports, records)
    expect(drops.map(({ chunkId, sessionId }) => [chunkId, sessionId])).toEqual([
      ['a', null],
      ['b', 's2'],
      ['c', 's3'],
    ])
    expect(asked.sessions).toEqual(['s3', 's2'])
  })
})

describe('W4 two settings of the thresholds', () => {
  const judged = (score: number, needed: number | null) => ({
    ...{ chunkId: `c${score}`, sessionId: 's1', at: NOW, score, threshold: 0.3, reason: null, tokens: 10 },
    ...{ recovered: null, needed },
  })

  /** Protects next to nothing, so that scores decide. */
  const bare: Policy = {
    ...DEFAULT_POLICY,
    relevance: { ...DEFAULT_POLICY.relevance, minChunks: 2 },
    history: { ...DEFAULT_POLICY.history, recentTurns: 0 },
    pruning: {
      ...DEFAULT_POLICY.pruning,
      ...{ keepLastMessages: 0, keepRecentMs: 0, toolResultsAfterMs: 0, alwaysKeep: [] },
    },
  }

  it('are what a policy has in force', () => {
    const policy = { ...DEFAULT_POLICY, relevance: { ...DEFAULT_POLICY.relevance, cutoff: 0.2, keep: 0.6 } }
    expect(settingOf(policy)).toEqual({ cutoff: 0.2, keep: 0.6 })
  })

  it('are held against the same drops', () => {
    const drops = [judged(0.1, 0), judged(0.25, 1), judged(0.28, null)]
    const [before, after] = [
      { cutoff: 0.3, keep: 0.7 },
      { cutoff: 0.2, keep: 0.7 },
    ]
    const compared = compareCutoffs(drops, before, after)
    expect(compared.needsKnown).toBe(2)
    expect([compared.before.parts.drop.chunks, compared.after.parts.drop.chunks]).toEqual([3, 1])
    expect([compared.before.setting, compared.after.setting]).toEqual([before, after])
    expect(compared.advice).toMatchObject({ kind: 'too-few', drops: 3 })
    expect(compared.changed.map(({ drop: { score }, before: was, after: is }) => [score, was, is])).toEqual(
      expect.arrayContaining([
        [0.25, 'drop', 'summarise'],
        [0.28, 'drop', 'summarise'],
      ]),
    )
    expect(compared.changed).toHaveLength(2)
  })

  it('are tried on transcripts as if nothing had been dropped: a higher cut-off drops more', async () => {
    const session = await logged()
    const [before, after] = [
      { cutoff: 0, keep: 0.01 },
      { cutoff: 0.99, keep: 1 },
    ]
    const tried = tryCutoffs(bare, [session, session], { before, after, from: 200 })
    expect(tried.tried).toEqual([
      { calls: 13, from: 200 },
      { calls: 13, from: 200 },
    ])
    expect([tried.before.calls, tried.before.dropped]).toEqual([26, 0])
    expect(tried.after.dropped).toBeGreaterThan(0)
    expect(tried.after.tokensSent).toBeLessThan(tried.before.tokensSent)
    expect(tried.after.tokensAll).toBe(tried.before.tokensAll)
    const alone = tryCutoffs(bare, [session], { before, after, from: 200 })
    expect(tried.after.dropped).toBe(2 * alone.after.dropped)
  })

  it('a pass is due where the policy has it for the session, unless it is said', async () => {
    const session = await logged()
    const setting = { before: settingOf(DEFAULT_POLICY), after: settingOf(DEFAULT_POLICY) }
    const { tried, before, after } = tryCutoffs(DEFAULT_POLICY, [session], { ...setting, from: null })
    expect(tried).toEqual([{ calls: 13, from: session.dueAt(DEFAULT_POLICY) }])
    expect(before).toEqual(after)
  })

  it('other weights than the thresholds score anew', async () => {
    const session = await logged()
    const thresholds = { before: { cutoff: 0.3, keep: 0.9 }, after: { cutoff: 0.5, keep: 0.9 }, from: 200 }
    const trial = (similarityWeight: number) =>
      tryCutoffs({ ...bare, relevance: { ...bare.relevance, similarityWeight } }, [session], thresholds)
    const first = trial(0.6)
    const other = trial(0)
    expect(other.after.dropped).not.toBe(first.after.dropped)
    expect(trial(0.6)).toEqual(first)
  })
})
