import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../core/policy/read-policy'
import { resolvePolicy } from '../../core/policy/resolve'
import { parseSource } from '../../core/policy/source-tree'
import { runtimePolicyWith } from '../../testing/builders/runtime-policy'
import { effectiveView, type PolicySession } from './policy-effective'
import { parsePolicyLink, policyLink } from './policy-link'
import { comparePolicies, policyColumns } from './policy-presets'
import { secretRanges, withoutSecrets } from './policy-secrets'

const file = (text: string, label: string) => ({ label, file: readPolicy(parseSource(text, label)) })

const OWN = file(
  `policy:
  preset: openclaw
  history: { maxTurns: 30 }
overrides:
  - agent: harbour
    policy: { lines: { compact: { enabled: true, at: 0.6 } } }
  - model: "gpt-*"
    policy: { window: { cap: 100000 } }
`,
  'plimsoll.yaml',
)
const STORE = file(
  '{ agents: { defaults: { compaction: { reserveTokensFloor: 30000 } } }, channels: { telegram: { dmHistoryLimit: 7 } } }',
  'openclaw.json',
)

const SESSION: PolicySession = {
  runtime: runtimePolicyWith(),
  id: 'abc',
  title: 'Report',
  place: 'harbour',
  key: 'agent:harbour:telegram:direct:42',
  subject: {
    store: ['s', '/home/op/.openclaw'],
    agent: 'harbour',
    channel: 'telegram',
    model: 'claude-x',
    session: ['abc', 'agent:harbour:telegram:direct:42'],
  },
  storeLabel: 'openclaw',
  storeFiles: ['/home/op/.openclaw/openclaw.json'],
  window: { tokens: 200_000, source: 'model' },
}

describe('X9 the effective policy of a session', () => {
  const view = effectiveView({ own: OWN, store: [STORE], chosen: null }, SESSION)
  const row = (path: string) => view.rows.find((candidate) => candidate.path === path)

  it('names value, level and file of every value', () => {
    expect(row('lines.compact.at')).toMatchObject({
      value: '60\u202f%',
      level: 'agent',
      origin: 'plimsoll.yaml, agent harbour',
    })
    expect(row('reserve.floor')).toMatchObject({ level: 'store', origin: 'openclaw.json' })
    expect(row('lines.curate.enabled')).toMatchObject({
      value: 'off',
      level: 'preset',
      origin: 'preset openclaw',
    })
    expect(row('history.maxTurns')).toMatchObject({ level: 'own file', origin: 'plimsoll.yaml' })
    expect(row('relevance.cutoff')).toMatchObject({ level: 'default', origin: 'default' })
    expect(row('history.channels.telegram.dmTurns')).toMatchObject({ value: '7\u00a0turns', level: 'store' })
  })

  it('says which overrides are about it, and how many values each layer decides', () => {
    expect(view.overrides).toEqual([
      { n: 1, key: 'agent', match: 'harbour', applies: true },
      { n: 2, key: 'model', match: 'gpt-*', applies: false },
    ])
    expect(view.layers.map((layer) => [layer.level, layer.label])).toEqual([
      ['default', 'default'],
      ['preset', 'preset openclaw'],
      ['own file', 'plimsoll.yaml'],
      ['store', 'openclaw.json'],
      ['agent', 'plimsoll.yaml, agent harbour'],
    ])
    expect(view.layers.reduce((sum, layer) => sum + layer.values, 0)).toBe(view.rows.length)
  })

  it('A10 A11 A18 C2 says what follows from it', () => {
    const facts = Object.fromEntries(view.facts.map((fact) => [fact.label, fact]))
    expect(facts['Effective budget']?.value).toBe('170\u202f000')
    expect(facts['Working space']?.value).toBe('70\u202f000')
    expect(facts['Turns sent']).toEqual({
      label: 'Turns sent',
      value: '7',
      note: 'the rule of the channel for direct chats',
    })
    expect(view.lines.map((line) => line.label)).toEqual(['compact 120k', 'hard 170k'])
  })

  it('A8 a cap of the policy beats the window that was read', () => {
    const capped = effectiveView(
      { own: OWN, store: [], chosen: null },
      {
        ...SESSION,
        subject: { ...SESSION.subject, model: 'gpt-5' },
        window: { tokens: 272_000, source: 'index' },
      },
    )
    expect(capped.facts[0]).toEqual({
      label: 'Window',
      value: '100\u202f000',
      note: 'capped by the policy; the model could 272k',
    })
  })
})

describe('X8 presets side by side', () => {
  it('lists what differs, held against the own policy', () => {
    const own = resolvePolicy([{ level: 'preset', label: '', patch: { reserve: { tokens: 1 } } }]).policy
    const columns = policyColumns({ title: 'plimsoll.yaml', policy: own }, 200_000)
    const rows = comparePolicies(columns, 0)
    expect(columns.map((column) => column.id).slice(0, 3)).toEqual(['own', 'default', 'openclaw'])
    const reserve = rows.find((row) => row.path === 'reserve.tokens')
    expect(reserve?.cells.slice(0, 3)).toEqual([
      { text: '1\u00a0tokens', differs: false },
      { text: '20\u202f000\u00a0tokens', differs: true },
      { text: '16\u202f384\u00a0tokens', differs: true },
    ])
    expect(rows.some((row) => row.path === 'relevance.cutoff')).toBe(false)
    expect(columns.find((column) => column.id === 'memfas')?.lines.map((line) => line.label)).toEqual([
      'curate 80k',
      'compact 100k',
      'hard 170k',
    ])
  })
})

describe('X8 values in an address', () => {
  it('come back as they were; what is not allowed is left out', () => {
    const changes = {
      'lines.compact.at': 0.6,
      'lines.flush.at': [0.5, 0.9],
      'summary.model': 'a/b=c',
      'window.cap': null,
    }
    const url = new URL(policyLink(changes), 'http://localhost')
    expect(url.pathname).toBe('/policies')
    expect(parsePolicyLink(url.searchParams.getAll('set'))).toEqual(changes)
    expect(
      parsePolicyLink(['lines.compact.at=7', 'nothing.here=1', 'reserve.tokens', '__proto__.x=1', 'a={']),
    ).toEqual({})
    expect(policyLink({})).toBe('/policies')
  })
})

describe('credentials in a configuration file', () => {
  const text = `{
  gateway: { auth: { token: "abcdefgh" }, port: 1 },
  models: { providers: { x: { apiKey: 'sk-live', baseUrl: "https://host" } } },
  env: ["see sk-abcdefghijklmnop12 there"], contextTokens: 100000, tokenBudget: 'short'
}`

  it('are found by the name of their key and by their form', () => {
    expect(secretRanges(text, 'openclaw.json').map(({ start, end }) => text.slice(start, end))).toEqual([
      '"abcdefgh"',
      "'sk-live'",
      'sk-abcdefghijklmnop12',
    ])
    expect(secretRanges('policy:\n  ledger: { systemPromptTokens: 5 }\n', 'a.yaml')).toEqual([])
  })

  it('are covered without moving anything', () => {
    const covered = withoutSecrets(text, 'openclaw.json')
    expect(covered).toHaveLength(text.length)
    expect(covered).not.toMatch(/abcdefgh|sk-live/)
    expect(covered.split('\n')).toHaveLength(text.split('\n').length)
  })
})
