import { describe, expect, test } from 'vitest'
import { PRESET_NAMES, PRESETS, type PresetName } from '../../core/policy/presets'
import { resolvePolicy } from '../../core/policy/resolve'
import { transientTasks } from '../task-store'
import { createContext } from './create-context'
import { fitMessages } from './fit-messages'
import { dropsByRelevance, kitPolicy, limitsRequests } from './kit-policy'

const MODEL = 'claude-sonnet-4-5'
const ASK = { role: 'user', content: 'Which berth is free?' }
const now = () => Date.parse('2026-11-21T10:00:00Z')

describe('V2 what calls came to', () => {
  test('is the sum of what was reported, and unknown before the first report', async () => {
    const context = createContext({ model: MODEL, now })
    expect((await context.status()).cost).toEqual({ value: null, basis: 'unknown' })
    const one = context.report({ prompt: 10_000, output: 100 }).cost.value ?? Number.NaN
    expect(one).toBeGreaterThan(0)
    const two = context.report({ prompt: 20_000, output: 200 }).cost.value ?? Number.NaN
    expect(two).toBeCloseTo(2 * one, 6)
    const { cost } = await context.status()
    expect(cost.value).toBeCloseTo(one + two, 6)
    expect(cost.basis).toBe('estimated')
  })

  test('is less for what was cached, and more for what was written to the cache', () => {
    const costOf = (cacheRead: number, cacheWrite: number) =>
      createContext({ model: MODEL, now }).report({
        input_tokens: 10_000 - cacheRead - cacheWrite,
        output_tokens: 100,
        cache_read_input_tokens: cacheRead,
        cache_creation_input_tokens: cacheWrite,
      }).cost.value ?? Number.NaN
    expect(costOf(8_000, 0)).toBeLessThan(costOf(0, 0))
    expect(costOf(0, 8_000)).toBeGreaterThan(costOf(0, 0))
    // Anthropic charges 1.25 times as much for what is written.
    expect(costOf(0, 8_000)).toBeLessThan(1.25 * costOf(0, 0))
  })

  test('is unknown from the first call on of which a part is unknown', async () => {
    const context = createContext({ model: MODEL, now })
    context.report({ prompt: 10_000, output: 100 })
    const { prompt, output, cost } = context.report({ inputTokens: 5, outputTokens: undefined })
    expect([prompt, output, cost]).toEqual([
      { value: 5, basis: 'measured' },
      { value: null, basis: 'unknown' },
      { value: null, basis: 'unknown' },
    ])
    context.report({ prompt: 10_000, output: 100 })
    expect((await context.status()).cost).toEqual({ value: null, basis: 'unknown' })
    const other = createContext({ model: MODEL, now })
    expect(other.report({ inputTokens: undefined, outputTokens: 5 })).toMatchObject({
      prompt: { value: null, basis: 'unknown' },
      output: { value: 5, basis: 'measured' },
      cost: { value: null, basis: 'unknown' },
    })
    expect((await other.status()).cost.basis).toBe('unknown')
  })
})

describe('V2 the window of a context', () => {
  const opened = async (options: object) => {
    const { window, windowFrom } = await createContext({ model: MODEL, ...options }).status()
    return { window, windowFrom }
  }

  test('is the one that is named, before every list, as far as the policy’s cap allows', async () => {
    const cap = (tokens: number) => ({ policy: { window: { cap: tokens } } })
    expect(await opened({ window: 90_000 })).toEqual({ window: 90_000, windowFrom: 'policy' })
    expect(await opened({ window: 90_000, ...cap(90_000) })).toEqual({ window: 90_000, windowFrom: 'policy' })
    expect(await opened({ window: 90_000, ...cap(89_999) })).toEqual({ window: 89_999, windowFrom: 'cap' })
    expect(await opened({ window: 90_000, ...cap(91_000) })).toEqual({ window: 90_000, windowFrom: 'policy' })
  })

  test('that is too small is refused, with what to do', () => {
    expect(() => createContext({ model: MODEL, window: 1_000 })).toThrow(/blockBelow/)
  })

  test('that a provider proves larger is said once, and not for a prompt of just its size', async () => {
    const context = createContext({ model: MODEL, window: 32_000 })
    await context.fit([ASK])
    const warnings = async (prompt: number) => {
      context.report({ prompt, output: 1 })
      return (await context.fit([ASK])).done.warnings.filter((one) => one.includes('the window is larger'))
    }
    expect(await warnings(32_000)).toEqual([])
    expect(await warnings(32_001)).toHaveLength(1)
    expect(await warnings(32_002)).toEqual([])
  })
})

describe('V2 the policy of a context', () => {
  test('asks for no memory to be saved and writes no checkpoint where no handler is set for it', () => {
    const { flush, checkpoints } = kitPolicy({}).lines
    expect([flush.enabled, checkpoints.enabled]).toEqual([false, false])
    const given = kitPolicy({ onFlush: async () => undefined, memory: {} as never }).lines
    expect([given.flush.enabled, given.checkpoints.enabled]).toEqual([
      kitPolicy({ policy: 'default', onFlush: async () => undefined }).lines.flush.enabled,
      kitPolicy({ policy: 'default', memory: {} as never }).lines.checkpoints.enabled,
    ])
  })

  test('is the preset that is named, and over it and over the defaults what the caller says', () => {
    const handlers = { onFlush: async () => undefined, memory: {} as never }
    const named = (name: PresetName) =>
      resolvePolicy([{ level: 'preset', label: name, patch: PRESETS[name] }]).policy
    for (const name of PRESET_NAMES) expect(kitPolicy({ policy: name, ...handlers })).toEqual(named(name))
    const own = kitPolicy({ policy: { history: { sendThinking: false } }, ...handlers })
    expect(own.history.sendThinking).toBe(false)
    expect(kitPolicy(handlers).history.sendThinking).toBe(true)
  })

  test('leaves requests alone below the first line, unless it is said that something goes from each', () => {
    expect(limitsRequests(kitPolicy({}))).toBe(false)
    for (const policy of [
      { history: { sendThinking: false } },
      { history: { maxTurns: 5 } },
      { history: { channels: { main: { maxTurns: 5 } } } },
      { budget: { enabled: true } },
      { pruning: { duplicates: true } },
    ])
      expect(limitsRequests(kitPolicy({ policy: policy as never })), JSON.stringify(policy)).toBe(true)
  })

  test('drops by relevance where a preset is named or something is said about relevance', () => {
    expect(dropsByRelevance(undefined)).toBe(false)
    expect(dropsByRelevance({ lines: { compact: { at: 0.7 } } })).toBe(false)
    expect(dropsByRelevance({ relevance: { cutoff: 0.2 } })).toBe(true)
    expect(dropsByRelevance('memfas')).toBe(true)
  })
})

test('V2: fitMessages puts what belongs in front there as a system message, for messages of any form', async () => {
  const context = createContext({ model: MODEL, tasks: transientTasks() })
  const toSend = fitMessages(context)
  expect(await toSend([ASK])).toEqual([ASK])
  await context.tasks?.add({ id: 'lift', title: 'Lift cargo' })
  await context.tasks?.start('lift')
  const [front, ...rest] = await toSend([ASK, { role: 'assistant', content: 'Berth 4.' }, ASK])
  expect(front).toEqual({ role: 'system', content: expect.stringContaining('Lift cargo') })
  expect(rest).toHaveLength(3)
})
