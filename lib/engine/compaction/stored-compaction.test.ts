import { beforeEach, describe, expect, it } from 'vitest'
import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import type { Policy } from '../../core/policy/policy'
import { checkpointRecord, openaiAnswer } from '../../testing/builders/checkpoint'
import { factsOf, TranscriptBuilder } from '../../testing/builders/transcript'
import { COMPACTED_FILE, COMPACTION_POLICY, compactionWorld, tenTurns } from '../../testing/compaction-world'
import { MemoryDisk } from '../../testing/memory-disk'
import { memorySession } from '../../testing/memory-session'
import { scriptedSummarizer, soundSummary, standingClock } from '../../testing/scripted-summarizer'
import { type TestWriter, testWriter } from '../../testing/test-writer'
import type { FoundTranscript } from '../read/ports'
import type { Summarizer } from '../summary/summarizer'
import { SummaryChain } from '../summary/summary-chain'
import type { Receipt } from '../write/receipt'
import { undoWrite } from '../write/undo-write'
import { compactSession, maxSummary, unfitReason } from './compact-session'
import type { HookFacts } from './compaction-hooks'
import type { CompactionPorts, CompactionRequest, CompactionStep } from './compaction-ports'
import type { KeptSummaries, KeptSummary } from './kept-summary'
import { awaitsSummary, retrySummary } from './retry-summary'

const FILE = COMPACTED_FILE
const NOW = Date.UTC(2026, 10, 2, 9)

const policy = COMPACTION_POLICY
const sound = soundSummary('Please do part 9')

let disk: MemoryDisk
let writer: TestWriter
let kept: Map<string, KeptSummary>
let recorded: {
  readonly steps: CompactionStep[]
  readonly lines: string[]
  readonly hooks: [string, HookFacts][]
}

beforeEach(async () => {
  disk = new MemoryDisk()
  writer = testWriter(disk, { now: () => NOW })
  kept = new Map()
  recorded = { steps: [], lines: [], hooks: [] }
  await disk.put(FILE, tenTurns().text())
})

const chainOf = (...models: readonly Summarizer[]) => new SummaryChain(models, standingClock(NOW))
const lines = () =>
  (disk.text(FILE) ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

async function world(request: Partial<CompactionRequest> = {}, ports: Partial<CompactionPorts> = {}) {
  const made = await compactionWorld(disk, writer, kept)
  const all: CompactionPorts = {
    ...made.ports,
    hooks: {
      run: async (event, facts) => {
        recorded.hooks.push([event, facts])
        return [`hook ${event}`]
      },
    },
    diagnose: (_level, line) => recorded.lines.push(line),
    ...ports,
  }
  const asked = { ...made.request, onStep: (step: CompactionStep) => recorded.steps.push(step), ...request }
  return { ports: all, request: asked }
}
async function compact(request: Partial<CompactionRequest> = {}, ports: Partial<CompactionPorts> = {}) {
  const made = await world(request, ports)
  return compactSession(made.ports, made.request)
}
async function compacted(request: Partial<CompactionRequest> = {}, ports: Partial<CompactionPorts> = {}) {
  const result = await compact(request, ports)
  if (result.kind !== 'compacted') throw new Error(JSON.stringify(result))
  return result
}

describe('before a model is asked', () => {
  const asked: unknown[] = []
  const onAsk: CompactionRequest['onAsk'] = (sent) => asked.push(sent)
  beforeEach(() => asked.splice(0))

  it('what it will get is said once', async () => {
    const { plan } = await compacted({ chain: chainOf(scriptedSummarizer('a/m', [sound])), onAsk })
    expect(plan.summary.source).toBe('model')
    expect(asked).toEqual([{ requests: 2, messages: 15, tokens: expect.any(Number) }])
  })

  it('nothing is said where none is asked', async () => {
    await compacted({ chain: null, onAsk })
    expect(asked).toEqual([])
  })
})

describe('D12 a compaction of a stored session', () => {
  it('its receipt says what became of how much, by whom, and where the conversation goes on', async () => {
    const { plan, receipt, recordId, summary } = await compacted({
      chain: chainOf(scriptedSummarizer('a/m', [sound])),
      focus: 'berths',
    })
    const count = (action: string) => plan.chunks.filter((chunk) => chunk.action === action).length
    expect(count('keep')).toBeGreaterThan(0)
    expect(count('summarise')).toBeGreaterThan(count('keep'))
    expect(receipt).toMatchObject({
      ...{ kind: 'compact', actor: 'cli', session: 'agent:main:main', root: '/store', store: 'openclaw' },
      reason: `Compacted ${plan.chunks.length - count('keep')} chunks into a summary by a/m.`,
    })
    expect(receipt.summary).toEqual({
      tokensBefore: plan.tokensBefore.value,
      tokensAfter: plan.tokensAfter.value,
      ...{
        kept: count('keep'),
        summarised: count('summarise'),
        pruned: count('prune'),
        dropped: count('drop'),
      },
      ...{
        firstKeptEntryId: plan.firstKeptEntryId,
        source: 'model',
        model: 'a/m',
        calls: summary.calls,
        focus: 'berths',
      },
      ...{ record: recordId, pending: false },
    })
    expect(lines().at(-1)).toMatchObject({
      id: 'new00001',
      parentId: 'e20',
      firstKeptEntryId: plan.firstKeptEntryId,
    })
    expect(kept.size).toBe(0)
  })

  it('a session without a key goes by its id', async () => {
    const made = await world()
    const result = await compactSession(made.ports, {
      ...made.request,
      transcript: { ...made.request.transcript, key: null },
    })
    expect(result).toMatchObject({ receipt: { session: 's1' } })
    expect(recorded.hooks.map(([, { session }]) => session)).toEqual(['s1', 's1'])
  })

  it('a digest says that no model made it, and waits only where one was to', async () => {
    const { receipt } = await compacted()
    expect(receipt.reason).toMatch(/^Compacted \d+ chunks into a digest made without a model\.$/)
    expect(receipt.summary).toMatchObject({
      source: 'digest',
      model: null,
      calls: 0,
      pending: false,
      focus: null,
    })
    expect((await undoWrite(writer, { receipt: receipt.id, actor: 'a', wait: { waitMs: 0 } })).kind).toBe(
      'done',
    )
    const failing = await compacted({ chain: chainOf(scriptedSummarizer('a/m', [{}])) })
    expect(failing.receipt.summary).toMatchObject({ source: 'digest', pending: true })
    expect(failing.notes).toContain('a/m is down.')
    await undoWrite(writer, { receipt: failing.receipt.id, actor: 'a', wait: { waitMs: 0 } })
    const never = { ...policy, summary: { ...policy.summary, retryMs: 0 } }
    const once = await compacted({ chain: chainOf(scriptedSummarizer('a/m', [{}])), policy: never })
    expect(once.receipt.summary, 'where none is asked again').toMatchObject({
      source: 'digest',
      pending: false,
    })
  })

  it('tells hooks before and after it, what it found and left, and its steps', async () => {
    const { plan, receipt, steps, notes } = await compacted()
    const facts = {
      ...{ session: 'agent:main:main', file: FILE, actor: 'cli', firstKeptEntryId: plan.firstKeptEntryId },
      ...{ tokensBefore: plan.tokensBefore.value, tokensAfter: plan.tokensAfter.value },
    }
    expect(recorded.hooks).toEqual([
      ['before', facts],
      ['after', { ...facts, receipt: receipt.id }],
    ])
    expect(notes).toEqual(expect.arrayContaining(['hook before', 'hook after']))
    const seqs = (action: string) =>
      plan.chunks
        .filter((chunk) => chunk.action === action)
        .reduce((sum, chunk) => sum + chunk.seqs.length, 0)
    const all = plan.chunks.reduce((sum, chunk) => sum + chunk.seqs.length, 0)
    expect(recorded.lines).toEqual([
      `compaction ${receipt.id} pre: messages=${all} tokens=${plan.tokensBefore.value}`,
      expect.stringContaining(
        `compaction ${receipt.id} post: messages=${seqs('keep') + 1} (${seqs('keep') + 1 - all})`,
      ),
    ])
    expect(steps).toEqual([
      ...[
        'lock',
        'load',
        'plan',
        'release',
        'hooks',
        'summarise',
        'lock',
        'compare',
        'write',
        'release',
        'hooks',
      ],
    ])
    expect(recorded.steps).toEqual(steps)
  })

  it('D13 its locks together last as long as a model may take, and two minutes', async () => {
    const most: (number | undefined)[] = []
    const locks: TestWriter['locks'] = {
      ...writer.locks,
      acquire: async (file, options) => {
        if (options.within === undefined) most.push(options.maxLockMs)
        return writer.locks.acquire(file, options)
      },
    }
    await compacted({}, { writer: { ...writer, locks } })
    const all = policy.compaction.timeoutMs + 120_000
    expect(most.slice(0, 2)).toEqual([all, all])
  })

  it('its reason speaks of one chunk as of one', async () => {
    await disk.unlink(FILE)
    const session = new TranscriptBuilder()
    session.user('word '.repeat(900))
    for (let i = 0; i < 4; i++) session.assistant(`Done ${i}. ${'word '.repeat(200)}`)
    await disk.put(FILE, session.text())
    const compaction = { ...policy.compaction, keepRecentTokens: 1_000 }
    const { plan, receipt } = await compacted({ policy: { ...policy, compaction } })
    expect(plan.chunks.filter(({ action }) => action !== 'keep')).toHaveLength(1)
    expect(receipt.reason).toBe('Compacted 1 chunk into a digest made without a model.')
  })

  it('no hooks are no steps', async () => {
    const { steps } = await compacted({}, { hooks: { run: async () => ['asked'], has: () => false } })
    expect(steps).not.toContain('hooks')
  })

  it('another cut than the one that was looked at is refused', async () => {
    expect(await compact({ firstKept: 'e3' })).toMatchObject({
      refusal: { code: 'changed', message: expect.stringContaining('its cut with it') },
    })
    const { plan } = await compacted()
    disk = new MemoryDisk()
    await disk.put(FILE, tenTurns().text())
    writer = testWriter(disk)
    expect(await compact({ firstKept: plan.firstKeptEntryId })).toMatchObject({ kind: 'compacted' })
  })

  it('nothing to compact is said, and nothing is written', async () => {
    const { receipt } = await compacted()
    expect(await compact()).toMatchObject({ kind: 'nothing' })
    expect(await writer.receipts.ids()).toEqual([receipt.id])
  })

  it('what came while the model thought stays; what is no growth is refused, and the summary is kept', async () => {
    const late =
      '{"type":"message","id":"late","parentId":"e20","message":{"role":"user","content":"One thing more."}}\n'
    const meanwhile = (work: () => Promise<unknown>): Summarizer => ({
      name: 'a/m',
      summarize: async () => {
        await work()
        return { ok: true, text: sound, usage: null }
      },
    })
    const adding = meanwhile(async () => (await disk.openEnd(FILE)).write(new TextEncoder().encode(late)))
    expect((await compacted({ chain: chainOf(adding) })).kind).toBe('compacted')
    expect(lines().at(-1)).toMatchObject({ type: 'compaction', parentId: 'late' })
    await disk.unlink(FILE)
    await disk.put(FILE, tenTurns().text())
    const rewriting = meanwhile(async () => {
      await disk.unlink(FILE)
      await disk.put(FILE, tenTurns().text().replace('part 3', 'part three'))
    })
    expect(await compact({ chain: chainOf(rewriting) })).toMatchObject({
      refusal: {
        code: 'changed',
        message: expect.stringMatching(/not only grown.*\. The summary by a\/m is kept; the next compaction/),
      },
    })
    expect(kept.get(FILE)).toMatchObject({ summary: { text: expect.stringContaining(sound) } })
  })

  it('a summary that was kept is used, and no model is asked; its note is reported', async () => {
    const model = scriptedSummarizer('a/m', [sound])
    const foreign = new Map([
      [`${FILE}`, { pid: 7, since: null, command: null, via: 'lock', evidence: 'x' } as const],
    ])
    let locked = false
    const plain = writer.locks
    const locks = {
      ...plain,
      acquire: async (file: string, options: Parameters<typeof plain.acquire>[1]) =>
        locked
          ? ({
              held: false,
              reason: 'busy',
              owner: foreign.get(FILE) ?? {
                pid: null,
                since: null,
                command: null,
                via: 'lock',
                evidence: '',
              },
            } as const)
          : plain.acquire(file, options),
    }
    const hooks = {
      run: async () => {
        locked = true
        return []
      },
    }
    expect(await compact({ chain: chainOf(model) }, { writer: { ...writer, locks }, hooks })).toMatchObject({
      refusal: { code: 'locked', message: expect.stringContaining('The summary by a/m is kept') },
    })
    const asked = model.asked.length
    expect(asked).toBeGreaterThan(0)
    const { summary, notes, steps, receipt } = await compacted({ chain: chainOf(model) })
    expect(model.asked).toHaveLength(asked)
    expect(summary).toMatchObject({ by: 'a/m', source: 'model' })
    expect(notes.filter((note) => note.includes('was paid for'))).toHaveLength(1)
    expect(notes.every((note) => note.includes('was paid for') || note.startsWith('hook'))).toBe(true)
    expect(steps.slice(0, 5)).toEqual(['lock', 'load', 'plan', 'release', 'lock'])
    expect(receipt.summary).toMatchObject({ model: 'a/m' })
    expect(kept.size).toBe(0)
  })

  it('what is kept is not said of a digest, nor where nothing is kept', async () => {
    let taken = 0
    const busy = { pid: 7, since: null, command: null, via: 'lock', evidence: 'x' } as const
    const locks: TestWriter['locks'] = {
      ...writer.locks,
      acquire: async (file, options) =>
        ++taken % 2 === 0
          ? { held: false, reason: 'busy', owner: busy }
          : writer.locks.acquire(file, options),
    }
    const ports = { writer: { ...writer, locks } }
    const words = async (request: Partial<CompactionRequest>, more: Partial<CompactionPorts> = {}) => {
      const result = await compact(request, { ...ports, ...more })
      return result.kind === 'refused' ? result.refusal.message : result.kind
    }
    expect(await words({})).toMatch(/locked by process 7.*Try again later\.$/)
    const chain = chainOf(scriptedSummarizer('a/m', [sound]))
    expect(await words({ chain }, { kept: undefined })).not.toContain('is kept')
    expect(await words({ chain })).toContain('is kept')
  })

  it('a summary that was kept is left where no model may be asked, or a digest was asked for', async () => {
    const failing = { run: () => Promise.reject(new Error('stop here')), has: () => true }
    const lost = { ...writer, live: { find: async () => null } }
    let taken = 0
    const locks: TestWriter['locks'] = {
      ...writer.locks,
      acquire: async (file, options) =>
        ++taken === 2 ? { held: false, reason: 'stopped' } : writer.locks.acquire(file, options),
    }
    const model = scriptedSummarizer('a/m', [sound])
    await compact({ chain: chainOf(model) }, { writer: { ...lost, locks }, hooks: failing })
    expect(kept.size).toBe(1)
    expect(await compact({ chain: chainOf(model), firstKept: 'e3' })).toMatchObject({
      refusal: { message: expect.stringContaining('its cut with it') },
    })
    const before = disk.text(FILE) ?? ''
    for (const request of [{ chain: null }, { chain: chainOf(model), digest: true, firstKept: 'none' }]) {
      const result = await compact(request)
      expect(result.kind === 'compacted' ? result.summary.by : result.kind).toBe(
        request.chain === null ? null : 'refused',
      )
      await disk.unlink(FILE)
      await disk.put(FILE, before)
    }
  })

  it('T5 hooks that fail are notes, and harm nothing', async () => {
    const { notes } = await compacted({}, { hooks: { run: () => Promise.reject(new Error('no shell')) } })
    expect(notes).toEqual(
      expect.arrayContaining([
        'The hooks before compaction failed: no shell',
        'The hooks after compaction failed: no shell',
      ]),
    )
  })

  it('E11 what an agent noted of it is its summary, with a digest of what came after, and no model is asked', async () => {
    const memories: CompactionPorts['memories'] = [
      {
        checkpoints: async () => [],
        load: async () =>
          ({ rolling: { text: 'Parts are done.', tokens: 9, covered: 12, key: 'e12' } }) as never,
      },
    ]
    const checkpoint = { ...policy.summary.checkpoint, coverage: 0.2 }
    const model = scriptedSummarizer('a/m', [sound])
    const { summary, receipt } = await compacted(
      { chain: chainOf(model), policy: { ...policy, summary: { ...policy.summary, checkpoint } } },
      { memories },
    )
    expect([summary.source, summary.by, model.asked]).toEqual(['checkpoint', null, []])
    expect(summary.text).toMatch(/^Parts are done\.\n\n/)
    expect(summary.text).toContain('Please do part 7')
    expect(summary.text).not.toContain('Please do part 5')
    expect(receipt.reason).toContain("the agent's own checkpoint")
    expect(receipt.summary).toMatchObject({ pending: false })
  })

  it('a summary that cannot be kept is a note, and is written all the same', async () => {
    const broken: KeptSummaries = {
      get: async () => null,
      put: () => Promise.reject(new Error('no room')),
      forget: async () => undefined,
    }
    const chain = chainOf(scriptedSummarizer('a/m', [sound]))
    const { notes } = await compacted({ chain }, { kept: broken })
    expect(notes).toContain('The summary could not be kept beside: no room')
  })

  it('a stop is one, before, while and after the model is asked', async () => {
    expect(await compact({ signal: AbortSignal.abort() })).toEqual({ kind: 'stopped' })
    const stop = new AbortController()
    const stopping: Summarizer = {
      name: 'a/m',
      summarize: async () => {
        stop.abort()
        return { ok: true, text: sound, usage: null }
      },
    }
    expect(await compact({ chain: chainOf(stopping), signal: stop.signal })).toEqual({ kind: 'stopped' })
    expect(kept.size, 'what was paid for is kept').toBe(1)
    kept.clear()
    const aborted = chainOf(scriptedSummarizer('a/m', [{ fault: 'aborted' }]))
    expect(await compact({ chain: aborted })).toEqual({ kind: 'stopped' })
    expect(await writer.receipts.ids()).toEqual([])
  })

  it.each([
    [7, 'compacted'],
    [8, 'refused'],
  ])(
    'an index that others write %i times meanwhile is read anew, eight times at most',
    async (times, kind) => {
      const index = '/store/sessions.json'
      await disk.put(index, JSON.stringify({ 'agent:main:main': { sessionId: 's1', compactionCount: 2 } }))
      const before = disk.text(FILE)
      let left = times
      const decode: CompactionPorts['decode'] = (bytes) => {
        const text = decodeUtf8(bytes)
        if (text.startsWith('{"agent:main:main"') && left-- > 0)
          void disk.openEnd(index).then((file) => file.write(new TextEncoder().encode(' ')))
        return text
      }
      expect(await compact({}, { decode })).toMatchObject(
        kind === 'refused' ? { kind, refusal: { code: 'changed' } } : { kind },
      )
      const written = JSON.parse(disk.text(index) ?? '')['agent:main:main'].compactionCount
      expect([written, disk.text(FILE) === before]).toEqual(kind === 'refused' ? [2, true] : [3, false])
      expect(
        recorded.steps.filter((step) => step === 'write'),
        'one step, however often',
      ).toHaveLength(1)
    },
  )

  it('is noted in the log, with its record, receipt and steps', async () => {
    const added: unknown[] = []
    const log: NonNullable<CompactionPorts['log']> = () => ({
      ...({} as ReturnType<NonNullable<CompactionPorts['log']>>),
      add: async (kind: string, entry: unknown) => {
        added.push([kind, entry])
        return 'The log is full.'
      },
    })
    const { receipt, notes, steps } = await compacted({}, { log })
    expect(added).toMatchObject([
      [
        'compaction',
        {
          sessionId: 's1',
          trigger: 'manual',
          rest: { record: 'new00001', receipt: receipt.id, steps: steps.join(' ') },
        },
      ],
    ])
    expect(steps.at(-1)).toBe('log')
    expect(notes).toContain('The log is full.')
  })
})

describe('which sessions are compacted here', () => {
  it.each([
    ['live', {}, {}, null],
    ['of a database', { era: 'sqlite' }, {}, /its own gateway/],
    ['archived', {}, { state: 'deleted' }, /archived \(deleted\)/],
    ['packed', {}, { path: '/store/s1.jsonl.zst' }, /no(t a)? plain transcript/],
  ] as const)('%s', async (_what, store, transcript, words) => {
    const made = await memorySession(tenTurns().text(), { store, transcript })
    const reason = unfitReason(made)
    if (words === null) expect(reason).toBeNull()
    else expect(reason).toMatch(words)
  })

  it('what is none is refused, before anything is read', async () => {
    const made = await world()
    const asked = { ...made.request, transcript: { ...made.request.transcript, state: 'reset' } as const }
    expect(await compactSession(made.ports, asked)).toMatchObject({
      ...{ kind: 'refused', refusal: { code: 'not-supported' } },
    })
    expect(recorded.steps).toEqual([])
    const index = { harness: 'codex' } as FoundTranscript['index']
    const mirror = { ...made.request, transcript: { ...made.request.transcript, index } }
    expect(unfitReason(mirror)).toMatch(/^Codex keeps the real history/)
  })

  it('a summary takes four fifths of the reserve, or of its floor, and no more than a rolling one may', () => {
    const with_ = (tokens: number, floor: number, rolling: number | null): Policy => ({
      ...policy,
      reserve: { ...policy.reserve, tokens, floor },
      summary: {
        ...policy.summary,
        rolling: { ...policy.summary.rolling, enabled: rolling !== null, maxTokens: rolling ?? 1 },
      },
    })
    expect(maxSummary(with_(1_001, 5, null))).toBe(800)
    expect(maxSummary(with_(5, 2_000, null))).toBe(1_600)
    expect(maxSummary(with_(1_001, 5, 300))).toBe(300)
    expect(maxSummary(with_(1_001, 5, 3_000))).toBe(800)
  })
})

describe('D25 the summary that no model wrote at the time', () => {
  async function pending(): Promise<Receipt> {
    const { receipt } = await compacted({ chain: chainOf(scriptedSummarizer('a/m', [{}])) })
    return receipt
  }
  async function retry(
    receipt: Receipt,
    request: Partial<CompactionRequest> = {},
    ports: Partial<CompactionPorts> = {},
  ) {
    const made = await world(request, ports)
    return retrySummary(made.ports, made.request, receipt)
  }
  const model = () => chainOf(scriptedSummarizer('b/m', [sound]))

  it('takes the place of the digest in its line alone, with a separate receipt', async () => {
    const receipt = await pending()
    const before = disk.text(FILE) ?? ''
    const result = await retry(receipt, { chain: model() })
    if (result.kind !== 'filled') throw new Error(JSON.stringify(result))
    expect(result).toMatchObject({
      by: 'b/m',
      receipt: { kind: 'compact', actor: 'cli', session: 'agent:main:main' },
    })
    expect(result.receipt.reason).toBe('A summary by b/m took the place of the digest.')
    expect(result.receipt.summary).toEqual({
      record: 'new00001',
      fills: receipt.id,
      source: 'model',
      model: 'b/m',
    })
    const [old, now] = [before, disk.text(FILE) ?? ''].map((text) => text.split('\n'))
    expect(now?.length).toBe(old?.length)
    expect(now?.filter((line, i) => line !== old?.[i])).toHaveLength(1)
    const { summary, ...rest } = lines().at(-1)
    expect(summary).toContain(sound)
    const { summary: _, ...was } = JSON.parse(old?.at(-2) ?? '')
    expect(rest).toEqual(was)
    expect(kept.size).toBe(0)
  })

  it('also where entries came behind it since', async () => {
    const receipt = await pending()
    const late =
      '{"type":"message","id":"late","parentId":"new00001","message":{"role":"user","content":"größer ⚓"}}\n'
    await (await disk.openEnd(FILE)).write(new TextEncoder().encode(late))
    expect(await retry(receipt, { chain: model() })).toMatchObject({ kind: 'filled' })
    expect(disk.text(FILE)?.endsWith(late)).toBe(true)
    expect(lines().at(-2)).toMatchObject({ type: 'compaction', summary: expect.stringContaining(sound) })
  })

  it('takes a checkpoint of the provider with it that came behind: it replaces the digest', async () => {
    const receipt = await pending()
    const session = new TranscriptBuilder()
    const { fields } = openaiAnswer(checkpointRecord())
    session.assistant('Mine.', { fields, over: { id: 'late', parentId: 'new00001' } })
    await (await disk.openEnd(FILE)).write(new TextEncoder().encode(`${session.lines.at(-1)}\n`))
    expect(lines().at(-1).message.providerReplay).toBeDefined()
    expect(await retry(receipt, { chain: model() })).toMatchObject({ kind: 'filled' })
    expect(lines().at(-1)).toMatchObject({ id: 'late' })
    expect(lines().at(-1).message.providerReplay).toBeUndefined()
  })

  it('is asked for with the focus of then, also where its receipt says nothing of one', async () => {
    const focused = await compacted({ chain: chainOf(scriptedSummarizer('a/m', [{}])), focus: 'berths' })
    const asked = scriptedSummarizer('b/m', [sound])
    expect(await retry(focused.receipt, { chain: chainOf(asked) })).toMatchObject({ kind: 'filled' })
    expect(JSON.stringify(asked.asked[0]?.prompt)).toContain('berths')
    await disk.unlink(FILE)
    await disk.put(FILE, tenTurns().text())
    const receipt = await pending()
    const { focus: _focus, ...summary } = receipt.summary
    const older = scriptedSummarizer('b/m', [sound])
    expect(await retry({ ...receipt, summary }, { chain: chainOf(older) })).toMatchObject({ kind: 'filled' })
    expect(JSON.stringify(older.asked[0]?.prompt)).not.toMatch(/berths|undefined/)
  })

  it('what was kept for another policy is passed over', async () => {
    const receipt = await pending()
    const other = { ...policy, logs: { ...policy.logs, drops: !policy.logs.drops } }
    const stop = new AbortController()
    const silent: Summarizer = {
      name: 'a/m',
      summarize: async () => {
        stop.abort()
        return { ok: true, text: sound, usage: null }
      },
    }
    const text = disk.text(FILE) ?? ''
    await disk.unlink(FILE)
    await disk.put(FILE, tenTurns().text())
    await compact({ chain: chainOf(silent), policy: other, signal: stop.signal })
    expect(kept.get(FILE)?.summary.by).toBe('a/m')
    await disk.unlink(FILE)
    await disk.put(FILE, text)
    expect(await retry(receipt, { chain: model() })).toMatchObject({ kind: 'filled', by: 'b/m' })
  })

  it('a stop while its line is written is one, and nothing is changed', async () => {
    const receipt = await pending()
    const before = disk.text(FILE)
    const stop = new AbortController()
    let taken = 0
    const locks: TestWriter['locks'] = {
      ...writer.locks,
      acquire: async (file, options) => {
        if (++taken === 3) stop.abort()
        return writer.locks.acquire(file, options)
      },
    }
    const done = await retry(
      receipt,
      { chain: model(), signal: stop.signal, wait: { waitMs: 0, signal: stop.signal } },
      { writer: { ...writer, locks } },
    )
    expect(done).toEqual({ kind: 'stopped' })
    expect(disk.text(FILE)).toBe(before)
  })

  it('one that is locked when its line is written is refused', async () => {
    const receipt = await pending()
    const busy = { pid: 7, since: null, command: null, via: 'lock', evidence: 'x' } as const
    let taken = 0
    const locks: TestWriter['locks'] = {
      ...writer.locks,
      acquire: async (file, options) =>
        ++taken === 3 ? { held: false, reason: 'busy', owner: busy } : writer.locks.acquire(file, options),
    }
    const signal = new AbortController().signal
    expect(await retry(receipt, { chain: model(), signal }, { writer: { ...writer, locks } })).toMatchObject({
      ...{ kind: 'refused', refusal: { code: 'locked' } },
    })
  })

  it('waits as long as its record is the last boundary', async () => {
    const receipt = await pending()
    const factsNow = () => factsOf(disk.text(FILE) ?? '')
    expect(awaitsSummary(factsNow(), receipt)).toBe(true)
    expect(awaitsSummary(factsNow().slice(0, -1), receipt), 'without its record').toBe(false)
    const reset = '{"type":"reset","id":"x","parentId":"new00001"}\n'
    await (await disk.openEnd(FILE)).write(new TextEncoder().encode(reset))
    expect(awaitsSummary(factsNow(), receipt)).toBe(false)
  })

  it('stays a digest while no model answers', async () => {
    const receipt = await pending()
    const before = disk.text(FILE)
    expect(await retry(receipt, { chain: chainOf(scriptedSummarizer('b/m', [{}])) })).toEqual({
      ...{ kind: 'waiting', notes: ['b/m is down.'] },
    })
    expect(disk.text(FILE)).toBe(before)
  })

  it('is left where another boundary came, where it is gone, or where the cut would be another one', async () => {
    const receipt = await pending()
    const text = disk.text(FILE) ?? ''
    const elsewhere = { ...policy, compaction: { ...policy.compaction, keepRecentTokens: 900 } }
    expect(await retry(receipt, { chain: model(), policy: elsewhere })).toMatchObject({
      ...{ kind: 'superseded', message: expect.stringContaining('cut elsewhere') },
    })
    for (const line of [
      '{"type":"reset","id":"x","parentId":"new00001"}',
      '{"type":"compaction","id":"x","parentId":"new00001","summary":"s"}',
    ]) {
      await disk.unlink(FILE)
      await disk.put(FILE, `${text}${line}\n`)
      expect(await retry(receipt, { chain: model() })).toMatchObject({
        ...{ kind: 'superseded', message: expect.stringContaining('compacted or reset again') },
      })
    }
    await disk.unlink(FILE)
    await disk.put(FILE, tenTurns().text())
    expect(await retry(receipt, { chain: model() })).toMatchObject({ kind: 'superseded' })
    await disk.unlink(FILE)
    expect(await retry(receipt, { chain: model() }).catch((error: Error) => error.message)).toBeDefined()
  })

  it('what the model wrote is kept where it could not be put in, and used the next time', async () => {
    const receipt = await pending()
    const spoiling: Summarizer = {
      name: 'b/m',
      summarize: async () => {
        const live = {
          ...writer.live,
          find: async () => ({ pid: 7, since: null, command: null, via: 'run', evidence: 'x' }) as const,
        }
        Object.assign(writer, { live })
        return { ok: true, text: sound, usage: null }
      },
    }
    const plain = writer.live
    expect(await retry(receipt, { chain: chainOf(spoiling) })).toMatchObject({ refusal: { code: 'live' } })
    expect(kept.get(FILE)).toMatchObject({ summary: { by: 'b/m' } })
    Object.assign(writer, { live: plain })
    const silent = scriptedSummarizer('c/m', [{}])
    expect(await retry(receipt, { chain: chainOf(silent) })).toMatchObject({ kind: 'filled', by: 'b/m' })
    expect(silent.asked).toHaveLength(0)
    expect(kept.size).toBe(0)
  })

  it('a stop is one, and an unfit session is refused', async () => {
    const receipt = await pending()
    expect(await retry(receipt, { chain: model(), signal: AbortSignal.abort() })).toEqual({ kind: 'stopped' })
    const aborted = chainOf(scriptedSummarizer('b/m', [{ fault: 'aborted' }]))
    expect(await retry(receipt, { chain: aborted })).toEqual({ kind: 'stopped' })
    const made = await world({ chain: model() })
    const archived = {
      ...made.request,
      transcript: { ...made.request.transcript, state: 'deleted' } as const,
    }
    expect(await retrySummary(made.ports, archived, receipt)).toMatchObject({
      refusal: { code: 'not-supported' },
    })
  })
})
