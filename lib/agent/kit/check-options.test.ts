import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { PRESET_NAMES } from '../../core/policy/presets'
import { WindowRefused } from '../live-gauge'
import { createContext } from './create-context'
import { ContextOptionError } from './option-error'

/** What a caller without types may write. */
const create = (options: unknown) => createContext(options as Parameters<typeof createContext>[0])

function refusal(options: unknown): ContextOptionError {
  try {
    create(options)
  } catch (error) {
    if (error instanceof ContextOptionError) return error
    throw error
  }
  throw new Error('It was taken.')
}

describe('V2 options that cannot be used are refused at once, with name, value and what to do', () => {
  test.each([
    [Number.NaN, 'NaN'],
    [-5, '-5'],
    [0, '0'],
    [0.5, '0.5'],
    [200_000.5, '200000.5'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['200k', '"200k"'],
    [null, 'null'],
  ])('a window of %s', (window, shown) => {
    const { option, message } = refusal({ model: 'claude-sonnet-4-5', window })
    expect(option).toBe('window')
    expect(message).toContain(`\`window\` is ${shown}: it has to be the model's context window in tokens`)
  })

  test.each([[undefined], [''], ['  '], [7], [null], [{ id: 'x' }]])('a model of %s', (model) => {
    expect(refusal({ model })).toMatchObject({ option: 'model' })
  })

  test('options that are none', () => {
    for (const options of [undefined, null, 'claude-sonnet-4-5', 7, []])
      expect(refusal(options)).toMatchObject({
        ...{ option: 'options', code: 'CONTEXT_OPTION', name: 'ContextOptionError' },
        message: expect.stringContaining('at least `model`'),
      })
  })

  test('an unknown name, with the one that was probably meant', () => {
    expect(refusal({ model: 'm', windw: 1 }).message).toMatch(/no option `windw`\. Did you mean `window`\?/)
    expect(refusal({ model: 'm', on_warning: 1 }).message).toMatch(/Did you mean `onWarning`\?/)
    const { message } = refusal({ model: 'm', temperature: 1 })
    expect(message).toMatch(/^There is no option `temperature`\. Known are model, window/)
  })

  test('a preset and a level of a policy that do not exist, a value out of its range, a group that is none', () => {
    expect(refusal({ model: 'm', policy: 'goclow' }).message).toMatch(/Did you mean `goclaw`\?/)
    const level = refusal({ model: 'm', policy: { lines: { compct: { at: 0.5 } } } })
    expect(level).toMatchObject({ option: 'policy.lines.compct' })
    expect(level.message).toMatch(/Did you mean `compact`\? Known are curate, compact/)
    const group = refusal({ model: 'm', policy: { line: {} } })
    expect(group).toMatchObject({ option: 'policy.line' })
    expect(group.message).toMatch(/Did you mean `lines`\? Known are .*\blines\b/)
    const value = refusal({ model: 'm', policy: { lines: { compact: { at: 7 } } } })
    expect(value).toMatchObject({ option: 'policy.lines.compact.at' })
    expect(value.message).toMatch(/7 is not allowed here/)
    const flat = refusal({ model: 'm', policy: { lines: 0.5 } })
    expect(flat).toMatchObject({ option: 'policy.lines' })
    expect(flat.message).toMatch(/is 0\.5: it is a group of settings \(curate, compact, /)
    expect(refusal({ model: 'm', policy: JSON.parse('{"__proto__": {"at": 1}}') }).option).toContain(
      '__proto__',
    )
  })

  test('a folder where there is no Node, a store that is none, a function that is none', () => {
    expect(refusal({ model: 'm', cold: './cold' }).message).toMatch(/folders need Node/)
    expect(refusal({ model: 'm', cold: { put: () => [] } }).message).toMatch(
      /an object with put, list, extend, remove/,
    )
    expect(refusal({ model: 'm', summary: 'gpt' }).message).toMatch(/a function that asks a model/)
    expect(refusal({ model: 'm', countTokens: 4 })).toMatchObject({ option: 'countTokens' })
  })

  test('A9: a window in which the policy lets nothing run', () => {
    expect(() => create({ model: 'm', window: 15_999 })).toThrow(WindowRefused)
    expect(() => create({ model: 'm', window: 15_999 })).toThrow(/below 16000.*blockBelow/s)
    expect(() => create({ model: 'm', window: 16_000 })).not.toThrow()
    expect(() =>
      create({ model: 'm', window: 8_000, policy: { window: { blockBelow: 4_000 } } }),
    ).not.toThrow()
  })

  test('property: no option of whatever kind is taken half: it is refused as an option, or it works', () => {
    const names = fc.constantFrom(
      'window',
      'policy',
      'cold',
      'logs',
      'summary',
      'session',
      'now',
      'tasks',
      'hooks',
    )
    fc.assert(
      fc.property(names, fc.anything(), (name, value) => {
        try {
          create({ model: 'claude-sonnet-4-5', [name]: value })
        } catch (error) {
          expect(error instanceof ContextOptionError || error instanceof WindowRefused).toBe(true)
        }
      }),
    )
  })
})

test('V2: every preset, a whole policy and a part of one are taken, and an option that is undefined is not there', () => {
  for (const policy of [...PRESET_NAMES, DEFAULT_POLICY, {}, { lines: { compact: { at: 0.7 } } }])
    expect(() => create({ model: 'claude-sonnet-4-5', policy, window: undefined })).not.toThrow()
})

describe('V2 each option', () => {
  const having = (...methods: string[]) => Object.fromEntries(methods.map((name) => [name, () => undefined]))
  const STORES: readonly [string, string, readonly string[]][] = [
    ['cold', 'a cold store', ['put', 'list', 'extend', 'remove']],
    ['logs', 'a log', ['add', 'addAll']],
    ['memory', 'a memory of an agent', ['load', 'save', 'checkpoints', 'addCheckpoint']],
    ['sessions', 'a store of sessions', ['open', 'append', 'note']],
    ['workspace', 'a prompt cache', ['snapshot']],
    ['tasks', 'a store of tasks', ['load', 'save']],
    ['facts', 'a store of facts', ['find', 'put', 'remove']],
    ['search', 'a search of memory', ['refresh', 'search']],
    ['hooks', 'hooks', ['run']],
    ['secrets', 'rules for secrets', ['mask', 'isSecret']],
  ]

  test.each(STORES)(
    '%s takes %s with its methods, and nothing that lacks one of them',
    (name, what, methods) => {
      expect(() => create({ model: 'm', [name]: having(...methods) })).not.toThrow()
      for (const left of methods)
        expect(
          refusal({ model: 'm', [name]: having(...methods.filter((one) => one !== left)) }).message,
        ).toContain(`it has to be ${what} (an object with ${methods.join(', ')}), or left out.`)
      for (const none of [null, 7, () => 1, having(...methods).put])
        if (none !== undefined) expect(refusal({ model: 'm', [name]: none }).option).toBe(name)
      expect(
        refusal({ model: 'm', [name]: { ...having(...methods), [methods[0] ?? '']: 'text' } }).option,
      ).toBe(name)
    },
  )

  test.each([
    ['provider', 'bedrock', ['', ' ', 7], 'a text that is not empty'],
    ['session', 'agent:harbour:main', ['', 7], 'a text that is not empty'],
    ['countTokens', () => 1, [4, 'x'], 'a function'],
    ['onFlush', () => undefined, [{}], 'a function'],
    ['onWarning', () => undefined, ['log'], 'a function'],
    ['now', () => 1, [1], 'a function'],
    ['summary', () => 'x', [{}, 7, { ask: 'x' }], 'a function that asks a model'],
    [
      'timeLimit',
      200_000_000,
      [0, -1, 200_000_001, Number.NaN, Number.POSITIVE_INFINITY, '5'],
      'above 0 and up to 200000000',
    ],
    ['form', 'openai-chat', ['chat', 7], 'the name of a form of messages (anthropic'],
    ['policy', { lines: {} }, ['none', 7, null, ['goclaw']], 'a preset (default'],
    ['window', 16_000, [0, 1.5], 'a whole number above 0'],
  ] satisfies [string, unknown, unknown[], string][])(
    '%s takes what it is for, and nothing else',
    (name, good, bad, what) => {
      expect(() => create({ model: 'm', [name]: good })).not.toThrow()
      for (const value of bad) {
        const { option, message } = refusal({ model: 'm', [name]: value })
        expect([option, message]).toEqual([name, expect.stringContaining(what)])
        expect(message).toContain(', or left out.')
      }
    },
  )

  test('a chain that asks models may replace the function', () => {
    expect(() => create({ model: 'm', summary: { ask: () => undefined } })).not.toThrow()
  })

  test.each(['cold', 'logs', 'memory', 'sessions', 'workspace', 'tasks'])(
    '%s takes a folder in Node alone',
    (name) => {
      expect(refusal({ model: 'm', [name]: './here' }).message).toMatch(
        new RegExp(`^\`${name}\` is the folder "./here": folders need Node`),
      )
    },
  )

  test('facts, search and hooks take no folder anywhere', () => {
    for (const name of ['facts', 'search', 'hooks'])
      expect(refusal({ model: 'm', [name]: './here' }).message).not.toContain('folder')
  })

  test('the model has to be there, and says how one is named', () => {
    expect(refusal({}).message).toBe(
      "`model` is undefined: it has to be the name of the model that answers, such as 'claude-sonnet-4-5'.",
    )
  })

  test('a form that is nearly known is asked after', () => {
    expect(refusal({ model: 'm', form: 'openai-chatt' }).message).toContain('Did you mean `openai-chat`?')
  })

  test('a name of a policy is asked after by its last part, and what is left out of one is not there', () => {
    const { message } = refusal({ model: 'm', policy: { lines: { compact: { att: 0.5 } } } })
    expect(message).toMatch(
      /^There is no option `policy\.lines\.compact\.att`\. Did you mean `at`\? Known are /,
    )
    expect(() => create({ model: 'm', policy: { lines: undefined, windw: undefined } })).not.toThrow()
    expect(refusal({ model: 'm', policy: { window: 5 } }).message).toMatch(
      /^`policy\.window` is 5: it is a group of settings \(.*blockBelow/,
    )
  })
})
