import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../../core/history/thinking'
import { transientCold } from '../../engine/cold/transient-cold'
import { transientFacts } from '../../engine/knowledge/fact-store'
import { transientTasks } from '../task-store'
import type { ContextOptions } from './context-options'
import { createContext } from './create-context'

const ASK: ContentMessage = { role: 'user', content: 'Which berth is free?' }
const keeping = (more: Partial<ContextOptions> = {}) =>
  createContext({ model: 'claude-sonnet-4-5', window: 32_000, tasks: transientTasks(), ...more })

const LOG = 'The crane lifts cargo before the tide. '.repeat(100)
/** A question, and a call with a long result. */
const WORK: readonly object[] = [
  ASK,
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: LOG }] },
]

/** A context that has done that work for a task, which is complete then. */
async function worked(more: Partial<ContextOptions> = {}) {
  const context = keeping(more)
  await context.tasks?.add({ id: 'lift', title: 'Lift cargo' })
  await context.fit([ASK])
  await context.tasks?.start('lift')
  const { done } = await context.fit(WORK)
  const completed = await context.tasks?.complete('lift', { summary: 'All is lifted.' })
  return { context, done, completed }
}

describe('V2 the tasks of a context', () => {
  test('that are done put the results of their calls away, as many tokens as these took', async () => {
    const { done, completed } = await worked()
    expect(completed).toMatchObject({ ok: true, putAway: { results: 1 } })
    const { tokens } = completed?.ok ? completed.putAway : { tokens: Number.NaN }
    expect(tokens).toBeGreaterThan(500)
    expect(tokens).toBeLessThan(done.after.value ?? 0)
  })

  test('that are done have those results in cold storage, which are found there and come back', async () => {
    const { context } = await worked()
    const { messages, done } = await context.fit(WORK)
    expect(JSON.stringify(messages)).not.toContain(LOG.trim())
    expect(done.dropped).toMatchObject([{ reason: 'summarised' }])
    const [found] = await context.search('crane tide')
    expect(found?.id).toBe(done.dropped[0]?.id)
    expect((await context.recover(found?.id ?? '')).kind).toBe('recovered')
    expect(JSON.stringify((await context.fit(WORK)).messages)).toContain(LOG.trim())
  })

  test('leave their results where cold storage cannot take them, which is said', async () => {
    const put = () => Promise.reject(new Error('the disk is full'))
    const { context, completed } = await worked({ cold: { ...transientCold(), put, putLater: undefined } })
    expect(completed).toMatchObject({
      ...{ ok: true, putAway: { results: 0 } },
      warnings: [expect.stringContaining('the disk is full')],
    })
    expect((await context.fit(WORK)).messages).toEqual(WORK)
  })

  test('keep credentials out of what they came to', async () => {
    const context = keeping({
      secrets: { mask: (text) => text.replaceAll('hunter2', '***'), isSecret: () => false },
    })
    await context.tasks?.add({ id: 'lift', title: 'Lift cargo' })
    await context.tasks?.start('lift')
    await context.tasks?.complete('lift', { summary: 'The crane opens with hunter2.' })
    const [found] = (await context.tasks?.search('crane')) ?? []
    expect(JSON.stringify(found)).toContain('The crane opens with ***.')
  })

  test('are in the system prompt of the next request, also where nothing was said since', async () => {
    const context = keeping()
    expect((await context.fit([ASK])).system).toBe('')
    await context.tasks?.add({ id: 'lift', title: 'Lift cargo' })
    await context.tasks?.start('lift')
    expect((await context.fit([ASK])).system).toContain('Lift cargo')
    await context.tasks?.complete('lift', { summary: 'All is lifted.' })
    expect((await context.fit([ASK])).system).not.toContain('Lift cargo')
  })
})

test('V2: each fact of a context is one of its kind', async () => {
  const facts = transientFacts()
  const context = keeping({ facts })
  await context.facts?.add('The crane of pier seven lifts 40 tonnes.', { source: 'user' })
  await context.facts?.add('The tide is low at noon.', { source: 'user' })
  const kept = await facts.find({ terms: ['crane', 'tide'], scope: null })
  expect(new Set(kept.map(({ id }) => id)).size).toBe(2)
  expect(keeping().facts).toBeNull()
})
