import { describe, expect, it } from 'vitest'
import { softFlushLine } from '../core/budget/load-lines'
import type { MemoryEvent } from '../core/memory/memory-event'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { AfterResponse } from './after-response'
import type { BeforeResponse } from './before-response'
import { type MemoryEvents, noteFlush, noteTurn } from './memory-events'

const WINDOW = 200_000
const policy = {
  ...DEFAULT_POLICY,
  lines: { ...DEFAULT_POLICY.lines, flush: { ...DEFAULT_POLICY.lines.flush, at: [0.5, 0.75, 0.9] } },
}
const log = () => {
  const noted: MemoryEvent[] = []
  const events: MemoryEvents = { note: async (event) => void noted.push(event) }
  return { noted, place: { events, session: 's1', at: 7 } }
}
const full = { ...{ session: 's1', at: 7 }, events: { note: () => Promise.reject(new Error('no room')) } }
const passed = (over: object) => ({ steps: ['flush'], flush: null, ...over }) as unknown as BeforeResponse
const ended = (over: object) =>
  ({ memorySaved: false, checkpoint: null, ...over }) as unknown as AfterResponse
const checkpoint = { id: 'c1', covered: 9, tokens: 40 }

describe('F5 what is noted of a memory', () => {
  it('is each request to save it, at the highest line that was reached', async () => {
    const { noted, place } = log()
    const asked = passed({ before: { decided: 0.75 * WINDOW } })
    expect(await noteFlush(place, asked, { policy, window: WINDOW })).toBeNull()
    const given = passed({ before: { decided: 0.6 * WINDOW }, flush: { at: 0.5, delivery: 'user' } })
    await noteFlush(place, given, { policy, window: WINDOW })
    await noteFlush(place, passed({ steps: ['compact'] }), { policy, window: WINDOW })
    expect(noted).toEqual([
      { at: 7, session: 's1', kind: 'flush', line: 0.75, delivery: 'own turn' },
      { at: 7, session: 's1', kind: 'flush', line: 0.5, delivery: 'user' },
    ])
  })

  it('is the line that lies so many tokens ahead of a compaction, where that was reached', async () => {
    const { noted, place } = log()
    const ahead = { ...policy, flush: { ...policy.flush, softThresholdTokens: 30_000 } }
    const line = softFlushLine(ahead, WINDOW)
    if (line === null) throw new Error('there is no such line')
    expect(line.tokens).toBeLessThan(0.5 * WINDOW)
    await noteFlush(place, passed({ before: { decided: line.tokens } }), { policy: ahead, window: WINDOW })
    expect(noted).toEqual([
      { at: 7, session: 's1', kind: 'flush', line: line.tokens / WINDOW, delivery: 'own turn' },
    ])
  })

  it('is that it was saved, once, and each checkpoint', async () => {
    const { noted, place } = log()
    await noteTurn(place, ended({ memorySaved: true }), false)
    await noteTurn(place, ended({ memorySaved: true }), true)
    await noteTurn(place, ended({ checkpoint }), false)
    expect(noted).toEqual([
      { at: 7, session: 's1', kind: 'saved' },
      { at: 7, session: 's1', kind: 'checkpoint', ...checkpoint },
    ])
  })

  it('a log that cannot be written is said, and harms nothing; without one nothing is noted', async () => {
    const words = 'The log of the memory cannot be written: no room'
    expect(await noteTurn(full, ended({ checkpoint }), false)).toBe(words)
    const asked = passed({ before: { decided: 0.8 * WINDOW } })
    expect(await noteFlush(full, asked, { policy, window: WINDOW })).toBe(words)
    expect(await noteTurn({ session: 's1', at: 7 }, ended({ checkpoint }), false)).toBeNull()
  })
})
