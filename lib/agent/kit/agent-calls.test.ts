import { describe, expect, test, vi } from 'vitest'
import { asyncCallScope } from '../../adapters/agent/async-call-scope'
import type { ContentMessage } from '../../core/history/thinking'
import { transientCold } from '../../engine/cold/transient-cold'
import { transientMemory } from '../../engine/knowledge/agent-memory'
import { AgentContext } from './agent-context'
import type { ContextOptions } from './context-options'
import { createContext } from './create-context'
import { openSetup } from './open-setup'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const say = (role: string, content: string): ContentMessage => ({ role, content })
const LONG =
  ', behind the crane of pier seven, where the tide is low until the evening and no ship is due before noon'
const ASK = say('user', `Which berth is free${LONG}?`)
const ANSWER = say('assistant', `Berth 4 is free${LONG}.`)
/** So many turns of a question and an answer of some 330 tokens. */
const talk = (turns: number) =>
  Array.from({ length: turns }, (_, at) => [
    say('user', `Where does ship ${at} lie?`),
    say('assistant', `Ship ${at} lies at berth ${at}. ${'berth crane ledger '.repeat(100)}`),
  ]).flat()
const OPTIONS: ContextOptions = { model: 'claude-sonnet-4-5', window: 32_000, now: () => NOW, session: 'log' }
const small = (more: Partial<ContextOptions> = {}) => createContext({ ...OPTIONS, ...more })

describe('V2 the end of a session', () => {
  test('keeps what was said for a week, the last answer with it, which no request had', async () => {
    const cold = transientCold()
    const context = small({ cold })
    await context.fit([ASK])
    const ended = await context.sessionEnd([ASK, ANSWER])
    expect(ended.kind).toBe('archived')
    const { chunks } = await cold.list()
    expect(chunks.map(({ content }) => content).sort()).toEqual([ANSWER.content, ASK.content])
    expect(chunks.map(({ until }) => until)).toEqual([NOW + 7 * 86_400_000, NOW + 7 * 86_400_000])
  })

  test('keeps what is known where no list is given, and instructions in front are none of it', async () => {
    const cold = transientCold()
    const context = small({ cold })
    await context.fit([ASK])
    expect(await context.sessionEnd()).toMatchObject({ kind: 'archived', chunks: [{}] })
    const other = small({ cold: transientCold(), session: 'other' })
    const ended = await other.sessionEnd([say('system', 'You keep the log.'), ASK])
    expect(ended).toMatchObject({ chunks: [{ record: { content: ASK.content } }] })
  })

  test('refuses what is no list of messages', async () => {
    await expect(small().sessionEnd('all' as never)).rejects.toMatchObject({ option: 'messages' })
    await expect(small().fit([null as never, ASK])).rejects.toMatchObject({ option: 'messages[0]' })
    await expect(small().sessionEnd([ASK, 7 as never])).rejects.toMatchObject({ option: 'messages[1]' })
  })

  test('the list with the last answer is looked at anew when it is fitted after that', async () => {
    const context = small()
    await context.fit([ASK])
    const all = [ASK, say('assistant', 'Berth 4.')]
    await context.sessionEnd(all)
    expect((await context.fit(all)).messages).toEqual(all)
  })
})

describe('V2 chunks of a context', () => {
  async function dropped(more: Partial<ContextOptions> = {}) {
    const context = small(more)
    const messages = [...talk(60), ASK]
    const { done } = await context.fit(messages)
    expect(done.dropped.length).toBeGreaterThan(10)
    return { context, messages, done }
  }

  test('are found as many as are asked for, with when and why they left', async () => {
    const { context, done } = await dropped()
    expect(await context.search('berth')).toHaveLength(10)
    const found = await context.search('berth', 2)
    expect(found).toHaveLength(2)
    const [best] = await context.search('ship 7 lies at berth 7', 1)
    expect(best).toMatchObject({
      at: NOW,
      reason: 'summarised',
      text: expect.stringContaining('Ship 7 lies'),
    })
    expect(done.dropped).toContainEqual({
      id: best?.id,
      tokens: best?.tokens,
      reason: 'summarised',
      score: null,
    })
  })

  test('come back and go again: a recovery is in the next request, and taken back it is not', async () => {
    const { context, messages } = await dropped()
    const [best] = await context.search('ship 7 lies at berth 7', 1)
    const id = best?.id ?? ''
    expect(await context.recover(id)).toMatchObject({ kind: 'recovered', chunk: { chunkId: id } })
    const has = async () => JSON.stringify((await context.fit(messages)).messages).includes('Ship 7 lies')
    expect(await has()).toBe(true)
    expect(await context.undoRecovery(id)).toMatchObject({ kind: 'undone' })
    expect(await has()).toBe(false)
    expect(await context.undoRecovery(id)).toMatchObject({ kind: 'refused' })
    expect(await context.recover('nothing')).toMatchObject({ kind: 'refused' })
  })

  test('a compaction by hand has its focus and its signal, and is seen in the next request', async () => {
    const asked: string[] = []
    const context = small({
      summary: ({ user }) => {
        asked.push(user)
        return 'In short.'
      },
    })
    const messages = [...talk(20), ASK]
    await context.fit(messages)
    expect((await context.compact({ focus: 'the berths of today' })).kind).toBe('compacted')
    expect(asked.join()).toContain('Pay most attention to: the berths of today')
    expect((await context.fit(messages)).messages.length).toBeLessThan(messages.length)
    const stopped = small({ summary: () => 'In short.' })
    await stopped.fit(messages)
    expect((await stopped.compact({ signal: AbortSignal.abort() })).kind).toBe('stopped')
  })
})

describe('V2 the status of a context', () => {
  test('names model, window, policy and cost', async () => {
    const context = small({ policy: { lines: { compact: { at: 0.7 } } } })
    const status = await context.status()
    expect(status).toMatchObject({ model: 'claude-sonnet-4-5', window: 32_000, windowFrom: 'policy' })
    expect(status.policy.lines.compact.at).toBe(0.7)
    expect(status.cost).toEqual({ value: null, basis: 'unknown' })
  })

  test('costs add up with their error', async () => {
    const context = small()
    const { cost: one } = context.report({ prompt: 10_000, output: 100 })
    context.report({ prompt: 10_000, output: 100 })
    context.report({ prompt: 10_000, output: 100 })
    const { cost } = await context.status()
    if (one.basis !== 'estimated' || cost.basis !== 'estimated') throw new Error('it is an estimate')
    expect(cost.value).toBeCloseTo(3 * one.value, 9)
    expect(cost.errorPct).toBeCloseTo(one.errorPct, 6)
  })

  test('what has no provider in its name is priced for the one that is given, and nothing costs nothing', () => {
    const cost = (more: object) => small(more).report({ prompt: 0, output: 0 }).cost
    expect(cost({}).value).toBeNull()
    const bedrock = small({ model: 'anthropic.claude-sonnet-4-5-20250929-v1:0', provider: 'bedrock' })
    expect(bedrock.report({ prompt: 1_000, output: 10 }).cost.value).toBeGreaterThan(0)
  })
})

describe('V2 calls from within', () => {
  /** A context that is asked to save its memory, and is then called as is given. */
  async function flushing(call: (context: AgentContext) => Promise<unknown>) {
    const answers: unknown[] = []
    const context: AgentContext = new AgentContext(
      openSetup(
        {
          ...OPTIONS,
          memory: transientMemory(),
          policy: { lines: { flush: { enabled: true, at: [0.1] } } },
          onFlush: async () => {
            answers.push(await call(context).catch((error) => error))
          },
        },
        asyncCallScope(),
      ),
    )
    const { done } = await context.fit([...talk(12), ASK])
    expect(done.steps).toContain('flush')
    return answers
  }

  test('fit from onFlush is refused by its name: the list of that turn is no conversation of this context', async () => {
    const [refused] = await flushing((context) => context.fit([ASK]))
    expect(refused).toMatchObject({
      code: 'NESTED_CALL',
      message: expect.stringMatching(/^fit was called from `onFlush`/),
    })
  })

  test('status and search are answered there', async () => {
    const [status] = await flushing((context) => context.status())
    expect(status).toMatchObject({ model: 'claude-sonnet-4-5' })
    expect(await flushing((context) => context.search('berth'))).toEqual([[]])
  })
})

test('V2: a context that is closed lets go what was opened for it, once it is called', () => {
  const release = vi.fn()
  const context = new AgentContext(openSetup(OPTIONS), release)
  expect(release).not.toHaveBeenCalled()
  context.close()
  expect(release).toHaveBeenCalledTimes(1)
  expect(() => small().close()).not.toThrow()
})
