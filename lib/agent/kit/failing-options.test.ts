import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { transientMemory } from '../../engine/knowledge/agent-memory'
import { checkOptions } from './check-options'
import { createContext } from './create-context'
import { chainOf } from './summary-model'

const TALK = [{ role: 'user', content: 'Which berth is free at the quay behind the crane of pier seven?' }]
const clock = { now: () => 0 }

describe('V2 a counter of tokens', () => {
  const counted = async (countTokens?: (text: string) => unknown) => {
    const more = countTokens === undefined ? {} : { countTokens: countTokens as (text: string) => number }
    const { done } = await createContext({ model: 'claude-sonnet-4-5', ...more }).fit(TALK)
    return { tokens: done.before.value ?? 0, warnings: done.warnings }
  }

  test.each([[Number.NaN], [-5], [Number.POSITIVE_INFINITY], ['12'], [undefined], [null]])(
    'that answers %s costs one warning, and the estimator counts in its place',
    async (answer) => {
      const estimated = await counted()
      const { tokens, warnings } = await counted(() => answer)
      expect(tokens).toBe(estimated.tokens)
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toMatch(/^countTokens answered .*the estimator counts in its place\.$/)
    },
  )

  test('that answers numbers is believed, a text of no tokens included', async () => {
    expect((await counted(() => 1_234)).tokens).toBeGreaterThanOrEqual(1_234)
    const { tokens, warnings } = await counted(() => 0)
    expect(tokens).toBeLessThan((await counted()).tokens)
    expect(warnings).toEqual([])
  })
})

describe('V2 a clock', () => {
  const fails: () => number = () => {
    throw new Error('no time')
  }
  const rejects = async () => Promise.reject(new Error('no time'))

  test.each([
    ['throws', fails, 'now failed: no time'],
    ['answers a promise that is rejected', rejects, 'now answered an empty object'],
    ['answers no number', () => 'noon', 'now answered "noon"'],
    ['answers no time that there is', () => 9e15, 'now answered 9000000000000000'],
  ])('that %s costs one warning and neither a turn nor a report', async (_, now, why) => {
    const context = createContext({ model: 'claude-sonnet-4-5', now: now as () => number })
    expect(context.report({ input_tokens: 5, output_tokens: 1 }).prompt.value).toBe(5)
    const { done, messages } = await context.fit(TALK)
    expect(messages).toEqual(TALK)
    expect(done.warnings).toHaveLength(1)
    expect(done.warnings[0]).toMatch(new RegExp(`^${why}.*\\. The last time that it gave is taken\\.$`))
  })

  test('that fails now and then goes on from the last time that it gave', async () => {
    const times = [Date.parse('2026-03-01T12:00:00Z'), Number.NaN]
    const seen: number[] = []
    const now = () => times[seen.push(0) - 1] ?? fails()
    const context = createContext({ model: 'claude-sonnet-4-5', now })
    const costs = [1, 2, 3].map(() => context.report({ input_tokens: 1_000, output_tokens: 1 }).cost)
    expect(costs[2]).toEqual(costs[0])
  })
})

test('V2: where the ladder cannot be climbed at all, what is far too large is said not to fit', async () => {
  const memory = {
    ...transientMemory(),
    load: async () => 'none' as never,
    checkpoints: async () => 'x' as never,
  }
  const context = createContext({ model: 'claude-sonnet-4-5', window: 20_000, memory })
  const long = [{ role: 'user', content: 'The crane of pier seven. '.repeat(5_000) }, ...TALK]
  const { done } = await context.fit(long)
  expect(done.warnings.join()).toContain('The context could not be fitted and is sent as it is')
  expect(done.failure).toMatch(/tokens are more than the window of 20000/)
  expect((await context.fit(TALK)).done.failure).toBeNull()
})

describe('V2 a function that writes summaries', () => {
  const request = { prompt: { system: 's', user: 'u' }, maxTokens: 100 }
  const never = () => new Promise<string>(() => undefined)
  const soon = {
    ...DEFAULT_POLICY,
    compaction: { ...DEFAULT_POLICY.compaction, timeoutMs: 20 },
  }

  test.each([[' \n '], [''], [7], [undefined]])('that answers %j has written none', async (answer) => {
    let asked = 0
    const answers = () => {
      asked += 1
      return answer as string
    }
    const reply = await chainOf(answers, clock).ask(request, DEFAULT_POLICY)
    expect(asked, 'once').toBe(1)
    expect(reply).toMatchObject({ ok: false, stopped: false })
    expect(reply.notes.join()).toMatch(/The function `summary` answered/)
  })

  test('that gives no answer within the limit has failed, and says by how much', async () => {
    let asked = 0
    const late = () => {
      asked += 1
      return never()
    }
    const reply = await chainOf(late, clock).ask(request, soon)
    expect(asked, 'once').toBe(1)
    expect(reply).toMatchObject({ ok: false, stopped: false })
    expect(reply.notes.join()).toContain('gave no answer within 20 ms')
  })

  test('that fails has failed with its reason', async () => {
    let asked = 0
    const fails = () => {
      asked += 1
      return Promise.reject(new Error('no berth'))
    }
    const reply = await chainOf(fails, clock).ask(request, DEFAULT_POLICY)
    expect(reply).toMatchObject({ ok: false, stopped: false })
    expect(reply.notes.join()).toContain('no berth')
    expect(asked, 'once').toBe(1)
  })

  test('is stopped by the signal of the caller, whether or not it listens', async () => {
    const stop = new AbortController()
    const asked = chainOf(never, clock).ask({ ...request, signal: stop.signal }, DEFAULT_POLICY)
    stop.abort()
    expect(await asked).toMatchObject({ ok: false, stopped: true })
  })
})

test('V2: a refusal shows what was given, whatever it is', () => {
  const refused = (model: unknown) => {
    try {
      checkOptions({ model })
    } catch (error) {
      return String(error)
    }
    throw new Error('It was taken.')
  }
  expect(refused(() => 1)).toContain('`model` is a function:')
  expect(refused({})).toContain('`model` is an empty object:')
  expect(refused({ id: 1, of: 2 })).toContain('`model` is an object with id, of:')
  expect(refused([1, 2])).toContain('`model` is a list of 2:')
  expect(refused(7n)).toContain('`model` is 7:')
  expect(refused(false)).toContain('`model` is false:')
  expect(refused(Symbol('berth'))).toContain('`model` is Symbol(berth):')
  const most = 60 - 'an object with '.length
  expect(refused({ ['x'.repeat(most)]: 1 })).toContain(`is an object with ${'x'.repeat(most)}:`)
  expect(refused({ ['x'.repeat(200)]: 1 })).toContain(`is an object with ${'x'.repeat(most)}…:`)
})
