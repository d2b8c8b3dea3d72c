import { describe, expect, it } from 'vitest'
import { policyDocument } from '../../testing/builders/policy-document'
import { addOverride, overrideViews } from './policy-overrides'
import { readPolicyDraft } from './policy-reading'

const TEXT = `policy:
  preset: vs7
overrides:
  - agent: main
    policy:
      lines: { compact: { enabled: true, at: 0.6 } }

  - nonsense: true
  - model: "gpt-5.2*"   # small
    policy: { window: { byModel: { gpt-5.2: 100000 } } }
# the end
`

const reading = (text: string, path = '/etc/plimsoll.yaml') =>
  readPolicyDraft(policyDocument(text, path), text)
const HARD = { key: 'session', match: 'agent:main:*', path: 'lines.hard.at', value: 0.8 } as const

describe('X9 overrides', () => {
  it('are shown with their values and their line', () => {
    expect(overrideViews(reading(TEXT))).toEqual([
      {
        n: 1,
        key: 'agent',
        match: 'main',
        line: 4,
        values: [
          { path: 'lines.compact.enabled', label: 'Compact', value: 'on' },
          { path: 'lines.compact.at', label: 'Compact at', value: '60\u202f%' },
        ],
      },
      {
        n: 2,
        key: 'model',
        match: 'gpt-5.2*',
        line: 9,
        values: [{ path: 'window.byModel.gpt-5\\.2', label: 'gpt-5.2', value: '100\u202f000\u00a0tokens' }],
      },
    ])
  })

  it('are added behind the others, or with a new list', () => {
    const added = addOverride(reading(TEXT), HARD)
    expect(added.ok && added.text).toBe(
      TEXT.replace(
        '# the end',
        '  - session: agent:main:*\n    policy:\n      lines:\n        hard:\n          at: 0.8\n# the end',
      ),
    )
    const fresh = addOverride(reading('policy:\n  preset: vs7'), HARD)
    expect(fresh.ok && fresh.text).toBe(
      'policy:\n  preset: vs7\noverrides:\n  - session: agent:main:*\n    policy:\n      lines:\n        hard:\n          at: 0.8\n',
    )
    const nothing = addOverride(reading('overrides:\npolicy:\n  preset: vs7\n'), HARD)
    expect(nothing.ok && overrideViews(reading(nothing.text)).map((view) => view.match)).toEqual([
      'agent:main:*',
    ])
  })

  it('are left to the file where it is written in braces', () => {
    expect(addOverride(reading('overrides: [{ agent: a, policy: {} }]\n'), HARD).ok).toBe(false)
    expect(addOverride(reading('{ overrides: [] }', '/etc/plimsoll.json'), HARD).ok).toBe(false)
  })
})
