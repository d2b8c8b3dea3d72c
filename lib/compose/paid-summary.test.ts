import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { discoverStores } from '../adapters/discovery/discover'
import { decodeUtf8 } from '../adapters/jsonl/decode-utf8'
import { sessionLocks } from '../adapters/locks/session-locks'
import { createStoreReader } from '../adapters/stores/store-reader'
import { keptSummaryFiles } from '../adapters/summarizers/kept-summary-files'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { compactSession } from '../engine/compaction/compact-session'
import { NO_HOOKS } from '../engine/compaction/compaction-hooks'
import type { CompactionPorts, CompactionRequest } from '../engine/compaction/compaction-ports'
import { dryRun } from '../engine/compaction/dry-run'
import { PendingSummaries } from '../engine/compaction/pending-summaries'
import { openPlanSource } from '../engine/compaction/plan-session'
import { retrySummary } from '../engine/compaction/retry-summary'
import { Lanes } from '../engine/jobs/lanes'
import { inspectSession } from '../engine/read/inspect-session'
import type { Summarizer } from '../engine/summary/summarizer'
import { SummaryChain } from '../engine/summary/summary-chain'
import type { LockOptions, LockOwner } from '../engine/write/lock-ports'
import { TranscriptBuilder } from '../testing/builders/transcript'
import { readSetup } from '../testing/read-setup'
import { soundSummary, standingClock } from '../testing/scripted-summarizer'
import { temporaryFolder, writeFiles } from '../testing/store-folder'
import { testWriter } from '../testing/test-writer'
import { dryRunPorts, newEntryId, SUMMARY_PORTS } from './compaction'

const MINUTE = 60_000
const SECRET = `sk-ant-api03-${'a1B2c3D4'.repeat(6)}`

const policy: Policy = {
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 800, retries: 1, mode: 'default' },
  summary: { ...DEFAULT_POLICY.summary, rolling: { ...DEFAULT_POLICY.summary.rolling, enabled: false } },
}

function transcript(id: string): string {
  const builder = new TranscriptBuilder({ id })
  for (let i = 0; i < 12; i++) {
    builder.user(`Please do part ${i}. ${'word '.repeat(200)}`)
    builder.assistant(`Part ${i} is done.`, { usage: { input: 1_500 + i * 900, output: 30 } })
  }
  return builder.text()
}

/** A store of one session or several, with real locks and a clock that moves when the test moves it. */
function world(names: readonly string[] = ['s1']) {
  const folder = temporaryFolder()
  const sessions = 'store/agents/main/sessions'
  const index = Object.fromEntries(
    names.map((name) => [`agent:main:${name}`, { sessionId: name, updatedAt: 1, compactionCount: 0 }]),
  )
  writeFiles(folder, {
    ...Object.fromEntries(names.map((name) => [`${sessions}/${name}.jsonl`, transcript(name)])),
    [`${sessions}/sessions.json`]: JSON.stringify(index, null, 2),
  })
  const home = join(folder, 'home')
  let now = Date.now()
  const state = { live: null as LockOwner | null, holds: [] as (number | undefined)[], held: 0 }
  const clock = { now: () => now }
  const fileOf = (name = 's1') => join(folder, sessions, `${name}.jsonl`)

  async function ports(): Promise<CompactionPorts> {
    const locks = sessionLocks({ now: clock.now, every: () => () => undefined })
    return {
      writer: {
        ...testWriter(nodeWriteFiles, { home, now: clock.now }),
        live: { find: async () => state.live },
        locks: {
          ...locks,
          acquire: async (file: string, options: LockOptions) => {
            if (options.within === undefined) state.holds.push(options.maxLockMs)
            return locks.acquire(file, options)
          },
        },
      },
      reader: createStoreReader({ lastLine: 'take-whole' }),
      lanes: new Lanes(2),
      hooks: NO_HOOKS,
      decode: decodeUtf8,
      newEntryId,
      summary: SUMMARY_PORTS,
      kept: keptSummaryFiles(join(home, 'summaries'), clock.now),
    }
  }

  async function request(name: string, more: Partial<CompactionRequest>): Promise<CompactionRequest> {
    const { stores } = await discoverStores({ env: {}, home: folder, only: [join(folder, 'store')] })
    const reader = createStoreReader({ lastLine: 'take-whole' })
    for (const store of stores)
      for await (const found of reader.list(store))
        if (found.sessionId === name)
          return {
            store,
            transcript: found,
            policy,
            chain: null,
            focus: null,
            actor: 'test',
            manual: true,
            wait: { waitMs: 5_000 },
            ...more,
          }
    throw new Error('no transcript')
  }

  return {
    folder,
    home,
    state,
    clock,
    pass: (ms: number) => {
      now += ms
    },
    fileOf,
    ports,
    request,
    compact: async (more: Partial<CompactionRequest> = {}, name = 's1') =>
      compactSession(await ports(), await request(name, more)),
    records: (name = 's1') => linesOf(fileOf(name)).filter(({ type }) => type === 'compaction'),
    keptFiles: () => (existsSync(join(home, 'summaries')) ? readdirSync(join(home, 'summaries')) : []),
  }
}

function linesOf(file: string): { type: string; id: string; summary?: string }[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function addTurn(file: string, count = 1): void {
  for (let i = 0; i < count; i++) {
    const last = linesOf(file).at(-1)
    const message = { role: 'user', content: [{ type: 'text', text: `Later ${i}. ${'word '.repeat(300)}` }] }
    const entry = { type: 'message', id: `late${i}${Date.now() % 1000}`, parentId: last?.id, message }
    appendFileSync(file, `${JSON.stringify({ ...entry, timestamp: new Date().toISOString() })}\n`)
  }
}

/** A model whose answers take as long as `meanwhile` lets pass; counts them. */
function model(meanwhile: () => void, text = soundSummary('do the part, by a model')) {
  const asked = vi.fn()
  const summarizer: Summarizer = {
    name: 'a/m',
    summarize: async (request) => {
      asked(request)
      meanwhile()
      return { ok: true, text, usage: { input: 100, output: 10 } }
    },
  }
  return { asked, chain: new SummaryChain([summarizer], standingClock()) }
}

const OWNER: LockOwner = { pid: 7, since: null, command: 'openclaw', via: 'run', evidence: 'test' }

describe('D13 a summariser that takes longer than a lock may be held', () => {
  test('D13 its summary is written: the session is not locked while it thinks', async () => {
    const store = world()
    const { asked, chain } = model(() => {
      expect(existsSync(`${store.fileOf()}.lock`)).toBe(false)
      store.pass(20 * MINUTE)
    })
    const result = await store.compact({ chain })
    expect(result).toMatchObject({ kind: 'compacted', summary: { source: 'model' } })
    expect(asked).toHaveBeenCalledOnce()
    expect(store.records()[0]?.summary).toContain('by a model')
    expect(store.keptFiles()).toEqual([])
  })

  test('D13 locks are held for the limit and two minutes at most, all holds together', async () => {
    const store = world()
    const more = {
      hooks: {
        run: async () => {
          store.pass(3 * MINUTE)
          return []
        },
      },
    }
    const ports = await store.ports()
    const reader = {
      ...ports.reader,
      read: (...args: Parameters<typeof ports.reader.read>) => {
        store.pass(MINUTE)
        return ports.reader.read(...args)
      },
    }
    await compactSession({ ...ports, ...more, reader }, await store.request('s1', {}))
    const [first, second] = store.state.holds
    expect(first).toBe(policy.compaction.timeoutMs + 2 * MINUTE)
    // A minute of reading under the first lock; the three of the hooks were under none.
    expect(second).toBe((first ?? 0) - MINUTE)
  })

  test('D25 a pending summary is asked for without the lock, too', async () => {
    const store = world()
    const down = new SummaryChain(
      [{ name: 'a/m', summarize: async () => ({ ok: false, fault: 'http', message: 'down', again: false }) }],
      standingClock(),
    )
    expect(await store.compact({ chain: down })).toMatchObject({ summary: { source: 'digest' } })
    const ports = await store.ports()
    const [pending] = await new PendingSummaries(ports.writer.receipts).list()
    if (pending === undefined) throw new Error('nothing is pending')
    const slow = model(() => {
      expect(existsSync(`${store.fileOf()}.lock`)).toBe(false)
      store.state.live = OWNER
      store.pass(20 * MINUTE)
    })
    const retry = async () => retrySummary(ports, await store.request('s1', { chain: slow.chain }), pending)
    expect(await retry()).toMatchObject({ kind: 'refused', refusal: { code: 'live' } })
    store.state.live = null
    expect(await retry()).toMatchObject({ kind: 'filled', by: 'a/m' })
    expect(slow.asked).toHaveBeenCalledOnce()
    expect(store.records()[0]?.summary).toContain('by a model')
    expect(store.keptFiles()).toEqual([])
  })
})

describe('a summary that was paid for and could not be written', () => {
  /** Somebody begins to work with the session while the model thinks. */
  async function refused(text?: string) {
    const store = world()
    let asked = 0
    const asking = model(() => {
      if (asked++ === 0) store.state.live = OWNER
    }, text)
    const result = await store.compact({ chain: asking.chain })
    expect(result).toMatchObject({ kind: 'refused', refusal: { code: 'live' } })
    store.state.live = null
    return { store, ...asking, result }
  }

  test('D13 is kept in a file of its owner alone, credentials covered, and reported', async () => {
    const { store, result } = await refused(soundSummary(`keep ${SECRET}`))
    expect(result.kind === 'refused' && result.refusal.message).toContain('summary by a/m is kept')
    const [name = ''] = store.keptFiles()
    const path = join(store.home, 'summaries', name)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(store.home, 'summaries')).mode & 0o777).toBe(0o700)
    expect(readFileSync(path, 'utf8')).not.toContain(SECRET)
  })

  test('D13 is used by the next run, also when the session has grown, and no model is asked', async () => {
    const { store, asked, chain } = await refused()
    addTurn(store.fileOf(), 6)
    const result = await store.compact({ chain })
    if (result.kind !== 'compacted') throw new Error(JSON.stringify(result))
    expect(asked).toHaveBeenCalledOnce()
    expect(store.records()[0]?.summary).toContain('by a model')
    expect(result.plan.warnings.map(({ code }) => code)).toContain('kept-summary')
    expect(result.notes.join()).toContain('paid for')
    expect(result.plan.cost.calls).toBe(0)
    // What came later is in the plan, as what stays.
    const sum = result.plan.chunks.reduce((total, { tokens }) => total + tokens, 0)
    expect(Math.abs(sum - (result.plan.tokensBefore.value ?? 0))).toBeLessThan(result.plan.chunks.length)
    expect(result.plan.chunks.slice(-6).every(({ action }) => action === 'keep')).toBe(true)
    expect(store.keptFiles()).toEqual([])
  })

  test.each([
    ['another focus', { focus: 'berths' }],
    [
      'another policy',
      { policy: { ...policy, compaction: { ...policy.compaction, keepRecentTokens: 900 } } },
    ],
  ])('D13 is not used for %s', async (_what, more) => {
    const { store, asked, chain } = await refused()
    expect((await store.compact({ chain, ...more })).kind).toBe('compacted')
    expect(asked).toHaveBeenCalledTimes(2)
  })

  test('D13 is not used where a digest is asked for, nor for a session that was rewritten', async () => {
    const { store, asked } = await refused()
    expect(await store.compact({ chain: null, digest: true })).toMatchObject({
      summary: { source: 'digest' },
    })
    const other = await refused()
    const text = readFileSync(other.store.fileOf(), 'utf8')
    writeFileSync(other.store.fileOf(), text.replace('do part 0', 'leave part 0 alone'))
    expect((await other.store.compact({ chain: other.chain })).kind).toBe('compacted')
    expect(asked).toHaveBeenCalledOnce()
    expect(other.asked).toHaveBeenCalledTimes(2)
  })

  test('D13 is offered where a compaction is only looked at', async () => {
    const { store, chain } = await refused()
    const made = readSetup({ HOME: store.folder, PLIMSOLL_HOME: store.home }, store.folder)
    if (!made.ok) throw new Error(made.problems.join())
    const { store: found, transcript } = await store.request('s1', {})
    const reader = createStoreReader({ lastLine: 'take-whole' })
    const offered = async (digest: boolean, asked: SummaryChain | null) => {
      const source = await openPlanSource(reader, await inspectSession(reader, found, transcript), 'next')
      if (source === null) throw new Error('no source')
      const ports = dryRunPorts(made.setup, {}, reader)
      const models = { ...ports.models, chainFor: () => asked }
      const { plan } = await dryRun({ ...ports, models }, source, { policy, focus: null, digest })
      if (plan.kind === 'nothing') throw new Error('no plan')
      return plan.warnings.find(({ code }) => code === 'kept-summary')?.message
    }
    expect(await offered(false, chain)).toMatch(/by a\/m .* no model is asked/)
    expect(await offered(true, chain)).toBeUndefined()
    // A compaction that asks no model takes none that was paid for.
    expect(await offered(false, null)).toBeUndefined()
  })

  test('D13 goes after a month, when another one is kept', async () => {
    const { store } = await refused()
    const kept = keptSummaryFiles(join(store.home, 'summaries'), () => Date.now() + 31 * 86_400_000)
    const one = await kept.get(store.fileOf())
    if (one === null) throw new Error('nothing is kept')
    // Files of others in the same folder: under other names, and under names that ours could have.
    const others = ['notes.txt', `${'0'.repeat(32)}.json`, `${'1'.repeat(32)}.json`]
    for (const name of others) writeFileSync(join(store.home, 'summaries', name), '{"mine":true}')
    await kept.put({ ...one, file: '/elsewhere.jsonl' })
    expect(readdirSync(join(store.home, 'summaries'))).toEqual(expect.arrayContaining(others))
    expect(await kept.get(store.fileOf())).toBeNull()
    expect(await kept.get('/elsewhere.jsonl')).not.toBeNull()
  })
})

describe('D23 compactions in one store', () => {
  test('D23 four at once, of as many processes, all come to their end, and the index has all four', async () => {
    const names = ['s1', 's2', 's3', 's4']
    const store = world(names)
    const results = await Promise.all(names.map((name) => store.compact({}, name)))
    expect(results.map(({ kind }) => kind)).toEqual(names.map(() => 'compacted'))
    const index = JSON.parse(readFileSync(join(store.fileOf(), '..', 'sessions.json'), 'utf8'))
    expect(
      Object.values(index).map((entry) => (entry as { compactionCount: number }).compactionCount),
    ).toEqual([1, 1, 1, 1])
  })

  test('D23 an index that others write meanwhile without a lock is read again', async () => {
    const store = world()
    const index = join(store.fileOf(), '..', 'sessions.json')
    const ports = await store.ports()
    let times = 0
    const keep = ports.writer.backups.keep
    const backups = {
      ...ports.writer.backups,
      keep: async (...args: Parameters<typeof keep>) => {
        if (times++ < 3)
          writeFileSync(
            index,
            readFileSync(index, 'utf8').replace(/"updatedAt": \d+/, `"updatedAt": ${times}`),
          )
        return keep(...args)
      },
    }
    const result = await compactSession(
      { ...ports, writer: { ...ports.writer, backups } },
      await store.request('s1', {}),
    )
    expect(result.kind).toBe('compacted')
    expect(times).toBeGreaterThan(3)
  })

  test('D23 a wait of more than two seconds for another compaction is reported', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const store = world()
      const ports = await store.ports()
      const request = await store.request('s1', {})
      let end: () => void = () => undefined
      const first = ports.lanes.run(request.transcript.path, () => new Promise<void>((done) => (end = done)))
      const noted = vi.fn(() => end())
      const second = compactSession(ports, { ...request, onLongWait: noted })
      await vi.advanceTimersByTimeAsync(2_001)
      vi.useRealTimers()
      await first
      expect((await second).kind).toBe('compacted')
      expect(noted).toHaveBeenCalledExactlyOnceWith(1)
    } finally {
      vi.useRealTimers()
    }
  })
})
