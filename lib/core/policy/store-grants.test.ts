import { describe, expect, test } from 'vitest'
import { ACTING_POLICY_VALUES } from './acting-values'
import { effectivePolicy, NO_SUBJECT } from './effective'
import type { PolicyPatch } from './policy'
import { readPolicy } from './read-policy'
import { parseSource } from './source-tree'
import { policyAsks } from './store-asks'
import { grantedPart, isGranted, NO_GRANTS, type StoreGrants, WISH_PATHS, wishesIn } from './store-grants'

const URL = 'http://h.example/v1'
const ACTS: PolicyPatch = {
  summary: { model: 'openai/m', url: URL, fallbackToMain: true, targetTokens: 7 },
  relevance: { cutoff: 0.2, embedder: { model: 'openai/e', url: URL, timeoutMs: 5 } },
  coldStorage: { path: '/x/cold', days: 3 },
  logs: { path: '/x/logs', drops: false },
  lines: { compact: { at: 0.4 } },
}
const granted = (more: Partial<StoreGrants>): StoreGrants => ({ ...NO_GRANTS, ...more })

describe('what counts of a file of a store', () => {
  test('what a store may not decide is all that acts in a policy', () => {
    expect(Object.values(WISH_PATHS).flat().sort()).toEqual(Object.keys(ACTING_POLICY_VALUES).sort())
  })

  test('without leave: numbers and switches, and nothing that acts', () => {
    expect(grantedPart(ACTS, NO_GRANTS)).toStrictEqual({
      summary: { targetTokens: 7 },
      relevance: { cutoff: 0.2, embedder: { timeoutMs: 5 } },
      coldStorage: { days: 3 },
      logs: { drops: false },
      lines: { compact: { at: 0.4 } },
    })
    expect(wishesIn(grantedPart(ACTS, NO_GRANTS))).toEqual([])
    expect(wishesIn(ACTS).map(({ kind }) => kind)).toEqual([
      'summarizer',
      'embedder',
      'sessionModel',
      'coldStorage',
      'logs',
    ])
  })

  test('with leave for all of it: as it is, folders by their real paths', () => {
    const all = granted({
      summarizers: [{ model: 'openai/m', url: `${URL}/` }],
      embedders: [{ model: 'openai/e', url: URL }],
      sessionModel: true,
      folders: { '/x/cold': '/real/cold', '/x/logs': '/x/logs' },
    })
    expect(grantedPart(ACTS, all)).toEqual({ ...ACTS, coldStorage: { path: '/real/cold', days: 3 } })
  })

  test('U1: model and address are one: neither counts without the other as the operator wrote it', () => {
    const only = (model: string | null, url: string | null) =>
      grantedPart({ summary: { model: 'openai/m', url: URL } }, granted({ summarizers: [{ model, url }] }))
        .summary
    expect(only('openai/m', URL)).toEqual({ model: 'openai/m', url: URL })
    for (const [model, url] of [
      ['openai/m', null],
      [null, URL],
      ['openai/other', URL],
      ['openai/m', 'http://h.example'],
      ['openai/m', 'https://h.example/v1'],
    ] as const)
      expect(only(model, url)).toEqual({})
    // A model without an address is one at its provider's own, wherever the operator's own model is asked.
    const own = { summary: { model: 'openai/m' } }
    expect(grantedPart(own, granted({ summarizers: [{ model: 'openai/m', url: null }] })).summary).toEqual({
      model: 'openai/m',
      url: '',
    })
    expect(grantedPart(own, granted({ summarizers: [{ model: 'openai/m', url: URL }] })).summary).toEqual({})
  })

  test('U1: what names no model and no address needs no leave', () => {
    const numbers = { summary: { targetTokens: 7 }, relevance: { embedder: { timeoutMs: 5 } } }
    const one = [{ model: 'openai/m', url: URL }]
    expect(grantedPart(numbers, granted({ summarizers: one, embedders: one }))).toStrictEqual(numbers)
  })

  test('U2: a store may switch the session’s own model off, not on', () => {
    const main = (fallbackToMain: boolean, more = {}) =>
      grantedPart({ summary: { fallbackToMain } }, granted(more)).summary
    expect([main(true), main(false), main(true, { sessionModel: true })]).toEqual([
      {},
      { fallbackToMain: false },
      { fallbackToMain: true },
    ])
  })

  test('an empty name asks for nothing and takes nothing from the operator; hashed vectors ask no server', () => {
    const empty = { summary: { model: '', url: '' }, relevance: { embedder: { model: '' } } }
    expect(wishesIn(empty)).toEqual([])
    expect(grantedPart(empty, NO_GRANTS)).toEqual({ summary: {}, relevance: { embedder: {} } })
    const hash = { relevance: { embedder: { model: 'hash/x', url: '' } } }
    expect(grantedPart(hash, NO_GRANTS)).toEqual(hash)
    const asks = (model: string) => wishesIn({ relevance: { embedder: { model } } }).length
    expect(['HASH/x', 'hash/', 'hash', 'openai/hash/x'].map(asks)).toEqual([0, 0, 1, 1])
    expect(
      grantedPart({ relevance: { embedder: { model: 'hash/x', url: URL } } }, NO_GRANTS).relevance,
    ).toEqual({
      embedder: {},
    })
  })

  test('U1: an address alone may be granted; slashes at its end make no difference', () => {
    const grants = granted({ summarizers: [{ model: null, url: `${URL}//` }] })
    expect(grantedPart({ summary: { url: URL } }, grants).summary).toEqual({ url: URL })
    expect(grantedPart({ summary: { model: 'openai/m', url: URL } }, grants).summary).toEqual({})
    const provider = (url: string | null) =>
      isGranted(
        { kind: 'summarizer', endpoint: { model: 'openai/m', url: null } },
        granted({ summarizers: [{ model: 'openai/m', url }] }),
      )
    expect([provider(null), provider(''), provider('/'), provider(URL)]).toEqual([true, true, true, false])
  })

  test('leave for one kind is none for another', () => {
    const endpoint = { model: 'openai/m', url: URL }
    const wishes = [
      { kind: 'summarizer', endpoint },
      { kind: 'embedder', endpoint },
      { kind: 'sessionModel' },
      { kind: 'workspace', folder: '/w' },
    ] as const
    const allowed = (more: Partial<StoreGrants>) => wishes.map((wish) => isGranted(wish, granted(more)))
    expect(allowed({})).toEqual([false, false, false, false])
    expect(allowed({ summarizers: [endpoint] })).toEqual([true, false, false, false])
    expect(allowed({ embedders: [{ model: 'x', url: null }, endpoint] })).toEqual([false, true, false, false])
    expect(allowed({ sessionModel: true })).toEqual([false, false, true, false])
    expect(allowed({ folders: { '/w': '/w' } })).toEqual([false, false, false, true])
  })

  test('names of folders that every object inherits are no leave', () => {
    expect(grantedPart({ logs: { path: 'constructor' } }, NO_GRANTS)).toEqual({ logs: {} })
  })
})

describe('the policy of a session', () => {
  const file = (text: string) => readPolicy(parseSource(text, '/s/config.yaml'))
  const text = `policy:\n  summary: { model: openai/m, url: "${URL}" }\noverrides:\n  - session: "*"\n    policy: { summary: { url: "${URL}/more" }, logs: { path: /x } }\n`

  test('is what the operator says wherever a file of the store says more than it may', () => {
    const own = { label: 'own', file: file('policy: { summary: { model: mine/m, url: "http://mine" } }') }
    const subject = { ...NO_SUBJECT, session: ['s1'] }
    const store = [{ label: 'config.yaml', file: file(text) }]
    const { policy } = effectivePolicy({ own, store, chosen: null }, subject)
    expect(policy.summary).toMatchObject({ model: 'mine/m', url: 'http://mine' })
    expect(policy.logs.path).toBe(effectivePolicy({ own, store: [], chosen: null }, subject).policy.logs.path)
    const chosen = { label: 'config.yaml', preset: null, file: file(text) }
    expect(effectivePolicy({ own: null, store: [], chosen }, subject).policy.summary.url).toBe(`${URL}/more`)
  })

  test('what a store asks for is reported once, with its line, and not where the operator says the same', () => {
    const asks = policyAsks(null, [{ label: 'config.yaml', file: file(text) }])
    expect(asks.map(({ wish, line, allowed }) => [wish, line, allowed])).toEqual([
      [{ kind: 'summarizer', endpoint: { model: 'openai/m', url: URL } }, 2, false],
      [{ kind: 'summarizer', endpoint: { model: null, url: `${URL}/more` } }, 5, false],
      [{ kind: 'logs', folder: '/x' }, 5, false],
    ])
    const same = { label: 'own', file: file(`policy: { summary: { model: openai/m, url: "${URL}" } }`) }
    expect(policyAsks(same, [{ label: 'config.yaml', file: file(text) }])).toHaveLength(2)
  })

  test('what a store says several times it asks for once, and each file of it by itself', () => {
    const url = { summary: { url: URL } }
    const twice = file(JSON.stringify({ policy: url, overrides: [{ agent: 'a', policy: url }] }))
    const files = ['a.yaml', 'b.yaml'].map((label) => ({ label, file: twice }))
    expect(policyAsks(null, files).map(({ label }) => label)).toEqual(['a.yaml', 'b.yaml'])
  })

  test.each([
    [`summary: { url: "${URL}" }`, 'summary: { url: "http://other" }'],
    ['coldStorage: { path: /x }', 'coldStorage: { path: /y }'],
    ['logs: { path: /x }', 'logs: { path: /y }'],
    ['summary: { fallbackToMain: true }', 'summary: { fallbackToMain: false }'],
    ['summary: { model: openai/m }', 'summary: { model: openai/n }'],
    ['relevance: { embedder: { model: openai/e } }', 'relevance: { embedder: { model: openai/f } }'],
  ])('U1: a store asks for nothing with %s where the operator says so', (said, other) => {
    const store = [{ label: 'config.yaml', file: file(`policy: { ${said} }`) }]
    const own = (policy: string) => ({ label: 'own', file: file(`policy: { ${policy} }`) })
    expect(policyAsks(own(said), store)).toEqual([])
    expect(policyAsks(own(other), store)).toHaveLength(1)
  })
})
