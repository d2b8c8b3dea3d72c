import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from './default-policy'
import {
  effectivePolicy,
  layersFor,
  liveSubject,
  NO_SUBJECT,
  type PolicySources,
  type PolicySubject,
} from './effective'
import { placedContradictions } from './placed-contradictions'
import { PRESETS } from './presets'
import { readPolicy } from './read-policy'
import { parseSource } from './source-tree'

const file = (text: string, name = 'plimsoll.yaml') => ({
  label: name,
  file: readPolicy(parseSource(text, name)),
})

const OWN = file(`policy:
  preset: vs7
  lines: { compact: { enabled: true, at: 0.6 } }
overrides:
  - store: "*/harbour"
    policy: { history: { maxTurns: 1 } }
  - agent: main
    policy: { history: { maxTurns: 2 } }
  - channel: telegram
    policy: { history: { maxTurns: 3 } }
  - model: "claude-*"
    policy: { history: { maxTurns: 4 } }
  - session: "agent:main:*"
    policy: { history: { maxTurns: 5 } }
`)

const subject = (over: Partial<PolicySubject>): PolicySubject => ({ ...NO_SUBJECT, ...over })
const turns = (over: Partial<PolicySubject>) => {
  const { policy, origin } = effectivePolicy({ own: OWN, store: [], chosen: null }, subject(over))
  return [policy.history.maxTurns, origin['history.maxTurns']?.level]
}

describe('X9 the policy in force', () => {
  it('narrower overrides beat wider ones: store, agent, channel, model, session', () => {
    const all = {
      store: ['/srv/harbour'],
      agent: 'main',
      channel: 'telegram',
      model: 'claude-x',
      session: ['abc', 'agent:main:main'],
    }
    expect(turns({})).toEqual([null, 'default'])
    expect(turns({ store: all.store })).toEqual([1, 'store'])
    expect(turns({ store: all.store, agent: all.agent })).toEqual([2, 'agent'])
    expect(turns({ agent: all.agent, channel: all.channel })).toEqual([3, 'channel'])
    expect(turns({ channel: all.channel, model: all.model })).toEqual([4, 'model'])
    expect(turns(all)).toEqual([5, 'session'])
    expect(turns({ model: 'gpt-claude-x' })).toEqual([null, 'default'])
  })

  it('an override for any agent is for none where no agent is known', () => {
    const own = file('overrides: [{ agent: "*", policy: { history: { maxTurns: 1 } } }]\n')
    const maxTurns = (agent: string | null) =>
      effectivePolicy({ own, store: [], chosen: null }, subject({ agent })).policy.history.maxTurns
    expect([maxTurns('main'), maxTurns(null)]).toEqual([1, null])
  })

  it('the runtime’s own file comes before the general part of ours and names itself', () => {
    const store = [
      file(
        '{ agents: { defaults: { contextManagement: { budget: { historyRatio: 0.3 } } } } }',
        'openclaw.json',
      ),
    ]
    const { policy, origin } = effectivePolicy({ own: OWN, store, chosen: null }, NO_SUBJECT)
    expect(policy.budget).toMatchObject({ enabled: true, historyRatio: 0.3 })
    expect(origin['budget.historyRatio']).toEqual({ level: 'store', label: 'openclaw.json' })
    expect(origin['lines.compact.at']).toEqual({ level: 'preset', label: 'plimsoll.yaml' })
    expect(origin['budget.enabled']).toEqual({ level: 'preset', label: 'preset vs7' })
  })

  it('what is chosen for now replaces every file', () => {
    const chosen = { label: 'preset memfas', preset: 'memfas', file: null }
    const { policy, origin } = effectivePolicy({ own: OWN, store: [], chosen }, subject({ agent: 'main' }))
    expect(policy.lines.compact.at).toBe(0.5)
    expect(policy.budget.enabled).toBe(false)
    expect(policy.history.maxTurns).toBeNull()
    expect(origin['summary.model']).toEqual({ level: 'preset', label: 'preset memfas' })
  })
})

describe('X9 the policy in force without a file', () => {
  const resolved = (sources: Partial<PolicySources>) =>
    effectivePolicy({ own: null, store: [], chosen: null, ...sources }, subject({ agent: 'main' }))
  const levels = (sources: Partial<PolicySources>) => [
    ...new Set(Object.values(resolved(sources).origin).map(({ level, label }) => `${level}: ${label}`)),
  ]

  it('is the defaults, with nothing or with a name that no preset has', () => {
    expect(layersFor({ own: null, store: [], chosen: null }, NO_SUBJECT)).toEqual([])
    expect(levels({})).toEqual(['default: default'])
    expect(resolved({}).policy).toEqual(DEFAULT_POLICY)
    expect(levels({ chosen: { label: 'x', preset: null, file: null } })).toEqual(['default: default'])
    expect(levels({ chosen: { label: 'x', preset: 'vs8', file: null } })).toEqual(['default: default'])
    const chosen = { label: 'x', preset: 'vs7', file: null }
    expect(layersFor({ own: OWN, store: [], chosen }, NO_SUBJECT)).toEqual([
      { level: 'preset', label: 'preset vs7', patch: PRESETS.vs7 },
    ])
  })

  it('a file that was chosen brings its preset, its values and its overrides', () => {
    const chosen = { label: 'mine', preset: null, file: OWN.file }
    expect(levels({ chosen })).toEqual(
      expect.arrayContaining(['preset: preset vs7', 'preset: mine', 'agent: mine, agent main']),
    )
    expect(resolved({ chosen }).policy.history.maxTurns).toBe(2)
    // A preset that was named beside it replaces the one of the file.
    expect(levels({ chosen: { ...chosen, preset: 'memfas' } })).toContain('preset: preset memfas')
    expect(levels({ chosen: { ...chosen, preset: 'memfas' } })).not.toContain('preset: preset vs7')
  })

  it('a live session is known by its key, and by the agent and channel in it', () => {
    expect(liveSubject('agent:main:telegram:direct:42', 'm')).toEqual({
      ...{ store: [], agent: 'main', channel: 'telegram', model: 'm' },
      session: ['agent:main:telegram:direct:42'],
    })
    expect(liveSubject('agent:ops:main', null)).toMatchObject({ agent: 'ops', channel: null, model: null })
    expect(liveSubject('scratch', 'm')).toMatchObject({ agent: null, channel: null, session: ['scratch'] })
  })
})

describe('H2 values that contradict each other', () => {
  const contradicted = (own: string, store: string | null, over: Partial<PolicySubject> = {}) => {
    const files = store === null ? [] : [file(store, 'context-config.yaml')]
    const sources = { own: file(own), store: files, chosen: null }
    return placedContradictions(sources, effectivePolicy(sources, subject(over)))
  }

  it('name the file whose value is in force, also when they are from several files', () => {
    const own = 'policy:\n  relevance:\n    cutoff: 0.4\n    keep: 0.45\n'
    expect(contradicted(own, null)).toEqual([])
    expect(contradicted(own, 'RELEVANCE_CUTOFF: 0.5\n')).toMatchObject([
      { severity: 'error', place: { file: 'plimsoll.yaml', line: 4, key: 'policy.relevance.keep' } },
    ])
    expect(contradicted('', 'TURNS: 3\nRELEVANCE_CUTOFF: 0.8\n')).toMatchObject([
      { place: { file: 'context-config.yaml', line: 2, key: 'RELEVANCE_CUTOFF' } },
    ])
  })

  it('of a session alone are reported for that session, and without a place where no file sets them', () => {
    const own = 'overrides:\n  - agent: main\n    policy:\n      relevance:\n        cutoff: 0.9\n'
    expect(contradicted(own, null)).toEqual([])
    expect(contradicted(own, null, { agent: 'main' })).toMatchObject([
      {
        severity: 'error',
        place: { file: 'plimsoll.yaml', line: 5, key: 'overrides[0].policy.relevance.cutoff' },
      },
    ])
    const sources = { own: file(own), store: [], chosen: null }
    const without = effectivePolicy({ ...sources, own: file('') }, NO_SUBJECT)
    const policy = { ...without.policy, relevance: { ...without.policy.relevance, cutoff: 0.9 } }
    expect(placedContradictions(sources, { ...without, policy })).toMatchObject([{ place: null }])
  })

  it('of an override are at its own line and key, not at those of the value for all', () => {
    const own =
      'policy: { relevance: { keep: 0.5 } }\noverrides: [{ agent: main, policy: { relevance: { keep: 0.2 } } }]\n'
    expect(contradicted(own, null, { agent: 'main' })).toMatchObject([
      { place: { file: 'plimsoll.yaml', line: 2, key: 'overrides[0].policy.relevance.keep' } },
    ])
  })

  it('of several overrides are at the one that is in force', () => {
    const one = (line: string, cutoff: number) =>
      `  - ${line}\n    policy: { relevance: { cutoff: ${cutoff} } }\n`
    const own = `overrides:\n${one('model: m', 0.9)}${one('agent: main', 0.8)}${one('model: m', 0.7)}${one('model: m*', 0.1)}`
    const at = (over: Partial<PolicySubject>) => contradicted(own, null, over)[0]?.place
    expect(at({ agent: 'main', model: 'x' })).toMatchObject({
      line: 5,
      key: 'overrides[1].policy.relevance.cutoff',
    })
    expect(at({ agent: 'main', model: 'm' })).toBeUndefined()
    const without = `${own.slice(0, own.indexOf('  - model: m*'))}  - model: m\n    policy: { reserve: { floor: 5 } }\n`
    expect(contradicted(without, null, { agent: 'main', model: 'm' })[0]?.place).toMatchObject({
      line: 7,
      key: 'overrides[2].policy.relevance.cutoff',
    })
  })
})
