import { describe, expect, it } from 'vitest'
import { readPolicy } from './read-policy'
import { resolvePolicy } from './resolve'
import { parseSource } from './source-tree'

const read = (text: string, file: string, includes: { [name: string]: string } = {}) =>
  readPolicy(parseSource(text, file), (path) =>
    path in includes ? parseSource(includes[path] ?? '', path) : null,
  )

const VS7 = `agents:
  defaults:
    contextManagement:
      enabled: true
      budget:
        systemPromptRatio: 0.15
        bootstrapRatio: 0.10
        historyRatio: 0.40
        responseRatio: 0.20
        minResponseTokens: 2048
      rollingSummary:
        enabled: true           # since the last release
        windowSize: 7
        summaryMaxTokens: 1500
        triggerThreshold: 20000
      semanticHistory:
        enabled: true
        maxRetrievedChunks: 3
        minRelevanceScore: 0.5
`

const MEMFAS = `COMPACTION_TRIGGER_PCT: 0.55
MAX_CONTEXT_PCT: 0.8
RELEVANCE_CUTOFF: 0.25
THRESHOLD_KEEP: 0.65
IMPORTANCE_BOOT: 0.15
MIN_CHUNKS_TO_KEEP: 4
COLD_STORAGE_PATH: ~/cold/
RECOVERABLE_FOR_DAYS: 14
`

describe('V6 the files of the seeds', () => {
  it('VS7', () => {
    const file = read(VS7, 'config.yaml')
    expect(file).toMatchObject({
      format: 'vs7',
      problems: [],
      patch: {
        budget: { enabled: true, historyRatio: 0.4, minResponseTokens: 2048 },
        summary: { rolling: { enabled: true, windowTurns: 7, maxTokens: 1500, triggerTokens: 20_000 } },
        semantic: { enabled: true, maxChunks: 3, minScore: 0.5 },
      },
    })
    expect(file.places['summary.rolling.windowTurns']).toEqual({
      key: 'agents.defaults.contextManagement.rollingSummary.windowSize',
      line: 13,
      file: 'config.yaml',
    })
  })

  it('H8 memfas in upper and lower case, with both spellings of the importance bonus', () => {
    const upper = read(MEMFAS, 'context-config.yaml')
    const lower = read(
      MEMFAS.toLowerCase().replace('importance_boot', 'importance_bonus'),
      'context-config.yaml',
    )
    expect(upper.problems).toEqual([])
    expect(upper.patch).toMatchObject({
      lines: { compact: { enabled: true, at: 0.55 }, hard: { at: 0.8 } },
      relevance: { cutoff: 0.25, keep: 0.65, importanceBonus: 0.15, minChunks: 4 },
      coldStorage: { path: '~/cold/', days: 14 },
    })
    expect(lower.patch).toEqual(upper.patch)
  })

  it('H8 an unknown memfas key is reported, not swallowed', () => {
    const { problems } = read(`${MEMFAS}RELEVANCE_CUT: 1\n`, 'context-config.yaml')
    expect(problems).toEqual([
      {
        severity: 'warning',
        file: 'context-config.yaml',
        line: 9,
        column: 1,
        key: 'RELEVANCE_CUT',
        message: 'unknown setting, passed over',
      },
    ])
  })

  it('C3 openclaw.json with comments, both generations of keys, channels and model windows', () => {
    const file = read(
      `{
  // the operator's own notes
  agents: { defaults: {
    contextTokens: 100000, bootstrapMaxChars: 12000,
    compaction: { mode: "safeguard", reserveTokensFloor: 25000, maxHistoryShare: 0.4, timeoutSeconds: 180, memoryFlush: { softThresholdTokens: 5000 } },
    contextPruning: { mode: 'cache-ttl', ttl: "1h", keepLastAssistants: 2 },
  } },
  channels: { telegram: { historyTurns: 50, dms: { "4.2": { historyLimit: 7 } } }, discord: { historyLimit: 9, dmHistoryLimit: 3 } },
  models: { providers: { fake: { apiKey: "x", models: [{ id: "fake-1.5", contextWindow: 64000 }] } } },
  gateway: { port: 1 },
}`,
      'openclaw.json',
    )
    expect(file.problems).toEqual([])
    const { policy } = resolvePolicy([{ level: 'store', label: 'f', patch: file.patch }])
    expect(policy.window).toMatchObject({ cap: 100_000, byModel: { 'fake-1.5': 64_000 } })
    expect(policy.compaction).toMatchObject({ mode: 'safeguard', timeoutMs: 180_000 })
    expect(policy.reserve.floor).toBe(25_000)
    expect(policy.history.maxShare).toBe(0.4)
    expect(policy.history.channels).toEqual({
      telegram: { dmTurns: 50, groupTurns: 50, users: { '4.2': 7 } },
      discord: { dmTurns: 3, groupTurns: 9, users: {} },
    })
    expect(policy.pruning.cacheTtl).toMatchObject({ enabled: true, ttlMs: 3_600_000, keepLastAssistants: 2 })
    expect(policy.bootstrap.maxCharsPerFile).toBe(12_000)
    expect(policy.flush.softThresholdTokens).toBe(5000)
  })

  it('openclaw.json may include other files; what is in the file itself wins', () => {
    const file = read(
      `{ agents: { $include: "agents.json5", defaults: { compaction: { mode: "default" } } } }`,
      'openclaw.json',
      {
        'agents.json5': `{ defaults: { compaction: { mode: "safeguard", keepRecentTokens: 9000 } } }`,
      },
    )
    expect(file.problems).toEqual([])
    expect(file.patch).toMatchObject({ compaction: { mode: 'default', keepRecentTokens: 9000 } })
    expect(file.places['compaction.keepRecentTokens']?.file).toBe('agents.json5')
  })

  it('says which include is missing, or includes itself', () => {
    const missing = read(
      `{ "$include": ["nobody.json"], agents: { defaults: { contextTokens: 5 } } }`,
      'openclaw.json',
    )
    expect(missing.problems).toMatchObject([
      { severity: 'error', line: 1, message: 'cannot include "nobody.json"' },
    ])
    const ring = read(`{ $include: "openclaw.json" }`, 'openclaw.json', {
      'openclaw.json': '{ $include: "openclaw.json" }',
    })
    expect(ring.problems).toMatchObject([{ message: '"openclaw.json" includes itself' }])
  })

  it('U1 GoClaw', () => {
    const file = read(
      '{"session":{"compaction":{"ollama":{"url":"http://localhost:11434","model":"qwen2.5:7b"}}},"promptCache":{"pollInterval":0}}',
      'goclaw.json',
    )
    expect(file.problems).toEqual([])
    expect(file.patch).toMatchObject({
      summary: { url: 'http://localhost:11434', model: 'ollama/qwen2.5:7b' },
      promptCache: { pollSeconds: 0 },
    })
  })

  it('our own file: preset, values by path, overrides', () => {
    const file = read(
      `policy:
  preset: vs7
  lines:
    compact: { enabled: true, at: 0.6 }
overrides:
  - agent: main
    policy: { history: { maxTurns: 12 } }
  - model: "claude-*"
    policy:
      window: { cap: 150000 }
`,
      'plimsoll.yaml',
    )
    expect(file).toMatchObject({
      format: 'plimsoll',
      preset: 'vs7',
      patch: { lines: { compact: { enabled: true, at: 0.6 } } },
      overrides: [
        { key: 'agent', match: 'main', patch: { history: { maxTurns: 12 } } },
        { key: 'model', match: 'claude-*', patch: { window: { cap: 150_000 } } },
      ],
      problems: [],
    })
  })
})

describe('V5 bad input names file, line and key', () => {
  const problem = (text: string, file = 'plimsoll.yaml') => read(text, file).problems[0]

  it.each([
    ['policy:\n  budget:\n    historyRatio: 1.5\n', 3, 'policy.budget.historyRatio', /from 0 to 1/],
    ['policy:\n  budget:\n    historyRatio: -0.5\n', 3, 'policy.budget.historyRatio', /from 0 to 1/],
    [
      'policy:\n  budget:\n    historyRatio: lots\n',
      3,
      'policy.budget.historyRatio',
      /"lots" is not allowed/,
    ],
    ['policy:\n  lines:\n    compact: 0.5\n', 3, 'policy.lines.compact', /group of settings/],
    ['policy:\n  preset: nobody\n', 2, 'policy.preset', /use one of default, openclaw/],
    ['overrides:\n  - policy: {}\n', 2, 'overrides[0]', /names one of store, agent/],
  ])('%j', (text, line, key, message) => {
    expect(problem(text)).toMatchObject({ severity: 'error', file: 'plimsoll.yaml', line, key })
    expect(problem(text)?.message).toMatch(message)
  })

  it('what only one format warns about is nothing in files of others', () => {
    const text = '{ profile: "x", agents: { defaults: { contextTokens: 5 } } }'
    expect(read(text, 'openclaw.json').problems).toEqual([])
  })

  it('unknown keys are warnings', () => {
    expect(problem('policy:\n  budgets:\n    x: 1\n')).toMatchObject({
      severity: 'warning',
      line: 2,
      key: 'policy.budgets',
    })
  })

  it('a group in which nothing is known is one warning, for what is in it', () => {
    const text =
      '{ "agents": { "defaults": { "contextTokens": 5, "compaction": { "memoryFlush": { "colour": 1 } } } } }'
    const { problems } = readPolicy(parseSource(text, 'openclaw.json'))
    expect(problems.map(({ severity, key }) => [severity, key])).toEqual([
      ['warning', 'agents.defaults.compaction.memoryFlush.colour'],
    ])
  })

  it('duplicate keys are errors, in YAML and in JSON', () => {
    expect(problem('policy:\n  lines: {}\n  lines: {}\n')).toMatchObject({ severity: 'error', line: 3 })
    expect(problem('{\n"agents": {},\n"agents": {}\n}', 'openclaw.json')).toMatchObject({
      severity: 'error',
      line: 3,
    })
  })

  it('faults of the syntax carry their line', () => {
    expect(problem('policy: [1\n', 'plimsoll.yaml')).toMatchObject({ severity: 'error' })
    expect(problem('{\n  "a": \n}', 'openclaw.json')).toMatchObject({ severity: 'error', line: 3 })
  })

  it('an alias of a map is refused instead of being followed round in circles', () => {
    expect(problem('policy: &p\n  lines: *p\n')).toMatchObject({ severity: 'error', line: 2 })
  })

  it('an empty file and a file of something else say nothing about the policy', () => {
    expect(read('', 'plimsoll.yaml')).toMatchObject({ format: 'empty', problems: [] })
    expect(read('a: 1\n', 'x.yaml')).toMatchObject({ format: 'none', patch: {} })
  })
})
