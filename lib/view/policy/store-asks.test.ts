import { expect, test } from 'vitest'
import { parseSettings } from '../../config/settings'
import type { Wish } from '../../core/policy/store-grants'
import { allowLines, askText, storeAsksView } from './store-asks'

const WISHES: readonly Wish[] = [
  { kind: 'summarizer', endpoint: { model: 'ollama/qwen2.5:7b', url: 'http://localhost:11434' } },
  { kind: 'summarizer', endpoint: { model: 'openai/m', url: null } },
  { kind: 'embedder', endpoint: { model: null, url: 'http://h/v1' } },
  { kind: 'sessionModel' },
  { kind: 'logs', folder: '/srv/it’s: a "folder"\n- # x' },
  { kind: 'coldStorage', folder: '/srv/cold' },
  { kind: 'workspace', folder: '/srv/cold' },
]

test('U1: the lines allow exactly what is asked for, whatever is written in it', () => {
  const text = allowLines('/home/a/.openclaw', WISHES)
  const read = parseSettings('/p/plimsoll.yaml', text, '/home/a')
  expect(read).toMatchObject({ ok: true, warnings: [] })
  expect(read.settings.stores).toEqual([
    {
      path: '/home/a/.openclaw',
      kind: null,
      runtime: null,
      allow: {
        summarizers: [
          { model: 'ollama/qwen2.5:7b', url: 'http://localhost:11434' },
          { model: 'openai/m', url: null },
        ],
        embedders: [{ model: null, url: 'http://h/v1' }],
        sessionModel: true,
        folders: ['/srv/it’s: a "folder"\n- # x', '/srv/cold'],
        openclaw: false,
      },
    },
  ])
  expect(allowLines('/s', [])).toBe('')
})

test('each wish is a sentence, and only what is not allowed yet has lines', () => {
  expect(WISHES.slice(0, 4).map(askText)).toEqual([
    'This store asks for summaries by ollama/qwen2.5:7b at http://localhost:11434',
    'This store asks for summaries by openai/m at the address of its provider',
    'This store asks for a comparison of texts at http://h/v1',
    'This store asks that the model of a session may write its summaries',
  ])
  const asks = WISHES.map((wish, i) => ({ wish, label: '/s/a.json', line: i, allowed: i < 6 }))
  const view = storeAsksView({ path: '/s', asks })
  expect(view.lines).toBe('stores:\n  - path: /s\n    allow:\n      folders:\n        - /srv/cold\n')
  expect(view.asks[2]).toMatchObject({ where: '/s/a.json:2', allowed: true })
})

test('Q10: a credential in an address is covered', () => {
  const token = ['gh', 'p_', 'Zx81Qw72Er63Ty54Ui45', Math.random().toString(36).slice(2, 14)].join('')
  const wish: Wish = {
    kind: 'summarizer',
    endpoint: { model: 'm', url: `http://h/v1?access_token=${token}` },
  }
  const view = storeAsksView({ path: '/s', asks: [{ wish, label: '/s/a', line: 1, allowed: false }] })
  expect(JSON.stringify(view)).not.toContain(token)
  expect(view.asks[0]?.text).toContain('http://h/v1')
})

test('Q10: a credential in the path of a store, or of its file, is covered', () => {
  const token = ['gh', 'p_', 'Zx81Qw72Er63Ty54Ui45', Math.random().toString(36).slice(2, 14)].join('')
  const asks = [3, null].map((line) => ({
    ...{ wish: { kind: 'sessionModel' } as const, allowed: false },
    ...{ label: `/s/${token}/openclaw.json`, line },
  }))
  const view = storeAsksView({ path: `/s/${token}`, asks })
  expect(JSON.stringify(view)).not.toContain(token)
  expect(view.path).toMatch(/^\/s\/./)
  expect(view.asks.map(({ where }) => where)).toEqual([
    expect.stringMatching(/openclaw\.json:3$/),
    expect.stringMatching(/openclaw\.json$/),
  ])
})
