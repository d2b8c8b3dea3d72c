import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../../core/history/thinking'
import { transientFacts } from '../../engine/knowledge/fact-store'
import { transientTasks } from '../task-store'
import type { ContextOptions } from './context-options'
import { createContext } from './create-context'

const ASK: ContentMessage = { role: 'user', content: 'Which berth is free?' }
const keeping = (more: Partial<ContextOptions> = {}) =>
  createContext({ model: 'claude-sonnet-4-5', window: 32_000, tasks: transientTasks(), ...more })

describe('V2 the tasks of a context', () => {
  test('that are done put the results of their calls away, as many tokens as these took', async () => {
    const context = keeping()
    const call = { type: 'tool_use', id: 'c1', name: 'read', input: {} }
    const log = 'The crane lifts cargo before the tide. '.repeat(100)
    const result = { type: 'tool_result', tool_use_id: 'c1', content: log }
    await context.tasks?.add({ id: 'lift', title: 'Lift cargo' })
    await context.fit([ASK])
    await context.tasks?.start('lift')
    const list = [ASK, { role: 'assistant', content: [call] }, { role: 'user', content: [result] }]
    const { done } = await context.fit(list)
    const completed = await context.tasks?.complete('lift', { summary: 'All is lifted.' })
    expect(completed).toMatchObject({ ok: true, putAway: { results: 1 } })
    const { tokens } = completed?.ok ? completed.putAway : { tokens: Number.NaN }
    expect(tokens).toBeGreaterThan(500)
    expect(tokens).toBeLessThan(done.after.value ?? 0)
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
