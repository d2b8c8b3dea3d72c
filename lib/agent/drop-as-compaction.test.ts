import { describe, expect, test } from 'vitest'
import { transientMemory } from '../engine/knowledge/agent-memory'
import { coldAgent, errands, MEMFAS, said } from '../testing/cold-conversation'
import { sizeOf } from '../testing/live-conversation'

const ASK = said('user', 'Which crane stands at pier seven of the harbour?')
const TALK = [...errands(20), said('assistant', 'done')]
/** Of which the talk and the question, with margin, take half: the line of compaction. */
const WINDOW = Math.round([...TALK, ASK].reduce((sum, message) => sum + sizeOf(message), 0) * 2.4)

/** An agent that gets a message while its drops are being stored; so many tokens long, a word each. */
function interrupted(words: number) {
  const late = said('user', `IMPORTANT: the tide ${'tide '.repeat(words)}`)
  const agent = coldAgent(TALK, MEMFAS, { window: WINDOW })
  const { cold, held } = agent
  const put = cold.put
  let came = false
  Object.assign(cold, {
    put: async (records: Parameters<typeof put>[0]) => {
      if (!came) held.messages = [...held.messages, late]
      came = true
      return put(records)
    },
  })
  return { ...agent, late }
}

describe('H9 a drop that was the compaction of its call', () => {
  test('is the only one of it, although a message that came meanwhile reaches the line again', async () => {
    const { context, held, late, logged } = interrupted(WINDOW * 0.45)
    const done = await context.beforeResponse([ASK])
    expect(done.after.reached.map(({ kind }) => kind)).toContain('compact')
    expect(done).toMatchObject({ steps: ['compact'], compaction: null, drop: { compacted: true } })
    expect(logged('compaction')).toHaveLength(1)
    expect(held.messages).toContain(late)
  })

  test('begins a cycle: what was asked for before it is done, and lines are reached anew', async () => {
    const memory = transientMemory()
    const flush = { ...MEMFAS.lines.flush, enabled: true, at: [0.3] }
    const policy = { ...MEMFAS, lines: { ...MEMFAS.lines, flush } }
    // Above the hard line nothing waits for the agent to save its memory.
    const { context } = coldAgent(TALK, policy, { window: Math.round(WINDOW * 0.55), memory })
    const done = await context.beforeResponse([ASK])
    expect(done).toMatchObject({ drop: { compacted: true }, flush: null })
    expect(done.steps).toEqual(['flush', 'compact'])
    expect(await memory.load('agent:harbour:main')).toMatchObject({
      ...{ compactions: 1, turns: 0, waited: false },
      flush: { prompted: 0, actioned: false },
    })
  })

  test('is followed by no summary above the hard line either: what does not fit there is cut out', async () => {
    const { context, held, late } = interrupted(WINDOW * 0.55)
    const done = await context.beforeResponse([ASK])
    expect(done).toMatchObject({ compaction: null, drop: { compacted: true }, failure: null })
    expect(done.steps.at(-1)).toBe('cut')
    expect(held.messages).toEqual([late])
  })
})
