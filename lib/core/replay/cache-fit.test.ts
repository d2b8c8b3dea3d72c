import { describe, expect, it } from 'vitest'
import type { Frame } from '../tokens/frame'
import { type CachedCall, fitCache } from './cache-fit'

const MINUTE = 60_000
const setting = { fixed: 5_000, life: 5 * MINUTE }

type Made = {
  readonly at: number
  readonly input?: number
  readonly read: number
  readonly write?: number
  readonly model?: string
  readonly segment?: number
  readonly stop?: string
}

function call({
  at,
  input = 3,
  read,
  write = 0,
  model = 'claude-sonnet-4-5',
  segment = -1,
  stop,
}: Made): CachedCall {
  const total = input + read + write
  const frame: Frame = {
    ...{ call: 1, seq: 1, at: at * MINUTE, provider: 'anthropic', model },
    ...{ window: { tokens: 200_000, source: 'default' }, total: { basis: 'measured', value: total } },
    ...{ seenTokens: null, sent: null, categories: {}, basis: {}, errorPct: null },
    ...{
      output: { basis: 'measured', value: 10 },
      cacheRead: read,
      cacheWrite: write,
      stopReason: stop ?? null,
    },
  }
  return { usage: { input, output: 10, cacheRead: read, cacheWrite: write, costUsd: null }, frame, segment }
}

describe('L1 the recorded use of a cache', () => {
  it('is reproduced where every prompt begins as the one before it', () => {
    const calls = [
      call({ at: 0, read: 0, write: 20_000 }),
      call({ at: 1, read: 20_000, write: 500 }),
      call({ at: 2, read: 20_500, write: 800 }),
    ]
    expect(fitCache(calls, setting)).toEqual({
      ...{ matched: 2, compared: 2, money: 1, moneyByTimes: 1 },
      ...{ rewrites: 1, coldStarts: [] },
    })
  })

  it('is lost after its life, with another model, and after a compaction but for what is before the conversation', () => {
    const calls = [
      call({ at: 0, read: 0, write: 20_000 }),
      call({ at: 9, read: 0, write: 20_500 }),
      call({ at: 10, read: 0, write: 21_000, model: 'claude-opus-4-5' }),
      call({ at: 11, read: 5_000, write: 3_000, model: 'claude-opus-4-5', segment: 0 }),
    ]
    expect(fitCache(calls, setting)).toMatchObject({ matched: 3, compared: 3, money: 1, rewrites: 1 })
  })

  it('is not reproduced where it broke for no reason on record, and it is said what that costs', () => {
    const calls = [
      call({ at: 0, read: 0, write: 20_000 }),
      call({ at: 1, read: 5_000, write: 15_500 }),
      call({ at: 2, read: 20_500, write: 500 }),
    ]
    const { matched, compared, money, rewrites, coldStarts } = fitCache(calls, setting)
    expect([matched, compared, coldStarts]).toEqual([1, 2, []])
    expect(money).toBeLessThan(0.4)
    expect(rewrites).toBe(16)
  })

  it('starts cold where not even what is before the conversation was read: no match, but what it costs is reproduced', () => {
    const calls = [
      call({ at: 0, read: 0, write: 20_000 }),
      call({ at: 1, read: 0, write: 20_500 }),
      call({ at: 2, read: 20_500, write: 500 }),
    ]
    const fit = fitCache(calls, setting)
    expect(fit).toMatchObject({ matched: 1, compared: 2, money: 1, rewrites: 1, coldStarts: [1] })
    expect(fit.moneyByTimes).toBeLessThan(0.3)
  })

  it('is no cold start where too little is before the conversation to be cached by itself, nor after a compaction', () => {
    const calls = [
      call({ at: 0, read: 0, write: 20_000 }),
      call({ at: 1, read: 0, write: 20_500 }),
      call({ at: 2, read: 0, write: 9_000, segment: 0 }),
    ]
    expect(fitCache(calls, { ...setting, fixed: 1_000 }).coldStarts).toEqual([])
    expect(fitCache(calls, setting).coldStarts).toEqual([1])
  })

  it('goes on behind a call that failed, and compares nothing with it', () => {
    const calls = [
      call({ at: 0, read: 0, write: 20_000 }),
      call({ at: 1, read: 7, write: 0, stop: 'aborted' }),
      call({ at: 2, read: 20_000, write: 500 }),
    ]
    expect(fitCache(calls, setting)).toMatchObject({ matched: 1, compared: 1 })
  })

  it('comes in whole steps from a least size on where writing costs nothing', () => {
    const calls = [
      call({ at: 0, input: 900, read: 0 }),
      call({ at: 1, input: 2_000, read: 0 }),
      call({ at: 2, input: 700, read: 1_920 }),
    ]
    expect(fitCache(calls, setting)).toMatchObject({ matched: 2, compared: 2, money: 1, rewrites: null })
  })

  it('is unknown where no cache was ever reported', () => {
    const none = {
      ...{ matched: 0, compared: 0, money: null, moneyByTimes: null },
      ...{ rewrites: null, coldStarts: [] },
    }
    expect(
      fitCache([call({ at: 0, input: 900, read: 0 }), call({ at: 1, input: 950, read: 0 })], setting),
    ).toEqual(none)
    expect(fitCache([], setting)).toEqual(none)
  })
})
