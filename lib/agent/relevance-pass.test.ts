import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import { transientCold } from '../engine/cold/transient-cold'
import { SummaryChain } from '../engine/summary/summary-chain'
import { livePartsOf } from '../testing/builders/live-parts'
import { coldAgent, errands, MEMFAS, NOW, said } from '../testing/cold-conversation'
import { contentText, sizeOf } from '../testing/live-conversation'
import { runs } from '../testing/runs'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import type { PassInput } from './live-parts'
import { RelevancePass } from './relevance-pass'

const QUESTION = 'Which crane stands at pier seven of the harbour?'
const ASK = said('user', QUESTION)
const day = 86_400_000

/** A window of which these messages, with margin, take this share. */
function windowAt(share: number, messages: readonly ContentMessage[]): number {
  return Math.round((messages.reduce((sum, message) => sum + sizeOf(message), 0) * 1.2) / share)
}

function at(share: number, messages: readonly ContentMessage[], policy: Policy = MEMFAS, more = {}) {
  return coldAgent(messages, policy, { window: windowAt(share, messages), ...more })
}

const ids = (messages: readonly ContentMessage[]) =>
  messages.map((message) => contentText(message).slice(0, 30))

describe('after a reply', () => {
  test('H9, T3, Q3: at .41 of the window curation drops what is of no use, and writes its line; at .39 nothing happens', async () => {
    const messages = [...errands(20), ASK]
    const below = at(0.39, messages)
    expect((await below.context.afterResponse()).drop).toBeNull()
    expect([below.held.sets, below.lines]).toEqual([0, []])
    const { context, held, logged, disk } = at(0.41, messages)
    const { drop, warnings } = await context.afterResponse()
    expect(warnings).toEqual([])
    expect(drop?.dropped).toHaveLength(16)
    expect(drop?.compacted).toBe(false)
    expect(held.log).toEqual(['curate'])
    expect(findUnpaired(held.messages)).toEqual({ orphans: [], unanswered: [] })
    // H6, H10: the newest five stay word for word, in their order.
    expect(held.messages).toEqual(messages.slice(-9))
    expect(logged('curation')).toMatchObject([
      {
        event: 'memfas_curation',
        query: QUESTION,
        hitsFound: 5,
        totalHits: 21,
        dropsTriggered: 16,
        tokenSavings: (drop?.tokensBefore ?? 0) - (drop?.tokensAfter ?? 0),
        rest: { scorer: expect.stringMatching(/\w/), similarity_by: drop?.likenessBy },
      },
    ])
    expect(logged('compaction')).toEqual([])
    // Q4: a line for each, and the file is there.
    expect(logged('drops')).toHaveLength(16)
    for (const line of logged('drops')) {
      expect(line).toMatchObject({
        reason: 'low_relevance',
        thresholdUsed: 0.3,
        sessionId: 'agent:harbour:main',
      })
      if (line.kind === 'drops') expect(disk.text(line.coldStoragePath ?? '')).toContain(`"${line.chunkId}"`)
    }
    expect(context.tokens).toBe(held.messages.reduce((sum, message) => sum + sizeOf(message), 0))
  })

  test('H7: what is marked as important stays, whatever its score', async () => {
    const kept = said('user', 'IMPORTANT: never feed the gulls', NOW - 30 * day)
    const flagged = { ...said('assistant', 'gulls eat fish', NOW - 30 * day), important: true }
    const { context, held } = at(0.45, [kept, flagged, ...errands(20), ASK])
    await context.afterResponse()
    expect(held.messages.slice(0, 2)).toEqual([kept, flagged])
    expect(held.messages).toHaveLength(11)
  })

  test('H12: a full pass with no model and no net; what is like the question stays', async () => {
    const crane = said('assistant', 'The harbour has a crane at pier seven.', NOW - day)
    const { context, held } = at(0.45, [...errands(10), crane, ...errands(10), ASK])
    const { drop } = await context.afterResponse()
    expect(drop?.likenessBy).toBe('bm25+hash')
    expect(held.messages[0]).toBe(crane)
  })

  test('V1: what was asked last is looked for in the agent’s own messages where it gives them', async () => {
    const crane = said('assistant', 'The harbour has a crane at pier seven.', NOW - day)
    const messages = [said('user', 'Read the ledger.', NOW - day), crane, ...errands(20)]
    const counts: number[] = []
    const getMessages = (count: number) => {
      counts.push(count)
      return [ASK, said('assistant', 'It stands there.')]
    }
    const { context, held, logged } = at(0.45, messages, MEMFAS, { getMessages })
    await context.afterResponse()
    expect(logged('curation')).toMatchObject([{ query: QUESTION }])
    expect(held.messages).toContain(crane)
    expect(counts).toEqual([20])
    const silent = at(0.45, messages, MEMFAS, { getMessages: () => [] })
    await silent.context.afterResponse()
    expect(silent.logged('curation')).toMatchObject([{ query: 'Read the ledger.' }])
  })

  test('an image cannot be kept by cold storage, and so stays', async () => {
    const image: ContentMessage = { role: 'assistant', content: [{ type: 'image', data: 'x' }] }
    const { context, held } = at(0.45, [image, ...errands(20), ASK])
    await context.afterResponse()
    expect(held.messages[0]).toBe(image)
  })
})

describe('before a request', () => {
  test('A12, T2, Q2: at .50 the drop is the compaction, logged as one; at .499 nothing happens', async () => {
    const messages = [...errands(20), said('assistant', 'done')]
    const below = at(0.499, [...messages, ASK])
    below.held.messages = messages
    expect((await below.context.beforeResponse([ASK])).steps).toEqual([])
    const { context, held, logged } = at(0.5, [...messages, ASK])
    held.messages = messages
    const done = await context.beforeResponse([ASK])
    expect(done).toMatchObject({ steps: ['compact'], compaction: null, failure: null, warnings: [] })
    expect(done.drop).toMatchObject({ compacted: true })
    expect(done.after.reached).toEqual([])
    expect(logged('curation')).toEqual([])
    expect(logged('compaction')).toMatchObject([
      {
        trigger: 'token_threshold',
        chunksDropped: 16,
        chunksSummarized: 0,
        tokensBefore: done.before.tokens.value,
        tokensAfter:
          (done.before.tokens.value ?? 0) - (done.drop?.tokensBefore ?? 0) + (done.drop?.tokensAfter ?? 0),
        tokenSavings: (done.drop?.tokensBefore ?? 0) - (done.drop?.tokensAfter ?? 0),
        rest: {
          scorer: expect.stringMatching(/\w/),
          similarity_by: done.drop?.likenessBy,
          tokens_before_basis: 'estimated',
          tokens_after_basis: 'estimated',
        },
        configUsed: 'COMPACTION_TRIGGER_PCT=0.50',
      },
    ])
    // D28: it is not due again.
    expect((await context.beforeResponse([ASK])).steps).toEqual([])
  })

  test('D19: medium chunks stay in at most 500 tokens, in their place, and their whole text is in cold storage', async () => {
    const long = `The crane at pier seven of the harbour. ${'It is painted anew each spring by the same hands. '.repeat(80)}`
    const medium: ContentMessage = { role: 'assistant', content: long, ...{ timestamp: NOW - 6 * 3_600_000 } }
    const policy: Policy = { ...MEMFAS, relevance: { ...MEMFAS.relevance, keep: 0.95 } }
    const messages = [...errands(6), medium, ...errands(14), ASK]
    const model = scriptedSummarizer('a/m', [
      `<summary>A crane stands at pier seven. ${'Yes. '.repeat(400)}</summary>`,
    ])
    for (const chain of [null, new SummaryChain([model], standingClock())]) {
      const { context, held, cold } = at(0.55, messages, policy, { chain })
      const { drop, warnings } = await context.beforeResponse([])
      expect(warnings).toEqual([])
      expect(drop?.condensed).toHaveLength(1)
      const [short] = held.messages
      if (short === undefined) throw new Error('nothing is left')
      expect(sizeOf(short)).toBeLessThanOrEqual(504)
      expect(contentText(short)).toContain('crane')
      expect(contentText(short)).toContain(`chunk ${drop?.condensed[0]?.record.chunkId}`)
      const { chunks } = await cold.list()
      expect(chunks.find(({ reason }) => reason === 'condensed')?.content).toBe(long)
    }
  })

  test('D19: of several results of one call only the long ones are said in short', async () => {
    const text = 'The crane at pier seven of the harbour.'
    const time = { timestamp: NOW - 6 * 3_600_000 }
    const result = (id: string, content: string): ContentMessage => ({
      ...{ role: 'toolResult', resultFor: id, content, ...time },
    })
    const calls = ['a', 'b'].map((id) => ({ id, name: 'read', arguments: {} }))
    const call: ContentMessage = {
      ...{ role: 'assistant', calls, ...time },
      content: [{ type: 'text', text }, ...calls.map((one) => ({ type: 'toolCall', ...one }))],
    }
    const long = result('a', `${text} ${'It is painted anew each spring by the same hands. '.repeat(80)}`)
    const short = result('b', text)
    const policy: Policy = { ...MEMFAS, relevance: { ...MEMFAS.relevance, keep: 0.95 } }
    const { context, held } = at(0.55, [...errands(6), call, long, short, ...errands(14), ASK], policy)
    const { drop } = await context.beforeResponse([])
    expect(drop?.condensed).toHaveLength(1)
    expect(held.messages.slice(0, 3)).toEqual([call, expect.anything(), short])
    expect(held.messages[2]).toBe(short)
    expect(sizeOf(held.messages[1] ?? long)).toBeLessThan(sizeOf(long) / 2)
  })

  test('where dropping does not suffice, only the useless goes and the rest is summarised: one compaction', async () => {
    const talk = Array.from({ length: 20 }, (_, i) => said('user', `IMPORTANT: ${i} ${'word '.repeat(300)}`))
    const messages = [...errands(2), ...talk]
    const policy: Policy = { ...MEMFAS, compaction: { ...MEMFAS.compaction, keepRecentTokens: 2_000 } }
    const { context, logged } = at(0.6, messages, policy)
    const done = await context.beforeResponse([ASK])
    expect(done.steps).toEqual(['curate', 'compact'])
    expect(done.drop?.compacted).toBe(false)
    expect(done.compaction?.kind).toBe('compacted')
    expect(logged('compaction')).toHaveLength(1)
  })

  test('A13: without summaries the lowest scores go until the context is below .85; what cannot go is reported', async () => {
    const off: Policy = {
      ...MEMFAS,
      compaction: { ...MEMFAS.compaction, mode: 'off' },
      relevance: { ...MEMFAS.relevance, cutoff: 0 },
      summary: { ...MEMFAS.summary, mediumChunks: false },
    }
    const messages = errands(30)
    const { context, held } = at(0.95, messages, off)
    const done = await context.beforeResponse([ASK])
    expect(done.failure).toBeNull()
    expect(done.after.reached.map(({ kind }) => kind)).not.toContain('hard')
    expect(ids(held.messages)).toEqual(ids(messages.slice(-held.messages.length)))
    const stuck = at(0.95, messages, {
      ...off,
      relevance: { ...off.relevance, minChunks: 30 },
      history: { ...off.history, recentTurns: 30 },
    })
    const huge = said('user', `${QUESTION} ${'word '.repeat(20_000)}`)
    expect((await stuck.context.beforeResponse([huge])).failure).toMatch(/above the hard line/)
  })

  test('a full disk: the drop is refused, the chunks stay, and it is said', async () => {
    const messages = [...errands(20), ASK]
    const { context, held, disk, logged } = at(0.45, messages)
    disk.room = 100
    const { drop, warnings } = await context.afterResponse()
    expect(drop).toBeNull()
    expect(warnings.join()).toMatch(/disk is full.*Nothing was dropped/)
    expect(held.messages).toEqual(messages)
    expect(logged('drops')).toEqual([])
  })

  test('I9: with cold storage off nothing is dropped and nothing written', async () => {
    const messages = [...errands(20), ASK]
    const { context, held, disk } = at(0.45, messages, {
      ...MEMFAS,
      coldStorage: { ...MEMFAS.coldStorage, enabled: false },
    })
    await context.afterResponse()
    expect(held.messages).toEqual(messages)
    expect(await disk.stat('/cold')).toBeNull()
  })

  test('I9, V3: with cold storage off medium chunks are still said in short, and nothing is written', async () => {
    const long = `The crane at pier seven of the harbour. ${'It is painted anew each spring by the same hands. '.repeat(80)}`
    const medium: ContentMessage = { role: 'assistant', content: long, ...{ timestamp: NOW - 6 * 3_600_000 } }
    const messages = [medium, ...errands(12), ASK]
    const policy: Policy = {
      ...MEMFAS,
      relevance: { ...MEMFAS.relevance, keep: 0.95 },
      compaction: { ...MEMFAS.compaction, mode: 'off' },
      coldStorage: { ...MEMFAS.coldStorage, enabled: false },
    }
    const { context, held, disk, logged } = at(0.55, messages, policy)
    const { warnings, steps } = await context.beforeResponse([])
    expect([steps, warnings]).toEqual([['compact'], []])
    expect(held.messages).toHaveLength(messages.length)
    expect(contentText(held.messages[0] ?? ASK)).toMatch(/^\[shortened from \d+ tokens without a model\]/)
    expect(await disk.stat('/cold')).toBeNull()
    expect(logged('compaction')).toMatchObject([{ chunksDropped: 0, chunksSummarized: 1 }])
  })

  test('a conversation that changed meanwhile is left as it is, and nothing of it stays in cold storage', async () => {
    const messages = [...errands(20), ASK]
    const { context, held, cold } = at(0.45, messages)
    const put = cold.put
    Object.assign(cold, {
      put: async (records: Parameters<typeof put>[0]) => {
        held.messages = errands(3)
        return put(records)
      },
    })
    const { drop, warnings } = await context.afterResponse()
    expect(drop).toBeNull()
    expect(warnings).toEqual([expect.stringContaining('changed meanwhile')])
    expect(held.messages).toHaveLength(6)
    expect((await cold.list()).chunks).toEqual([])
  })
})

/** Turns with calls side by side, results that come late, and marks here and there. */
const conversations = fc
  .array(
    fc.record({
      words: fc.constantFrom('crane', 'bread', 'tide', 'pier seven of the harbour', 'ledger'),
      calls: fc.nat(3),
      late: fc.boolean(),
      important: fc.boolean(),
      hours: fc.nat(60),
    }),
    { minLength: 3, maxLength: 25 },
  )
  .map((turns) => {
    const waiting: ContentMessage[] = []
    return turns.flatMap(({ words, calls, late, important, hours }, turn): ContentMessage[] => {
      const time = { timestamp: NOW - hours * 3_600_000 }
      const ids = Array.from({ length: calls }, (_, i) => ({ id: `${turn}-${i}` }))
      const results = ids.map(
        ({ id }): ContentMessage => ({
          role: 'toolResult',
          resultFor: id,
          content: `${words} ${id} `.repeat(40),
          ...time,
        }),
      )
      const before = waiting.splice(0)
      if (late) waiting.push(...results.splice(0))
      return [
        { role: 'user', content: `${important ? 'IMPORTANT: ' : ''}${words} ${turn}`, ...time },
        {
          role: 'assistant',
          calls: ids,
          content: ids.map(({ id }) => ({ type: 'toolCall', id, name: 'read', arguments: { words } })),
          ...time,
        },
        ...before,
        ...results,
        said('assistant', `${words} ${turn} `.repeat(30), time.timestamp),
      ]
    })
  })

test('H10, J7: whatever is dropped, pairs stay whole, order stays, marks stay, and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      conversations,
      fc.double({ min: 0.41, max: 1.2, noNaN: true }),
      fc.boolean(),
      async (messages, share, after) => {
        const policy: Policy = { ...MEMFAS, compaction: { ...MEMFAS.compaction, mode: 'off' } }
        const { context, held, cold } = at(share, [...messages, ASK], policy)
        const before = held.messages
        if (after) await context.afterResponse()
        else await context.beforeResponse([])
        const unpaired = findUnpaired(before)
        const now = findUnpaired(held.messages)
        expect(now.orphans).toHaveLength(unpaired.orphans.length)
        expect(unpaired.unanswered).toEqual(expect.arrayContaining([...now.unanswered]))
        const places = held.messages.map((message) => before.indexOf(message))
        expect(places.filter((place) => place >= 0)).toEqual(
          places.filter((place) => place >= 0).toSorted((a, b) => a - b),
        )
        for (const message of before)
          if (!held.log.includes('cut') && contentText(message).startsWith('IMPORTANT'))
            expect(held.messages).toContain(message)
        expect(held.messages).toContain(ASK)
        const { chunks } = await cold.list()
        const kept = new Set(held.messages)
        const stored = chunks.map(({ content }) => content).join('\n')
        for (const message of before)
          if (!kept.has(message) && typeof message.content === 'string')
            expect(stored).toContain(message.content)
      },
    ),
    runs(25),
  )
})

test('F7: a drop that replaces a compaction waits with it until the memory is saved', () => {
  const pass = new RelevancePass<ContentMessage>({} as never, {} as never)
  const input = (waits: boolean) =>
    ({ waits, last: true, messages: [ASK], incoming: [] }) as unknown as PassInput<ContentMessage>
  expect([pass.isDue(input(false)), pass.isDue(input(true))]).toEqual([true, false])
})

test('without a question nothing is judged, and nothing is said', async () => {
  const { parts } = livePartsOf(errands(2), MEMFAS)
  const pass = new RelevancePass<ContentMessage>({} as never, {} as never)
  const input = { parts, messages: errands(2), incoming: [] } as unknown as PassInput<ContentMessage>
  expect(await pass.run(input)).toEqual({ messages: null, drop: null, notes: [] })
})

test('V4: an agent without logs has its chunks dropped all the same, and is warned of nothing', async () => {
  const { drop, warnings } = await at(0.41, [...errands(20), ASK], MEMFAS, {
    log: undefined,
  }).context.afterResponse()
  expect([drop?.dropped.length, warnings]).toEqual([16, []])
})

test('Q4: what went because there was no room is noted without the line that it did not reach', async () => {
  const policy: Policy = {
    ...MEMFAS,
    compaction: { ...MEMFAS.compaction, mode: 'off' },
    relevance: { ...MEMFAS.relevance, cutoff: 0.001 },
  }
  const { context, logged } = at(1.5, [...errands(20), ASK], policy)
  await context.beforeResponse([])
  const lines = logged('drops') as readonly { readonly reason?: string; readonly thresholdUsed?: unknown }[]
  const forRoom = lines.filter(({ reason }) => reason === 'hard_limit')
  expect(forRoom.length).toBeGreaterThan(0)
  for (const { thresholdUsed } of forRoom) expect(thresholdUsed ?? null).toBeNull()
})

test('what a scorer could not do is said', async () => {
  const { parts } = livePartsOf([ASK], MEMFAS)
  const scored = { chunks: [], scorer: 'weights', likenessBy: 'bm25+hash', note: 'The embedder is down.' }
  const pass = new RelevancePass<ContentMessage>({ store: transientCold(), now: () => NOW }, {
    score: async () => scored,
  } as never)
  const input = { parts, messages: [ASK], incoming: [], moment: 'after', last: true, beside: 0 }
  const { notes } = await pass.run(input as unknown as PassInput<ContentMessage>)
  expect(notes).toEqual(['The embedder is down.'])
})
