import { expect, test } from 'vitest'
import { transientCold } from '../../engine/cold/transient-cold'
import { transientMemory } from '../../engine/knowledge/agent-memory'
import { inForm } from '../../testing/builders/conversations'
import { refusedBy } from '../../testing/builders/provider-check'
import type { ContextOptions } from './context-options'
import { createContext } from './create-context'

const NEVER = () => new Promise<never>(() => {})
const WINDOW = 32_000

/** A conversation of so many tool calls with long results, which do not fit. */
const messages = (calls: number) =>
  inForm('anthropic', [
    ...Array.from({ length: calls }, (_, at) => {
      const call = { id: `call_${at}`, path: `log/${at}.md`, result: `${at}: ${'berth crane '.repeat(200)}` }
      return [
        { kind: 'ask', text: `Where does ship ${at} lie?`, image: false } as const,
        { kind: 'answer', text: 'I look.', thinks: false, calls: [call], aside: '' } as const,
      ]
    }).flat(),
    { kind: 'ask', text: 'And ship 7?', image: false },
  ])

const small = (options: Partial<ContextOptions>) =>
  createContext({ model: 'claude-sonnet-4-5', window: WINDOW, timeLimit: 20, ...options })

const memory = { ...transientMemory(), load: NEVER, save: NEVER, checkpoints: NEVER, stepCheckpoints: NEVER }

test.each<[port: string, Partial<ContextOptions>]>([
  ['cold', { cold: { ...transientCold(), put: NEVER, list: NEVER } }],
  ['memory', { memory }],
  ['log', { logs: { add: NEVER, addAll: NEVER } }],
  ['hooks', { hooks: { run: NEVER } }],
  ['promptCache', { workspace: { snapshot: NEVER } }],
  ['onFlush', { onFlush: NEVER }],
  ['tasks', { tasks: { load: NEVER, save: NEVER } }],
])('V4: %s that never answers costs a warning, and never the turn', async (port, options) => {
  const context = small(options)
  const list = messages(60)
  const { messages: sent, done } = await context.fit(list)
  expect(done.warnings.join('\n')).toMatch(
    new RegExp(`${port}.* gave no answer within \\d+ ms \\(timeLimit\\)`),
  )
  expect(done.steps).toContain('compact')
  expect(done.failure).toBeNull()
  expect(refusedBy('anthropic', sent)).toEqual([])
  expect(JSON.stringify(sent.at(-1))).toContain('And ship 7?')
})

test('E8 V4: as long as it need not, nothing leaves for a cold store that never answers, and what is late is not counted', async () => {
  const store = transientCold()
  const late: (() => void)[] = []
  const slow: typeof store = {
    ...store,
    put: (records) => new Promise((resolve) => late.push(() => void store.put(records).then(resolve))),
  }
  const context = small({ window: 2 * WINDOW, cold: slow, policy: { lines: { compact: { at: 0.3 } } } })
  const list = messages(70)
  const { messages: sent, done } = await context.fit(list)
  expect(done.warnings.join('\n')).toContain('cold.put gave no answer within 20 ms')
  expect(done.before.value).toBeGreaterThan(0.6 * WINDOW)
  expect(sent).toEqual(list)
  expect([done.steps, done.dropped]).toEqual([[], []])
  for (const finish of late) finish()
  await expect.poll(async () => (await store.list()).chunks.length, { timeout: 20_000 }).toBeGreaterThan(0)
  const { done: next } = await context.fit([...list, { role: 'assistant', content: 'At berth 7.' }])
  // The second attempt waits for an answer as well.
  expect(next.dropped).toEqual([])
})
