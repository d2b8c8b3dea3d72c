import { describe, expect, it } from 'vitest'
import { foreignChanges, isLockedForPages, lockedChanges } from './web-lock'

const hooks = (value: unknown) => ({ hooks: value })

describe('two versions of a settings file say the same', () => {
  it.each([
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [{ a: 1, b: '' }, { a: 1 }],
    [{ a: 1, b: {}, c: [], d: null }, { a: 1 }],
    [{ a: '' }, null],
    [{ a: [null, 1] }, { a: ['', 1] }],
  ])('%j and %j', (before, after) => {
    expect(lockedChanges(hooks(before), hooks(after))).toEqual([])
    expect(lockedChanges(hooks(after), hooks(before))).toEqual([])
  })

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: [null, 1] }, { a: [1] }],
    [{ a: false }, {}],
    [{ a: 0 }, { a: null }],
    [{ a: [''] }, { a: [] }],
    [{ a: 1 }, JSON.parse('{ "a": 1, "__proto__": { "b": 2 } }')],
  ])('not %j and %j', (before, after) => {
    expect(lockedChanges(hooks(before), hooks(after))).toEqual([{ keys: ['hooks'], wanted: after }])
  })
})

describe('X20 what pages may change of our settings file', () => {
  it.each([
    [{ policy: { lines: { compact: { at: 0.5 } } } }, { policy: { lines: { compact: { at: 0.6 } } } }],
    [{ prices: { m: { input: 1 } } }, { backups: { keep: '60d' } }],
    [{}, { overrides: [{ agent: 'a', policy: { window: { cap: 9 } } }] }],
    [null, { policy: { summary: { model: 'openai/m' } } }],
    [
      { overrides: [{ agent: 'a', policy: { summary: { model: 'openai/m' } } }] },
      { overrides: [{ agent: 'b', policy: { summary: { model: 'openai/n' } } }] },
    ],
    [
      { overrides: [{ agent: 'a', policy: { summary: { url: 'http://h' }, window: { cap: 8 } } }] },
      { overrides: [{ agent: 'a', policy: { summary: { url: 'http://h' }, window: { cap: 9 } } }] },
    ],
  ])('numbers, switches and names: %j to %j', (before, after) => {
    expect(lockedChanges(before, after)).toEqual([])
  })

  it('not addresses and folders of the policy, one by one', () => {
    const wanted = { summary: { url: 'http://h' }, logs: { path: '/x' }, coldStorage: { path: '/c' } }
    expect(lockedChanges({ policy: {} }, { policy: wanted })).toEqual(
      expect.arrayContaining([
        { keys: ['policy', 'summary', 'url'], wanted: 'http://h' },
        { keys: ['policy', 'logs', 'path'], wanted: '/x' },
        { keys: ['policy', 'coldStorage', 'path'], wanted: '/c' },
      ]),
    )
    expect(lockedChanges({ policy: wanted }, { policy: wanted })).toEqual([])
    expect(['summary.url', 'summary.model', 'toString'].map(isLockedForPages)).toEqual([true, false, false])
  })

  it('nor for whom an override names one', () => {
    const of = (agent: string, url: string) => ({ overrides: [{ agent, policy: { summary: { url } } }] })
    expect(lockedChanges(of('a', 'http://h'), of('a', 'http://h'))).toEqual([])
    for (const [before, after] of [
      [of('a', 'http://h'), of('b', 'http://h')],
      [of('a', 'http://h'), of('a', 'http://g')],
      [of('a', ''), of('a', 'http://h')],
      [of('a', 'http://h'), {}],
    ])
      expect(lockedChanges(before, after).map(({ keys }) => keys)).toEqual([['overrides']])
    expect(lockedChanges({ overrides: 'none' }, { overrides: [{ agent: 'a' }] })).toEqual([])
  })

  it('nor a part that is not known', () => {
    expect(lockedChanges({}, { stores: ['/srv'] })).toEqual([{ keys: ['stores'], wanted: ['/srv'] }])
  })
})

describe('X20 what pages may change of a file of a runtime', () => {
  const read = [
    { key: 'agents.defaults.compaction.reserveTokens', path: 'reserve.tokens' },
    { key: 'tools.allow', path: 'pruning.cacheTtl.allow' },
    { key: 'summarizer.url', path: 'summary.url' },
    { key: 'models.providers.p.models[0]', path: 'window.byModel.m' },
  ]
  const at = (keys: readonly string[], value: unknown): unknown =>
    keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  const changed = (keys: readonly string[], before: unknown, after: unknown) =>
    foreignChanges(at(keys, before), at(keys, after), read).map((one) => one.keys.join(' '))

  it('values that the policy is read from, single or in lists', () => {
    expect(changed(['agents', 'defaults', 'compaction', 'reserveTokens'], 1, 2)).toEqual([])
    expect(changed(['agents', 'defaults', 'compaction', 'reserveTokens'], undefined, 2)).toEqual([])
    expect(changed(['tools', 'allow'], ['a'], ['a', 'b'])).toEqual([])
    expect(changed(['tools', 'allow'], undefined, { a: { b: 1 } })).toEqual([])
  })

  it('the windows of models and the switches of the provider', () => {
    const models = (window: number) => [{ id: 'm', contextWindow: window }]
    expect(changed(['models', 'providers', 'p', 'models'], models(1), models(2))).toEqual([])
    expect(changed(['agents', 'defaults', 'params', 'responsesCompactThreshold'], 1, 2)).toEqual([])
  })

  it('nothing else, not even beside them', () => {
    expect(changed(['gateway', 'command'], 'a', 'b')).toEqual(['gateway command'])
    expect(changed(['agents', 'defaults', 'compaction', 'reserveTokensMore'], 1, 2)).toEqual([
      'agents defaults compaction reserveTokensMore',
    ])
    expect(changed(['summarizer', 'url'], 'http://a', 'http://b'), 'an address').toEqual(['summarizer url'])
    const models = (id: string) => [{ id, contextWindow: 1 }]
    expect(changed(['models', 'providers', 'p', 'models'], models('m'), models('n'))).toEqual([
      'models providers p models [0] id',
    ])
  })

  it('the outermost value whose kind changes, with what it was to become', () => {
    expect(foreignChanges({ a: { b: 1 } }, { a: 'x' }, [])).toEqual([{ keys: ['a'], wanted: 'x' }])
    expect(foreignChanges({ a: [1] }, { a: { b: 1 } }, [])).toEqual([{ keys: ['a'], wanted: { b: 1 } }])
    expect(foreignChanges({ a: 1 }, { a: [2] }, [])).toEqual([{ keys: ['a'], wanted: [2] }])
    expect(foreignChanges({ a: '' }, { a: { b: 1, c: '' } }, [])).toEqual([{ keys: ['a', 'b'], wanted: 1 }])
    expect(foreignChanges({ a: [1, 2] }, { a: [1] }, [])).toEqual([{ keys: ['a', '[1]'], wanted: undefined }])
    expect(foreignChanges({ a: { b: 1 } }, {}, [])).toEqual([{ keys: ['a', 'b'], wanted: undefined }])
  })

  it('a key that every object inherits is a key like others', () => {
    const after = JSON.parse('{ "a": 1, "constructor": 2 }')
    expect(foreignChanges({ a: 1 }, after, [])).toEqual([{ keys: ['constructor'], wanted: 2 }])
  })
})
