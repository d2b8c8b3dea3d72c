import { describe, expect, it } from 'vitest'
import type { PolicySources } from '../policy/effective'
import type { PolicyPatch } from '../policy/policy'
import { readPolicy } from '../policy/read-policy'
import { resolvePolicy } from '../policy/resolve'
import { parseSource } from '../policy/source-tree'
import { firstLine, type ReadWindow, sessionLoad } from './session-load'
import { type LoadSubject, SessionLoads } from './session-loads'

const READ: ReadWindow = { tokens: 200_000, source: 'index' }

const load = (patch: PolicyPatch, model: string | null = null, read: ReadWindow | null = READ) =>
  sessionLoad(resolvePolicy([{ level: 'store', label: 'openclaw.json', patch }]), model, read)

describe('X9: what a fill is measured against', () => {
  it('is the window as it was read, unless the policy has its own or caps it (A8)', () => {
    expect(load({})).toMatchObject({ window: 200_000, windowSource: 'index', reserve: 20_000 })
    expect(load({ window: { cap: 100_000 } })).toMatchObject({ window: 100_000, windowSource: 'cap' })
    const own = { window: { byModel: { 'kimi-k2': 50_000 } } }
    expect(load(own, 'kimi-k2')).toMatchObject({ window: 50_000, windowSource: 'policy' })
    expect(load(own, 'other')).toMatchObject({ window: 200_000, windowSource: 'index' })
  })

  it('is nothing where nobody knows the window: a default is no basis for a share', () => {
    expect(load({}, null, null)).toBeNull()
    expect(load({}, null, { tokens: 0, source: 'default' })).toBeNull()
  })

  it('has the lines of the policy, named by what sets the first that acts', () => {
    expect(load({})).toMatchObject({ from: null, reserveFrom: null })
    const early = load({ lines: { compact: { at: 0.3 } }, reserve: { tokens: 40_000 } })
    expect(early).toMatchObject({ from: 'openclaw.json', reserveFrom: 'openclaw.json', reserve: 40_000 })
    expect(early?.lines.map(({ name, tokens }) => [name, tokens])).toEqual([
      ['compact', 60_000],
      ['curate', 80_000],
      ['slide', 140_000],
      ['hard', 160_000],
    ])
  })

  it('begins to count at the first line that acts; without one, at the effective budget', () => {
    const first = (patch: PolicyPatch) => {
      const found = load(patch)
      return found && firstLine(found)
    }
    expect(first({})).toBe(100_000)
    expect(first({ lines: { compact: { enabled: false } } })).toBe(170_000)
    expect(first({ lines: { compact: { enabled: false }, hard: { enabled: false } } })).toBe(180_000)
  })
})

describe('X9: the loads of many sessions', () => {
  const own = `overrides: [{ agent: harbour, policy: { lines: { compact: { at: 0.2 } } } }]`
  const runtime = '{ agents: { defaults: { compaction: { reserveTokensFloor: 30000 } } } }'
  const sources = (storeRoot: string): PolicySources => ({
    own: { label: 'plimsoll.yaml', file: readPolicy(parseSource(own, 'plimsoll.yaml')) },
    store:
      storeRoot === '/a'
        ? [{ label: 'openclaw.json', file: readPolicy(parseSource(runtime, 'openclaw.json')) }]
        : [],
    chosen: null,
  })
  const session = (values: Partial<LoadSubject>): LoadSubject => ({
    ...{ storeId: 'a', storeRoot: '/a', sessionId: 's', key: null, agent: null, channel: null },
    ...{ model: null, window: 200_000, windowSource: 'index' },
    ...values,
  })

  it('are those of each session’s own store and overrides, and the same object where nothing differs', () => {
    const loads = new SessionLoads(sources)
    expect(loads.of(session({}))).toMatchObject({ reserve: 30_000, from: null })
    expect(loads.of(session({ storeRoot: '/b' }))).toMatchObject({ reserve: 20_000 })
    expect(loads.of(session({ agent: 'harbour' }))).toMatchObject({
      reserve: 30_000,
      from: 'plimsoll.yaml, agent harbour',
    })
    expect(loads.of(session({ sessionId: 't' }))).toBe(loads.of(session({})))
    expect(loads.of(session({ window: 100_000 }))?.window).toBe(100_000)
    expect(loads.of(session({ window: null }))).toBeNull()
  })
})
