import { describe, expect, it } from 'vitest'
import { effectivePolicy, NO_SUBJECT, type PolicySources, type PolicySubject } from './effective'
import { EffectivePolicies } from './effective-policies'
import { readPolicy } from './read-policy'
import { parseSource } from './source-tree'

const OWN = `policy: { lines: { compact: { at: 0.6 } } }
overrides:
  - agent: harbour
    policy: { lines: { compact: { at: 0.3 } } }
  - model: "claude-*"
    policy: { reserve: { tokens: 30000 } }
  - session: agent:harbour:main
    policy: { lines: { compact: { at: 0.2 } } }
`
const RUNTIME = '{ agents: { defaults: { compaction: { reserveTokensFloor: 25000 } } } }'

const sources: PolicySources = {
  own: { label: 'plimsoll.yaml', file: readPolicy(parseSource(OWN, 'plimsoll.yaml')) },
  store: [{ label: 'openclaw.json', file: readPolicy(parseSource(RUNTIME, 'openclaw.json')) }],
  chosen: null,
}

const subject = (values: Partial<PolicySubject>): PolicySubject => ({ ...NO_SUBJECT, ...values })

describe('X9: the policies of many sessions', () => {
  const subjects = [
    NO_SUBJECT,
    subject({ agent: 'harbour' }),
    subject({ agent: 'harbour', model: 'claude-opus' }),
    subject({ agent: 'tide', model: 'claude-haiku' }),
    subject({ agent: 'harbour', session: ['1', 'agent:harbour:main'] }),
  ]

  it('are those that are worked out for each alone', () => {
    const policies = new EffectivePolicies(sources)
    for (const one of subjects) expect(policies.of(one)).toEqual(effectivePolicy(sources, one))
    expect(policies.of(subject({ agent: 'harbour' })).policy.lines.compact.at).toBe(0.3)
    expect(policies.of(subject({ agent: 'tide' })).policy.lines.compact.at).toBe(0.6)
  })

  it('are worked out once for all to which the same overrides apply', () => {
    const policies = new EffectivePolicies(sources)
    expect(policies.of(subject({ agent: 'tide', session: ['2'] }))).toBe(policies.of(NO_SUBJECT))
    expect(policies.of(subject({ agent: 'harbour' }))).not.toBe(policies.of(NO_SUBJECT))
  })

  it('are one for all where a preset was chosen: the overrides of the files count for none', () => {
    const policies = new EffectivePolicies({
      ...sources,
      chosen: { label: 'preset vs7', preset: 'vs7', file: null },
    })
    expect(policies.of(subject({ agent: 'harbour' }))).toBe(policies.of(NO_SUBJECT))
    expect(policies.of(NO_SUBJECT).policy.budget.enabled).toBe(true)
  })

  it('follow the overrides of a file that was chosen', () => {
    const chosen = { label: 'mine', preset: null, file: sources.own?.file ?? null }
    const policies = new EffectivePolicies({ own: null, store: [], chosen })
    expect(policies.of(subject({ agent: 'harbour' })).policy.lines.compact.at).toBe(0.3)
    expect(policies.of(NO_SUBJECT).policy.lines.compact.at).toBe(0.6)
  })

  it('are there without a file of ours', () => {
    const policies = new EffectivePolicies({ ...sources, own: null })
    expect(policies.of(NO_SUBJECT).policy.reserve.floor).toBe(25_000)
  })
})
