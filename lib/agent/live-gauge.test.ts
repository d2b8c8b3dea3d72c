import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { LIVE_ERROR_PCT, LiveGauge } from './live-gauge'

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

const figureOf = (messages: readonly Message[]) => gauge.check(messages, messages, []).tokens
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

  it('is the provider’s until the context is changed, and what was added since comes on top', () => {
    const first = [message(400), message(300)]
    gauge.note(1_000, first.length)
    expect(figureOf(first)).toEqual(reported(1_000))
    const grown = gauge.check([...first, message(50)], [...first, message(50)], [])
    expect(grown.tokens).toEqual(reported(1_000))
    expect(grown.decided - gauge.check(first, first, []).decided).toBeGreaterThanOrEqual(50)
    gauge.forget()
    // As many messages as were reported on: only having forgotten tells that they are others.
    expect(figureOf([message(20), message(30)])).toEqual(counted(FIXED + 50))
  })

  it('is none of more messages than there are', () => {
    gauge.note(1_000, 3)
    expect(figureOf([message(10)])).toEqual(counted(FIXED + 10))
  })
})
