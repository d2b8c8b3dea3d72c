import { describe, expect, it } from 'vitest'
import { editSource } from '../edit-source'
import { holdingKeys, planEdits } from '../policy-edits'
import { readPolicy } from '../read-policy'
import { valueAt } from '../resolve'
import { parseSource } from '../source-tree'

/** What a file says of one value: the value and the key that says so, or what is wrong. */
function reads(text: string, file: string, path: string): unknown[] {
  const { patch, places, problems } = readPolicy(parseSource(text, file))
  if (problems.length > 0) return problems.map(({ severity, key }) => `${severity} ${key}`)
  return [valueAt(patch, path), places[path]?.key]
}

/** The file's text with a value set, or null where it has no key for it. */
function written(text: string, file: string, path: string, value: unknown): string | null {
  const source = parseSource(text, file)
  const { edits, unsupported } = planEdits(readPolicy(source), { [path]: value })
  return unsupported.length > 0 ? null : editSource(source, edits)
}

/** The keys that hold a value, dotted. */
const holder = (text: string, file: string, path: string) =>
  holdingKeys(readPolicy(parseSource(text, file)), path)?.join('.') ?? null

const inDefaults = (part: string) => (inside: string) => `{ agents: { defaults: { ${part}: ${inside} } } }`
const compaction = inDefaults('compaction')
const pruning = inDefaults('contextPruning')
const COMPACTION = 'agents.defaults.compaction'
const MODE = 'compaction.mode'

describe('V6 OpenClaw: whether it compacts, and how', () => {
  it.each<[string, unknown[]]>([
    ['{ mode: "default" }', ['default', `${COMPACTION}.mode`]],
    ['{ enabled: true, mode: "default" }', ['default', `${COMPACTION}.mode`]],
    ['{ enabled: false, mode: "safeguard" }', ['off', `${COMPACTION}.enabled`]],
    ['{ mode: "safeguard", enabled: false }', ['off', `${COMPACTION}.enabled`]],
    ['{ enabled: false }', ['off', `${COMPACTION}.enabled`]],
    ['{ enabled: true }', [undefined, undefined]],
    ['{ enabled: "no" }', [`error ${COMPACTION}.enabled`]],
  ])('%s', (inside, expected) => {
    expect(reads(compaction(inside), 'openclaw.json', MODE)).toEqual(expected)
  })

  it.each<[string, string, string]>([
    ['{ keepRecentTokens: 1 }', 'default', '{ keepRecentTokens: 1, mode: "default" }'],
    ['{ keepRecentTokens: 1 }', 'safeguard', '{ keepRecentTokens: 1, mode: "safeguard" }'],
    ['{ keepRecentTokens: 1 }', 'off', '{ keepRecentTokens: 1, enabled: false }'],
    ['{ mode: "safeguard" }', 'off', '{ mode: "safeguard", enabled: false }'],
    ['{ mode: "safeguard", enabled: false }', 'safeguard', '{ mode: "safeguard", enabled: true }'],
    ['{ enabled: false }', 'default', '{ enabled: true, mode: "default" }'],
    ['{ enabled: true, mode: "default" }', 'safeguard', '{ enabled: true, mode: "safeguard" }'],
    ['{ enabled: true, mode: "default" }', 'off', '{ enabled: false, mode: "default" }'],
  ])('%s, set to %s, becomes %s and is read back as that', (before, mode, after) => {
    const text = written(compaction(before), 'openclaw.json', MODE, mode)
    expect(text).toBe(compaction(after))
    expect(reads(text ?? '', 'openclaw.json', MODE)[0]).toBe(mode)
  })

  it('a mode that there is not has no place in it', () => {
    expect(written(compaction('{ enabled: false }'), 'openclaw.json', MODE, 'always')).toBeNull()
  })

  it('its mode is looked for where the file says it', () => {
    expect(holder(compaction('{ mode: "default" }'), 'openclaw.json', MODE)).toBe(`${COMPACTION}.mode`)
    expect(holder(compaction('{ enabled: false }'), 'openclaw.json', MODE)).toBe(`${COMPACTION}.enabled`)
    expect(holder(compaction('{ keepRecentTokens: 1 }'), 'openclaw.json', MODE)).toBe(`${COMPACTION}.mode`)
  })
})

describe('V6 OpenClaw: pruning and the flush of memory', () => {
  it.each<[string, unknown[]]>([
    ['{ mode: "cache-ttl" }', [true, 'agents.defaults.contextPruning.mode']],
    ['{ mode: "off" }', [false, 'agents.defaults.contextPruning.mode']],
    ['{ mode: "always" }', ['error agents.defaults.contextPruning.mode']],
  ])('pruning %s', (inside, expected) => {
    expect(reads(pruning(inside), 'openclaw.json', 'pruning.cacheTtl.enabled')).toEqual(expected)
  })

  it('pruning is switched by its mode', () => {
    const set = (value: boolean) =>
      written(pruning('{ ttl: "5m" }'), 'openclaw.json', 'pruning.cacheTtl.enabled', value)
    expect(set(true)).toBe(pruning('{ ttl: "5m", mode: "cache-ttl" }'))
    expect(set(false)).toBe(pruning('{ ttl: "5m", mode: "off" }'))
  })

  it('F3 one prompt for the flush is read and written; several have no place there', () => {
    const flush = (inside: string) => compaction(`{ memoryFlush: ${inside} }`)
    const file = flush('{ prompt: "Save." }')
    expect(reads(file, 'openclaw.json', 'flush.prompts')[0]).toEqual(['Save.'])
    expect(reads(flush('{ prompt: 5 }'), 'openclaw.json', 'flush.prompts')).toEqual([
      `error ${COMPACTION}.memoryFlush.prompt`,
    ])
    const [problem] = readPolicy(parseSource(flush('{ prompt: 5 }'), 'openclaw.json')).problems
    expect(problem?.message, 'the value as it is written').toMatch(/^5 /)
    const set = (value: unknown) => written(file, 'openclaw.json', 'flush.prompts', value)
    expect(set(['Keep it.'])).toBe(flush('{ prompt: "Keep it." }'))
    expect(set([])).toBe(flush('{ prompt: "" }'))
    expect(set(['One.', 'Two.'])).toBeNull()
    expect(set('Keep it.')).toBeNull()
    expect(holder(file, 'openclaw.json', 'flush.prompts')).toBe(`${COMPACTION}.memoryFlush.prompt`)
  })
})

describe('V5 what is of another type than its key has is named with its key, and what it must be', () => {
  const problems = (text: string, file: string) =>
    readPolicy(parseSource(text, file)).problems.map(
      ({ severity, line, key, message }) => `${severity} ${line} ${key}: ${message}`,
    )

  it.each<[string, string, string]>([
    ['error', 'memoryFlush.prompt', '["Save."]'],
    ['error', 'memoryFlush.systemPrompt', '["Save."]'],
    ['error', 'model', '["opus"]'],
    ['warning', 'memoryFlush.model', '["opus"]'],
    ['warning', 'customInstructions', '["Be brief."]'],
    ['warning', 'provider', '["openai"]'],
    ['warning', 'thinkingLevel', '["low"]'],
    ['warning', 'postIndexSync', '["async"]'],
  ])('%s: OpenClaw, a list as %s', (severity, key, value) => {
    const inside = key.split('.').reduceRight((inner, name) => `{\n${name}: ${inner} }`, value)
    const [found, ...more] = problems(compaction(inside), 'openclaw.json')
    expect(more).toEqual([])
    const line = key.split('.').length + 1
    expect(found).toMatch(`${severity} ${line} ${COMPACTION}.${key}: a list is not allowed here: a text`)
    expect(readPolicy(parseSource(compaction(inside), 'openclaw.json')).patch).toEqual({})
  })

  it.each([
    ['prompt', '{ text: "Save." }', 'a group'],
    ['systemPrompt', '{ text: "Save." }', 'a group'],
    ['prompt', 'null', 'null'],
    ['systemPrompt', 'true', 'true'],
  ])('OpenClaw, as memoryFlush.%s: %s', (key, value, name) => {
    expect(problems(compaction(`{ memoryFlush: { ${key}: ${value} } }`), 'openclaw.json')[0]).toMatch(
      `error 1 ${COMPACTION}.memoryFlush.${key}: ${name} is not allowed here: a text`,
    )
  })

  it('OpenClaw, a list as the text that is left of a result', () => {
    expect(problems(pruning('{ hardClear: { placeholder: ["gone"] } }'), 'openclaw.json')[0]).toMatch(
      'error 1 agents.defaults.contextPruning.hardClear.placeholder: a list is not allowed here: a text',
    )
  })

  it('what must be a word or a switch is none of another type, and no word of ours', () => {
    const mode = 'error 1 agents.defaults.contextPruning.mode'
    expect(problems(pruning('{ mode: true }'), 'openclaw.json')).toEqual([
      `${mode}: true is not allowed here: one of cache-ttl, off`,
    ])
    expect(problems(compaction('{ enabled: "safeguard" }'), 'openclaw.json')).toEqual([
      `error 1 ${COMPACTION}.enabled: "safeguard" is not allowed here: true or false`,
    ])
    expect(problems('{ compaction: { enabled: "off" } }', 'settings.json')).toEqual([
      'error 1 compaction.enabled: "off" is not allowed here: true or false',
    ])
  })

  it('what is of its type is taken without a word', () => {
    const texts = '{ customInstructions: "a", provider: "b", thinkingLevel: "low", postIndexSync: "off" }'
    expect(problems(compaction(texts), 'openclaw.json')).toEqual([])
    expect(problems(compaction('{ memoryFlush: { model: "a", prompt: "b" } }'), 'openclaw.json')).toEqual([])
  })
})

describe('V6 pi: settings.json', () => {
  it.each<[string, string, unknown[]]>([
    ['{ compaction: { enabled: true } }', MODE, ['default', 'compaction.enabled']],
    ['{ compaction: { enabled: false } }', MODE, ['off', 'compaction.enabled']],
    ['{ compaction: { enabled: 1 } }', MODE, ['error compaction.enabled']],
    ['{ compaction: { reserveTokens: 9 } }', 'reserve.tokens', [9, 'compaction.reserveTokens']],
    [
      '{ compaction: { keepRecentTokens: 7 } }',
      'compaction.keepRecentTokens',
      [7, 'compaction.keepRecentTokens'],
    ],
    ['{ compaction: { reserveTokens: 9, reserve: 1 } }', 'reserve.tokens', ['warning compaction.reserve']],
    ['{ branchSummary: { reserveTokens: 5 }, theme: "dark" }', 'reserve.tokens', [undefined, undefined]],
  ])('%s: %s', (text, path, expected) => {
    expect(reads(text, 'settings.json', path)).toEqual(expected)
    expect(readPolicy(parseSource(text, 'settings.json')).format).toBe('pi')
  })

  it('compaction is switched on or off; pi has no other mode, and no key for what it does not do', () => {
    const file = '{ compaction: { reserveTokens: 9 } }'
    const set = (path: string, value: unknown) => written(file, 'settings.json', path, value)
    expect(set(MODE, 'off')).toBe('{ compaction: { reserveTokens: 9, enabled: false } }')
    expect(set(MODE, 'default')).toBe('{ compaction: { reserveTokens: 9, enabled: true } }')
    expect(set(MODE, 'safeguard')).toBeNull()
    expect(set('lines.curate.at', 0.5)).toBeNull()
    expect(set('no.such.value', 1)).toBeNull()
    expect(holder(file, 'settings.json', 'no.such.value')).toBeNull()
  })
})

describe('V6 limits of channels and users', () => {
  const keys = (text: string, path: string) =>
    holdingKeys(readPolicy(parseSource(text, 'openclaw.json')), path)

  it('are held under the names that the operator chose, with their dots', () => {
    const file = '{ channels: { "a.b": { dmHistoryLimit: 7, dms: { x: { historyLimit: 3 } } } } }'
    expect(keys(file, 'history.channels.a\\.b.dmTurns')).toEqual(['channels', 'a.b', 'dmHistoryLimit'])
    expect(keys(file, 'history.channels.a\\.b.users.y')).toEqual([
      ...['channels', 'a.b', 'dms', 'y', 'historyLimit'],
    ])
  })

  it('are held one by one: all users of a channel have no key', () => {
    const file = '{ channels: { a: { dmHistoryLimit: 7 } } }'
    expect(keys(file, 'history.channels.a.users')).toBeNull()
    expect(written(file, 'openclaw.json', 'history.channels.a.users', { x: 3 })).toBeNull()
  })
})

describe('V6 our own file, and one that is empty', () => {
  it.each(['', 'policy: {}\n'])('%j holds every value of the policy under its path, and no other', (text) => {
    const file = readPolicy(parseSource(text, 'plimsoll.yaml'))
    expect(holdingKeys(file, 'window.byModel.a\\.1')).toEqual(['policy', 'window', 'byModel', 'a.1'])
    expect(holdingKeys(file, 'no.such.value')).toBeNull()
    expect(planEdits(file, { 'window.cap': 9, 'no.such.value': 1 })).toEqual({
      edits: [{ path: ['policy', 'window', 'cap'], value: 9 }],
      unsupported: ['no.such.value'],
    })
  })

  it('a file of no known format holds nothing', () => {
    const file = readPolicy(parseSource('theme: dark', 'x.yaml'))
    expect(holdingKeys(file, 'window.cap')).toBeNull()
    expect(planEdits(file, { 'window.cap': 9 })).toEqual({ edits: [], unsupported: ['window.cap'] })
  })
})

describe('V6 GoClaw: keys that it shares with OpenClaw', () => {
  const goclaw = (inside: string) => `{ session: { ${inside} } }`

  it('U1 its model and address stay under its own keys', () => {
    const file = goclaw('compaction: { ollama: { model: "qwen", url: "http://a" } }')
    expect(holder(file, 'goclaw.json', 'summary.model')).toBe('session.compaction.ollama.model')
    expect(written(file, 'goclaw.json', 'summary.model', 'ollama/llama')).toBe(file.replace('qwen', 'llama'))
    expect(written(file, 'goclaw.json', 'summary.model', 'openai/gpt')).toBeNull()
  })

  it('F2 its list of flush thresholds is read and not written', () => {
    const file = goclaw('memoryFlush: { thresholds: [{ percent: 80, prompt: "Save." }] }')
    expect(reads(file, 'goclaw.json', 'lines.flush.at')[0]).toEqual([0.8])
    expect(holder(file, 'goclaw.json', 'lines.flush.at')).toBeNull()
    expect(written(file, 'goclaw.json', 'flush.prompts', ['x'])).toBeNull()
  })
})
