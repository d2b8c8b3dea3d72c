import { describe, expect, test } from 'vitest'
import { estimateUnits } from '../../core/tokens/estimate'
import { transientCold } from '../../engine/cold/transient-cold'
import { SummaryChain } from '../../engine/summary/summary-chain'
import { standingClock } from '../../testing/scripted-summarizer'
import { WindowRefused } from '../live-gauge'
import type { ContextOptions } from './context-options'
import { openSetup } from './open-setup'

const NEVER = () => new Promise<never>(() => undefined)
const open = (more: Partial<ContextOptions> = {}) => openSetup({ model: 'claude-sonnet-4-5', ...more })

describe('V2 what a context is made of', () => {
  test('has its own name, no model that sums up, and our own estimator where nothing else is said', () => {
    const [one, other] = [open(), open()]
    expect(one.session).not.toBe(other.session)
    expect(one.chain).toBeNull()
    expect(one.countText).toBe(estimateUnits)
    expect(Math.abs(one.clock.now() - Date.now())).toBeLessThan(60_000)
    expect(open({ session: 'log', now: () => 7 })).toMatchObject({ session: 'log' })
    expect(open({ now: () => 7 }).clock.now()).toBe(7)
    expect('tasks' in one || 'facts' in one).toBe(false)
  })

  test('asks a chain as it is, and a function as the one model of a chain', () => {
    const chain = new SummaryChain([], standingClock())
    expect(open({ summary: chain }).chain).toBe(chain)
    expect(open({ summary: () => 'x' }).chain?.models.map(({ name }) => name)).toEqual(['summary'])
  })

  test.each<[string, Partial<ContextOptions>, (setup: ReturnType<typeof open>) => unknown]>([
    ['tasks.load', { tasks: { load: NEVER, save: NEVER } }, ({ tasks }) => tasks?.load('s')],
    [
      'facts.find',
      { facts: { find: NEVER, put: NEVER, remove: NEVER } as never },
      ({ facts }) => facts?.find({} as never),
    ],
    ['cold.list', { cold: { ...transientCold(), list: NEVER } }, ({ cold }) => cold.list()],
  ])('gives %s an end', async (name, options, call) => {
    await expect(call(open({ ...options, timeLimit: 5 }))).rejects.toThrow(
      `${name} gave no answer within 5 ms (timeLimit)`,
    )
  })

  test('refuses a window in which the policy lets nothing run, with what to do about it', () => {
    expect(() => open({ window: 15_000 })).toThrow(WindowRefused)
    expect(() => open({ window: 15_000 })).toThrow(
      /below 16000.* Give the model's own `window`, or allow smaller ones: \{ policy: \{ window: \{ blockBelow: 4000 \} \} \}\.$/s,
    )
  })

  test('knows windows of the list, and says which it assumes where the list has none', () => {
    const known = open()
    expect(known.window.source).not.toBe('default')
    expect(known.warnings.take()).toEqual([])
    // Some only their provider has.
    const kimi = { model: 'moonshotai/kimi-k2' }
    expect(open({ ...kimi, provider: 'openrouter' }).window.source).toBe(known.window.source)
    expect(open(kimi).window.source).toBe('default')
    const unknown = open({ model: 'harbour-7b' })
    expect(unknown.warnings.take()).toEqual([
      'The list of models does not know the window of "harbour-7b": 200000 tokens are assumed (policy.window.default). Give `window` to be sure.',
    ])
    expect(unknown.warnings.take(), 'once').toEqual([])
    expect(open({ model: 'harbour-7b', window: 50_000 }).warnings.take()).toEqual([])
  })

  test('a window that is named is the policy’s, as far as its cap allows, and is known without it', () => {
    const capped = (cap: number | null) => open({ window: 90_000, policy: { window: { cap } } }).window
    expect(capped(null)).toEqual({ tokens: 90_000, source: 'policy', uncapped: 90_000 })
    expect(capped(80_000)).toEqual({ tokens: 80_000, source: 'cap', uncapped: 90_000 })
    expect(capped(90_000)).toEqual({ tokens: 90_000, source: 'policy', uncapped: 90_000 })
  })

  test('passes each warning on as it comes, and keeps it until it is taken, whatever the listener does', () => {
    const reported: string[] = []
    const { warnings } = open({
      onWarning: (warning) => {
        reported.push(warning)
        throw new Error('no bell')
      },
    })
    warnings.add('one', 'two')
    expect(reported).toEqual(['one', 'two'])
    expect(warnings.take()).toEqual(['one', 'two'])
    expect(warnings.take()).toEqual([])
  })

  test('a clock may give any time that a date can have, and nothing that only looks like one', () => {
    const times = [-8.64e15, 8.64e15, 8.64e15 + 2, '5']
    const { clock, warnings } = open({ now: () => times.shift() as number })
    expect([clock.now(), clock.now()]).toEqual([-8.64e15, 8.64e15])
    expect(warnings.take()).toEqual([])
    const last = 'The last time that it gave is taken.'
    expect(clock.now()).toBe(8.64e15)
    expect(warnings.take()).toEqual([`now answered 8640000000000002, and no time in milliseconds. ${last}`])
    expect(clock.now()).toBe(8.64e15)
    expect(warnings.take(), 'once').toEqual([])
    expect(open({ now: () => '5' as never }).clock.now()).toBe(0)
    const stopped = open({
      now: () => {
        throw new Error('the clock is broken')
      },
    })
    expect([stopped.clock.now(), stopped.clock.now()]).toEqual([0, 0])
    expect(stopped.warnings.take()).toEqual([`now failed: the clock is broken. ${last}`])
  })

  test('a counter that fails is said once, whatever fails next', () => {
    let count = 0
    const answers: unknown[] = [Number.NaN, -1, 0, 5, '7']
    const { countText, warnings } = open({ countTokens: () => answers[count++] as number })
    expect([countText('berth four'), countText('berth four')]).toEqual(
      Array(2).fill(estimateUnits('berth four')),
    )
    expect([countText('x'), countText('x')]).toEqual([0, 5])
    expect(countText('berth four')).toBe(estimateUnits('berth four'))
    expect(warnings.take()).toEqual([
      'countTokens answered NaN, and no number of tokens; the estimator counts in its place.',
    ])
    expect(open({ countTokens: () => Number.POSITIVE_INFINITY }).countText('berth four')).toBe(
      estimateUnits('berth four'),
    )
    const broken = open({
      countTokens: () => {
        throw new Error('no words')
      },
    })
    expect(broken.countText('berth four')).toBe(estimateUnits('berth four'))
    expect(broken.warnings.take()).toEqual([
      'countTokens failed: no words; the estimator counts in its place.',
    ])
  })
})
