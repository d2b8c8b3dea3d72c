import { describe, expect, test, vi } from 'vitest'
import { sha256 } from '../../adapters/write/sha256'
import { contentOfNote } from '../../core/cold/place-back'
import type { ColdRecord } from '../../core/cold/record'
import type { ContentMessage } from '../../core/history/thinking'
import { EmbeddingCache } from '../../engine/relevance/embedding-cache'
import { watchedText } from '../../testing/builders/watched-text'
import { coldAgent, errands, MEMFAS, NOW, said } from '../../testing/cold-conversation'
import { contentText, sizeOf } from '../../testing/live-conversation'
import { MemoryDisk } from '../../testing/memory-disk'

const DAY = 86_400_000
const CRANE = 'The harbour master moved the crane to pier seven because of the tide.'
const ASK = said('user', 'What is the price of bread in town?')
const LATER = said('user', 'Why did the harbour master move the crane to pier seven?')

/** An agent that has dropped what was said of the crane. */
async function dropped(more = {}) {
  const messages = [said('assistant', CRANE, NOW - 30 * 86_400_000), ...errands(20), ASK]
  const window = Math.round((messages.reduce((sum, message) => sum + sizeOf(message), 0) * 1.2) / 0.45)
  const agent = coldAgent(messages, MEMFAS, { window, ...more })
  const { drop } = await agent.context.afterResponse()
  const chunk = drop?.dropped.find(({ record }) => record.content === CRANE)
  if (chunk === undefined) throw new Error('it was not dropped')
  return { ...agent, window, chunkId: chunk.record.chunkId }
}

const notes = (messages: readonly ContentMessage[]) =>
  messages.flatMap((message) => contentOfNote(contentText(message)) ?? [])

describe('bringing back', () => {
  test('I5, I7: a later question brings back what it needs, in the role of the user, once, and that is logged', async () => {
    const { context, held, logged, chunkId } = await dropped()
    const { sets } = held
    expect(await context.beforeResponse([said('user', 'And of butter?')])).toMatchObject({
      ...{ recovered: [], warnings: [], steps: [] },
    })
    expect(held.sets).toBe(sets)
    const done = await context.beforeResponse([LATER])
    expect(done.steps).toEqual(['recover'])
    expect(done.recovered.map(({ chunk }) => chunk.chunkId)).toEqual([chunkId])
    expect(held.messages.at(-1)).toMatchObject({ role: 'user' })
    expect(notes(held.messages)).toEqual([CRANE])
    // What came back counts, with what a message takes besides its text.
    expect(done.recovered[0]?.tokens).toBeGreaterThanOrEqual(sizeOf(held.messages.at(-1) ?? ASK))
    expect(done.after.tokens.value).toBeGreaterThan(
      (done.before.tokens.value ?? 0) + sizeOf(said('user', CRANE)) / 2,
    )
    expect(logged('recovery')).toMatchObject([
      { chunkId, trigger: 'relevance', query: contentText(LATER), destination: 'context' },
    ])
    expect((await context.beforeResponse([LATER])).steps).toEqual([])
    await context.beforeResponse([said('user', 'So the harbour master moved the crane to pier seven?')])
    expect(notes(held.messages)).toEqual([CRANE])
  })

  test('I7: what could not be put into the context is not logged as recovered, and is tried again', async () => {
    const { context, held, logged, chunkId } = await dropped()
    const messages = held.messages
    const set = () => {
      throw new Error('the agent is busy')
    }
    Object.defineProperty(held, 'messages', { get: () => messages, set, configurable: true })
    const failed = await context.beforeResponse([LATER])
    expect(failed).toMatchObject({ recovered: [], warnings: [expect.stringContaining('the agent is busy')] })
    expect(await context.recover(chunkId)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'failed', message: expect.stringContaining('the agent is busy') },
    })
    expect(logged('recovery')).toEqual([])
    Object.defineProperty(held, 'messages', { value: messages, writable: true })
    expect((await context.beforeResponse([LATER])).recovered).toHaveLength(1)
    expect(logged('recovery')).toHaveLength(1)
  })

  test.each([
    'What was the crane torque at pier seven again?',
    'How much torque has the crane at pier seven?',
    'crane torque',
  ])('I5: an ordinary question brings back a long result among short notes: %s', async (question) => {
    const readings = Array.from(
      { length: 30 },
      (_, i) => `hoist ${i}: load ${i * 3} t, sway ${i % 5} deg, ok`,
    )
    const result = `Survey of pier seven\n${readings.join('\n')}\ncrane torque 412 kNm\nend of survey`
    expect(result.length).toBeGreaterThan(1_000)
    const notes14 = Array.from({ length: 14 }, (_, i) =>
      said('assistant', `Note ${i}: pier ${i} is swept.`, NOW - 29 * 86_400_000),
    )
    const messages = [said('assistant', result, NOW - 30 * 86_400_000), ...notes14, ...errands(20), ASK]
    const window = Math.round((messages.reduce((sum, message) => sum + sizeOf(message), 0) * 1.2) / 0.45)
    const { context, held } = coldAgent(messages, MEMFAS, { window })
    const { drop } = await context.afterResponse()
    expect(drop?.dropped.length).toBeGreaterThan(10)
    const { recovered } = await context.beforeResponse([said('user', question)])
    expect(recovered[0]?.chunk.content).toBe(result)
    expect(notes(held.messages)).toContain(result)
  })

  test('I5: never more than there is room for below the line of compaction', async () => {
    for (const [spare, back] of [
      [60, 0],
      [140, 1],
    ] as const) {
      const { context, held, window } = await dropped()
      const now = [...held.messages, LATER].reduce((sum, message) => sum + sizeOf(message), 0)
      const filler = ofSize((window * 0.5) / 1.2 - now - spare)
      held.messages = [...held.messages, filler]
      const { recovered, steps } = await context.beforeResponse([LATER])
      expect([recovered.length, steps.length]).toEqual([back, back])
    }
  })

  test('I6: by hand, by its id, to the byte; twice is nothing; an unknown id is refused', async () => {
    const { context, held, logged, chunkId } = await dropped()
    expect(await context.recover(chunkId)).toMatchObject({ kind: 'recovered', warnings: [] })
    expect(notes(held.messages)).toEqual([CRANE])
    expect(context.tokens).toBe(held.messages.reduce((sum, message) => sum + sizeOf(message), 0))
    expect(logged('recovery')).toMatchObject([{ chunkId, trigger: 'manual', destination: 'context' }])
    expect(await context.recover(chunkId)).toEqual({ kind: 'unchanged' })
    expect(await context.recover('nobody')).toMatchObject({ kind: 'refused', refusal: { code: 'missing' } })
  })

  const record = (chunkId: string, content: string, more: Partial<ColdRecord> = {}): ColdRecord => ({
    ...{ chunkId, sessionId: 'agent:harbour:main', at: NOW - DAY, content, tokens: 20, until: NOW + DAY },
    ...{ place: null, reason: 'low_relevance', score: 0.1, prompt: null, ...more },
  })

  test.each([
    [
      'the own one before a newer one of another session',
      [{ at: NOW - 9 }, { sessionId: 'other', at: NOW - 1 }],
      'text 0',
    ],
    [
      'the own one before an older one of another session',
      [{ sessionId: 'other', at: NOW - 9 }, { at: NOW - 1 }],
      'text 1',
    ],
    ['that of another session where there is no other', [{ sessionId: 'other' }], 'text 0'],
    ['one that is kept without an end', [{ until: null }], 'text 0'],
  ])('I6: an id means %s', async (_what, kinds, content) => {
    const { context, cold } = coldAgent([ASK])
    await cold.put(kinds.map((more, i) => record('c1', `text ${i}`, more)))
    expect(await context.recover('c1')).toMatchObject({ kind: 'recovered', chunk: { content } })
  })

  test('I3, I6: a chunk whose time is over does not come back, and it is said until when it could', async () => {
    const { context, held, cold } = coldAgent([ASK])
    await cold.put([record('c1', 'old', { until: NOW - 1 }), record('c2', 'last moment', { until: NOW })])
    expect(await context.recover('c1')).toEqual({
      kind: 'refused',
      refusal: {
        code: 'not-supported',
        message: 'The chunk c1 could be brought back until 2026-11-21T09:59:59.999Z.',
      },
    })
    expect(held.messages).toEqual([ASK])
    expect((await context.recover('c2')).kind).toBe('recovered')
  })

  test('I7: what is brought back by hand and cannot be logged is back, and that is said', async () => {
    const failing = async () => 'The disk is full.'
    const { context, held, cold } = coldAgent([ASK], MEMFAS, { log: { add: failing, addAll: failing } })
    await cold.put([record('c1', CRANE)])
    expect(await context.recover('c1')).toMatchObject({
      ...{ kind: 'recovered', warnings: ['The disk is full.'] },
    })
    expect(notes(held.messages)).toEqual([CRANE])
    expect(await context.undoRecovery('c1')).toMatchObject({
      ...{ kind: 'undone', warnings: ['The disk is full.'] },
    })
  })

  test('what comes back is no request of the user: it is dropped again like any other chunk, as it was', async () => {
    const { context, held, cold, chunkId } = await dropped()
    await context.recover(chunkId)
    held.messages = [...held.messages, ...errands(20), ASK]
    const { drop } = await context.afterResponse()
    expect(drop?.dropped.map(({ record }) => record.content)).toContain(CRANE)
    expect(notes(held.messages)).toEqual([])
    // There twice now, it comes back once.
    expect((await cold.list()).chunks.filter(({ content }) => content === CRANE).length).toBeGreaterThan(0)
    expect((await context.beforeResponse([LATER])).recovered).toHaveLength(1)
  })

  // How long it takes is printed by the bench.
  test('E13: with cold storage, and below every line, a turn reads no messages and no chunks again', async () => {
    let looks = 0
    const messages = errands(400).map(({ content, ...rest }) => ({
      ...rest,
      content: watchedText(content, () => {
        looks += 1
      }),
    }))
    const files = new MemoryDisk()
    const opened = vi.spyOn(files, 'read')
    const { context, held, cold } = coldAgent(messages, MEMFAS, { files, window: 4_000_000 })
    const chunk = {
      sessionId: 'agent:harbour:main',
      tokens: 1,
      reason: null,
      score: null,
      prompt: null,
      place: null,
    }
    const many = Array.from({ length: 500 }, (_, i) => ({
      ...chunk,
      chunkId: `c${i}`,
      content: `about quay ${i}`,
      at: NOW,
      until: NOW * 2,
    }))
    await cold.put(many)
    await context.beforeResponse([said('user', 'warm up')])
    looks = 0
    expect(opened).toHaveBeenCalled()
    opened.mockClear()
    for (let i = 0; i < 20; i++) {
      held.messages = [...held.messages, said('user', `And berth ${i}?`)]
      expect((await context.beforeResponse([said('user', `Which crane is free at ${i}?`)])).steps).toEqual([])
    }
    // Each is looked at once in a turn, for whether it has grown in place; scoring or sizing would look once more.
    expect(looks / (20 * messages.length)).toBeLessThan(2)
    expect(opened).not.toHaveBeenCalled()
  })

  test('I5: the embedder of the agent says what comes back, and its silence is a warning of the turn', async () => {
    const asked: string[] = []
    const message = 'The service is down.'
    const embedder = {
      ...{ id: 'test:down', deterministic: true },
      embed: async (texts: readonly string[]) => {
        asked.push(...texts)
        return { ok: false, fault: 'unreachable', message } as const
      },
    }
    const { context } = await dropped({ embedding: { embedder, cache: new EmbeddingCache(sha256) } })
    asked.length = 0
    const done = await context.beforeResponse([LATER])
    expect(done.recovered).toHaveLength(1)
    expect(done.warnings).toEqual([`${message} Likeness was worked out without it.`])
    expect(asked[0]).toBe(contentText(LATER))
    // Also where nothing comes back.
    const other = await context.beforeResponse([said('user', 'And of butter?')])
    expect(other).toMatchObject({ recovered: [], warnings: done.warnings })
  })

  test('V4: a store that cannot be read costs a warning, and the turn goes on', async () => {
    const { context, cold } = await dropped()
    Object.assign(cold, { list: () => Promise.reject(new Error('no such disk')) })
    const done = await context.beforeResponse([LATER])
    expect(done.warnings.join()).toContain('Nothing was brought back from cold storage: no such disk')
    expect(done.failure).toBeNull()
    const refusal = { code: 'failed', message: 'Cold storage cannot be read: no such disk' }
    expect(await context.recover('c1')).toEqual({ kind: 'refused', refusal })
    expect(await context.undoRecovery('c1')).toEqual({ kind: 'refused', refusal })
    // How much it holds is not known.
    expect((await context.status()).chunks.cold).toBeNull()
  })
})

describe('the end of a session', () => {
  test('T4, I8, I11: what it holds is archived under its own id, for a week, in a folder of a safe name', async () => {
    const messages = [said('user', 'Hello.'), said('assistant', CRANE.repeat(2)), ...errands(2)]
    const { context, held, disk, cold } = coldAgent(messages, MEMFAS, { session: '../agent' })
    const ended = await context.sessionEnd()
    expect(ended.kind).toBe('archived')
    const { chunks } = await cold.list()
    expect(chunks.map(({ content }) => content.length > 100)).toEqual([true, true, true])
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({
        sessionId: '../agent',
        reason: 'session_archive',
        until: NOW + 7 * 86_400_000,
      })
      expect(chunk.file.startsWith('/cold/')).toBe(true)
      expect(chunk.file).not.toContain('..')
      expect(disk.text(chunk.file)).not.toBeNull()
    }
    expect(held.messages).toEqual(messages)
  })

  test('T4: what cannot be archived is refused, with why', async () => {
    const ring: { role: string; content: string; self?: unknown } = { role: 'user', content: 'x'.repeat(200) }
    ring.self = ring
    expect(await coldAgent([ring as ContentMessage]).context.sessionEnd()).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'not-supported',
        message: expect.stringMatching(/^A message cannot be written to cold storage: ./),
      },
    })
    const { context, cold } = coldAgent([said('user', 'x'.repeat(200))])
    Object.assign(cold, { put: () => Promise.reject(new Error('no such disk')) })
    expect(await context.sessionEnd()).toMatchObject({
      kind: 'refused',
      refusal: { message: expect.stringContaining('no such disk') },
    })
  })

  test('without cold storage both are refused, with what to do', async () => {
    const { context } = coldAgent(errands(2), MEMFAS, { cold: undefined })
    expect(await context.sessionEnd()).toMatchObject({
      kind: 'refused',
      refusal: { message: /give it `cold`/ },
    })
    expect(await context.recover('x')).toMatchObject({ kind: 'refused' })
  })
})

/** A message of as many tokens, or a few less. */
function ofSize(tokens: number): ContentMessage {
  const each = (sizeOf(said('user', ' quay'.repeat(1000))) - 4) / 1000
  return said('user', ' quay'.repeat(Math.floor((tokens - 4) / each)))
}
