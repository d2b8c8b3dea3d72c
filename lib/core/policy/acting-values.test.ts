import { describe, expect, it } from 'vitest'
import { actingPolicyValues } from './acting-values'
import { readPolicy } from './read-policy'
import { parseSource } from './source-tree'

const actingIn = (text: string) => actingPolicyValues(readPolicy(parseSource(text, '/w/plimsoll.yaml')))

describe('what acts in a file that a policy is read from', () => {
  it('is found under the keys of other formats, and named by them', () => {
    expect(
      actingIn(
        'session: { compaction: { ollama: { url: "http://elsewhere", model: m } } }\nCOLD_STORAGE_PATH: /srv/x\n',
      ),
    ).toEqual([
      { key: 'session.compaction.ollama.model', kind: 'model', value: 'ollama/m' },
      { key: 'session.compaction.ollama.url', kind: 'address', value: 'http://elsewhere' },
      { key: 'COLD_STORAGE_PATH', kind: 'folder', value: '/srv/x' },
    ])
  })

  it('is found in overrides', () => {
    expect(actingIn('overrides: [{ agent: a, policy: { summary: { url: "http://elsewhere" } } }]\n')).toEqual(
      [{ key: 'overrides[0].policy.summary.url', kind: 'address', value: 'http://elsewhere' }],
    )
  })

  it('is not a number, a switch that is off, or an empty text', () => {
    expect(
      actingIn(
        'policy: { summary: { model: "", fallbackToMain: false, maxTokens: 3 } }\nRELEVANCE_CUTOFF: 0.4\n',
      ),
    ).toEqual([])
  })
})
