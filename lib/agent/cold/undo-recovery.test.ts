import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recoveredText } from '../../core/cold/place-back'
import type { ColdRecord } from '../../core/cold/record'
import type { ContentMessage } from '../../core/history/thinking'
import { ChunkLives } from '../../core/logs/chunk-life'
import { AGENT_START, transientMemory } from '../../engine/knowledge/agent-memory'
import { messageKey } from '../../engine/knowledge/message-key'
import { coldAgent, MEMFAS, NOW, said } from '../../testing/cold-conversation'
import { sizeOf } from '../../testing/live-conversation'
import { CONTENT_FORM } from '../content-form'

const SESSION = 'agent:harbour:main'
const DAY = 86_400_000
const CRANE = 'The harbour master moved the crane to pier seven because of the tide.'
const ASK = said('user', 'Why did the harbour master move the crane to pier seven?')
const TALK = [said('user', 'Hello.'), said('assistant', 'Good morning.')]

const record = (chunkId: string, content: string, until = NOW + DAY): ColdRecord => ({
  ...{ chunkId, sessionId: SESSION, at: NOW - DAY, content, tokens: 20, until, place: null },
  ...{ reason: 'low_relevance', score: 0.1, prompt: null },
})

/** An agent whose cold storage has these chunks. */
async function agentWith(
  records: readonly ColdRecord[],
  messages: readonly ContentMessage[] = TALK,
  more = {},
) {
  const agent = coldAgent(messages, MEMFAS, { window: 100_000, ...more })
  await agent.cold.put(records)
  return agent
}

const sizeOfAll = (messages: readonly ContentMessage[]) =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0)

describe('taking a recovery back', () => {
  test('I5–I7: what a question brought back leaves again, to the byte; it is logged, and cold again', async () => {
    const { context, held, logged } = await agentWith([record('c1', CRANE)])
    const before = held.messages
    expect((await context.beforeResponse([ASK])).recovered).toHaveLength(1)
    expect(held.messages).toHaveLength(3)
    expect(await context.undoRecovery('c1')).toMatchObject({
      ...{ kind: 'undone', chunk: { chunkId: 'c1', content: CRANE }, later: 0, warnings: [] },
    })
    expect(JSON.stringify(held.messages)).toBe(JSON.stringify(before))
    expect(held.messages.every((message, i) => message === before[i])).toBe(true)
    expect(context.tokens).toBe(sizeOfAll(before))
    expect(logged('recovery').map(({ event }) => event)).toEqual(['chunk_recovered', 'recovery_undone'])
    expect(logged('recovery')[1]).toMatchObject({ chunkId: 'c1', sessionId: SESSION, destination: 'context' })
    expect((await context.status()).chunks.cold).toBe(1)
    // The question that was answered by taking it back does not bring it again, nor after a turn that asks nothing; another
    // one does.
    expect((await context.beforeResponse([ASK])).recovered).toEqual([])
    expect((await context.beforeResponse([said('assistant', 'I look.')])).recovered).toEqual([])
    expect((await context.beforeResponse([ASK])).recovered).toEqual([])
    expect((await context.beforeResponse([said('user', `And: ${ASK.content}`)])).recovered).toHaveLength(1)
  })

  test('I5–I7: recovering any chunks, by hand or by a question, and taking all back in any order, changes nothing', async () => {
    const text = fc.constantFrom(
      'Hello.',
      CRANE,
      'quay',
      '<recovered-context chunk="c0">\nx\n\ny\n</recovered-context>',
    )
    const message = fc.record(
      { role: fc.constantFrom('user', 'assistant'), content: text },
      { noNullPrototype: true },
    )
    const content = fc.oneof(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.constant(`${CRANE} </recovered-context>`),
    )
    const chunks = fc.uniqueArray(content, { minLength: 1, maxLength: 5 })
    const cases = fc.tuple(
      fc.array(message),
      chunks,
      fc.array(message, { maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([talk, contents, later, numbers]) => {
        const { context, held, logged } = await agentWith(
          contents.map((one, i) => record(`c${i}`, one)),
          talk,
        )
        const back = new Set<string>()
        for (const { chunk } of (await context.beforeResponse([ASK])).recovered) back.add(chunk.chunkId)
        for (const i of contents.keys()) {
          const done = await context.recover(`c${i}`)
          if (done.kind === 'recovered') back.add(`c${i}`)
        }
        expect(held.messages).toHaveLength(talk.length + back.size)
        held.messages = [...held.messages, ...later]
        const order = [...back]
          .map((id) => [numbers.next().value ?? 0, id] as const)
          .sort(([a], [b]) => a - b)
        for (const [, id] of order)
          expect(await context.undoRecovery(id)).toMatchObject({ kind: 'undone', later: later.length })
        expect(held.messages).toEqual([...talk, ...later])
        expect([...talk, ...later].every((one, i) => held.messages[i] === one)).toBe(true)
        const lives = new ChunkLives()
        for (const one of logged('recovery')) lives.logged(one)
        for (const i of contents.keys())
          lives.stored({ ...record(`c${i}`, ''), reason: null, recoverableUntil: NOW + DAY })
        expect(lives.lives(NOW).every(({ state }) => state === 'cold')).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('where the conversation went on, the note alone leaves; what came later is counted, and stays', async () => {
    const { context, held } = await agentWith([record('c1', CRANE), record('c2', 'The tide is high.')])
    await context.recover('c1')
    const answer = said('assistant', 'Because of the tide.')
    held.messages = [...held.messages, ASK, answer]
    await context.recover('c2')
    expect(await context.undoRecovery('c1')).toMatchObject({ kind: 'undone', later: 2 })
    expect(held.messages.slice(0, 4)).toEqual([...TALK, ASK, answer])
    expect(held.messages).toHaveLength(5)
  })

  test('an agent of a later process takes it back, too; messages made anew are known by what they say', async () => {
    const first = await agentWith([record('c1', CRANE)])
    await first.context.recover('c1')
    const stored: ContentMessage[] = JSON.parse(JSON.stringify(first.held.messages))
    const { context, held } = await agentWith([record('c1', CRANE)], stored)
    expect(await context.undoRecovery('c1')).toMatchObject({ kind: 'undone' })
    expect(held.messages).toEqual(TALK)
  })

  test('refused, with nothing changed: a compaction took it, it was not recovered, a second time', async () => {
    const { context, held, logged } = await agentWith([
      record('c1', CRANE),
      record('c2', 'The tide is high.'),
    ])
    await context.recover('c1')
    const refusal = async (id: string) => {
      const before = held.messages
      const lines = logged('recovery').length
      const done = await context.undoRecovery(id)
      expect(held.messages).toBe(before)
      expect(logged('recovery')).toHaveLength(lines)
      return done.kind === 'refused' ? `${done.refusal.code}: ${done.refusal.message}` : done.kind
    }
    held.messages = [CONTENT_FORM.fromText('A summary of all that was said.')]
    expect(await refusal('c1')).toMatch(/^changed: .*a compaction, a drop or the hard line has taken it/)
    expect(await refusal('c2')).toMatch(/^missing: The context has no note of a chunk c2/)
    await context.recover('c2')
    expect((await context.undoRecovery('c2')).kind).toBe('undone')
    expect(await refusal('c2')).toMatch(/^missing/)
  })

  test('refused: cold storage lost the chunk meanwhile, so that the note is the last there is of it', async () => {
    const { context, held, cold } = await agentWith([record('c1', CRANE)])
    await context.recover('c1')
    await cold.remove((await cold.list()).chunks)
    expect(await context.undoRecovery('c1')).toMatchObject({
      refusal: { code: 'missing', message: expect.stringContaining('would lose it') },
    })
    expect(held.messages).toHaveLength(3)
  })

  test('refused: the agent does not take the conversation, and the note stays', async () => {
    const { context, held } = await agentWith([record('c1', CRANE)])
    await context.recover('c1')
    const { messages } = held
    const set = () => {
      throw new Error('the agent is busy')
    }
    Object.defineProperty(held, 'messages', { get: () => messages, set })
    expect(await context.undoRecovery('c1')).toMatchObject({
      refusal: { code: 'failed', message: expect.stringContaining('the agent is busy') },
    })
  })

  test('a message that the agent’s own form hides is no note, and none of them', async () => {
    const hidden = said('assistant', 'the vault opens at nine')
    const form = {
      ...CONTENT_FORM,
      toSource: (message: ContentMessage, at: number) =>
        message === hidden ? null : CONTENT_FORM.toSource(message, at),
    }
    const { context, held } = await agentWith([record('c1', CRANE)], [hidden, ...TALK], { form })
    await context.recover('c1')
    expect(await context.undoRecovery('c1')).toMatchObject({ kind: 'undone' })
    expect(held.messages).toEqual([hidden, ...TALK])
  })

  test('refused: a rolling summary speaks for the note', async () => {
    const memory = transientMemory()
    const note = said('user', recoveredText(record('c1', CRANE)))
    const messages = [...TALK, note, ...TALK]
    const { context, held } = await agentWith([record('c1', CRANE)], messages, { memory })
    const speakFor = (covered: number) => {
      const key = messageKey(CONTENT_FORM, messages[covered - 1] ?? note, covered - 1)
      return memory.save(SESSION, { ...AGENT_START, rolling: { text: 'It.', tokens: 4, covered, key } })
    }
    await speakFor(3)
    expect(await context.undoRecovery('c1')).toMatchObject({
      refusal: { code: 'changed', message: expect.stringContaining('rolling summary') },
    })
    expect(held.messages).toHaveLength(5)
    // One that ends right before the note does not.
    await speakFor(2)
    const { context: later } = await agentWith([record('c1', CRANE)], messages, { memory })
    expect(await later.undoRecovery('c1')).toMatchObject({ kind: 'undone' })
  })

  test('I3: one that has expired meanwhile leaves, and it is said that it does not come back', async () => {
    let now = NOW
    const { context, held } = await agentWith([record('c1', CRANE)], TALK, { clock: { now: () => now } })
    await context.recover('c1')
    now += 2 * DAY
    expect(await context.undoRecovery('c1')).toMatchObject({
      kind: 'undone',
      warnings: [expect.stringContaining('has expired')],
    })
    expect(held.messages).toEqual(TALK)
  })

  test('a message that only looks like a note stays; without cold storage there is nothing to take back', async () => {
    const fake = said('user', recoveredText({ ...record('c1', CRANE), content: 'Something else.' }))
    const { context, held } = await agentWith([record('c1', CRANE)], [fake, ...TALK])
    expect(await context.undoRecovery('c1')).toMatchObject({ kind: 'refused' })
    expect(held.messages).toEqual([fake, ...TALK])
    const bare = coldAgent(TALK, MEMFAS, { cold: undefined })
    expect(await bare.context.undoRecovery('c1')).toMatchObject({
      refusal: { message: expect.stringContaining('give it `cold`') },
    })
  })
})
