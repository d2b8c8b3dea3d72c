import { beforeEach, describe, expect, it } from 'vitest'
import { loadLines } from '../core/budget/load-lines'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { measured } from '../core/tokens/figure'
import { checkContext, LIVE_ERROR_PCT, LiveGauge } from './live-gauge'

type Message = { readonly tokens: number }

const message = (tokens: number): Message => ({ tokens })
const FIXED = 100
let own: number | null
let gauge: LiveGauge<Message>

beforeEach(() => {
  own = null
  gauge = new LiveGauge<Message>({
    policy: DEFAULT_POLICY,
    window: 200_000,
    tokensOf: ({ tokens }) => tokens,
    own: () => own,
    fixedTokens: () => FIXED,
  })
})

const of = (messages: readonly Message[]) => ({
  count: messages.length,
  since: (place: number) => gauge.sum(messages.slice(place)),
  sent: () => gauge.sum(messages),
})
const figureOf = (messages: readonly Message[]) => gauge.check(of(messages), []).tokens
const counted = (tokens: number) => ({ value: tokens, basis: 'estimated', errorPct: LIVE_ERROR_PCT })
const reported = (tokens: number) => ({ value: tokens, basis: 'measured' })

describe('B6 the figure of a live context', () => {
  it('is the agent’s own while it is true; after a change not before the agent has another one', () => {
    own = 180_000
    const before = [message(90_000), message(80_000)]
    expect(figureOf(before)).toEqual(reported(180_000))
    gauge.forget()
    const after = [message(5_000)]
    // The agent still says what was true before the change.
    expect(figureOf(after)).toEqual(counted(FIXED + 5_000))
    own = 6_000
    expect(figureOf(after)).toEqual(reported(6_000))
  })

  it('is no figure of the agent that has none any more', () => {
    own = 180_000
    gauge.forget()
    own = null
    expect(figureOf([message(5_000)])).toEqual(counted(FIXED + 5_000))
  })

  it('counts what is about to come in as the provider counts what was there', () => {
    for (const size of [50_000, 60_000, 70_000]) gauge.note(FIXED + size * 1.5, of([message(size)]))
    const there = [message(70_000)]
    const coming = (tokens: number) => gauge.check(of(there), [message(tokens)]).decided
    expect(coming(20_000) - coming(0)).toBeGreaterThan(25_000)
  })

  it('is the provider’s until the context is changed, and what was added since comes on top', () => {
    const first = [message(400), message(300)]
    gauge.note(1_000, of(first))
    expect(figureOf(first)).toEqual(reported(1_000))
    const grown = gauge.check(of([...first, message(50)]), [])
    expect(grown.tokens).toEqual({ value: 1_050, basis: 'estimated', errorPct: 1 })
    expect(grown.available).toBe(gauge.check(of(first), []).available - 50)
    expect(grown.decided - gauge.check(of(first), []).decided).toBeGreaterThanOrEqual(50)
    gauge.forget()
    // As many messages as were reported on: only having forgotten tells that they are others. What the report had beyond
    // the messages is still there.
    const after = figureOf([message(20), message(30)])
    expect(after).toMatchObject({ basis: 'estimated', errorPct: 8 })
    expect(after.value).toBeGreaterThan(FIXED + 50 + 180)
    expect(after.value).toBeLessThan(FIXED + 50 + 220)
  })

  it('with what comes in is what decides, and what is shown has none of that', () => {
    const first = [message(400), message(300)]
    gauge.note(1_000, of(first))
    const [bare, coming] = [gauge.check(of(first), []), gauge.check(of(first), [message(500)])]
    expect(coming.decided - bare.decided).toBeGreaterThanOrEqual(500)
    expect(coming.tokens).toEqual(bare.tokens)
    const since = [...first, message(100)]
    const more = gauge.check(of(since), [message(500)])
    expect(more.decided - coming.decided).toBeGreaterThanOrEqual(100)
    // 15 % of the 100 that came in since, of all.
    expect(more.tokens).toMatchObject({ value: 1_100, errorPct: 2 })
  })

  it('takes the size of a message that was counted elsewhere', () => {
    const part = message(400)
    gauge.noteSize(part, 390)
    expect([gauge.sizeOf(part), gauge.sum([part, message(10)])]).toEqual([390, 400])
  })

  it('is none of more messages than there are', () => {
    const all = [message(400), message(200), message(300)]
    gauge.note(1_000, of(all))
    const { value, basis } = figureOf([message(400)])
    expect(basis).toBe('estimated')
    expect(value).toBeGreaterThan(450)
    expect(value).toBeLessThan(550)
  })
})

describe('A11 the lines of a live context', () => {
  it('the next one is above what it holds: a line that is reached is behind', () => {
    const lines = loadLines(DEFAULT_POLICY, 200_000).filter(({ unreachable }) => unreachable !== true)
    const [first] = lines
    const second = lines.find(({ tokens }) => tokens > (first?.tokens ?? 0))
    if (first === undefined || second === undefined) throw new Error('there are no lines')
    const at = (tokens: number) => checkContext(DEFAULT_POLICY, 200_000, measured(tokens), 0)
    const exact = Array.from({ length: first.tokens }, (_, i) => first.tokens - i).find(
      (tokens) => at(tokens).decided === first.tokens,
    )
    if (exact === undefined) throw new Error('no figure is decided as the line')
    expect(at(exact).reached).toContainEqual(first)
    expect(at(exact).next?.tokens).toBe(second.tokens)
    expect(at(0).next?.tokens).toBe(first.tokens)
    expect(at(0)).toMatchObject({ reached: [], window: 'ok' })
  })
})
