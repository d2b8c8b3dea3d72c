import { describe, expect, it } from 'vitest'
import { madeSession } from '../../testing/builders/replay-sessions'
import { EVERYTHING } from './policies/everything'
import { maskOlder } from './policies/mask-results'
import { replaySession } from './replay'
import { savingGain, sumReplays } from './sum-replays'

const sessions = Array.from({ length: 24 }, (_, seed) => madeSession(seed, { chunks: 40 + seed * 4 }))
const replays = sessions.map((session) => replaySession(session, maskOlder(3), {}))
const whole = sessions.map((session) => replaySession(session, EVERYTHING, {}))

describe('a policy over sessions', () => {
  it('is the ratio of sums, within an interval that is always the same', () => {
    const sum = sumReplays(replays)
    const all = replays.reduce((tokens, { tokensAll }) => tokens + tokensAll, 0)
    const sent = replays.reduce((tokens, { tokensSent }) => tokens + tokensSent, 0)
    expect(sum.tokensSaved?.value).toBeCloseTo(1 - sent / all, 10)
    for (const one of [sum.saving, sum.recall, sum.longRecall, sum.tokensSaved]) {
      expect(one?.low).toBeLessThanOrEqual(one?.value ?? 0)
      expect(one?.high).toBeGreaterThanOrEqual(one?.value ?? 1)
    }
    expect(sumReplays([...replays])).toEqual(sum)
  })

  it('says nothing of what there is nothing of', () => {
    const none = sumReplays([])
    expect([none.saving, none.recall, none.usdAll, none.largestShare]).toEqual([null, null, null, 0])
    expect(sumReplays(replays).rulesKept).toBeNull()
    const unpriced = replays.map((one, i) => (i === 3 ? { ...one, usdSent: null } : one))
    expect(sumReplays(unpriced).usdSent).toBeNull()
  })

  it('has an interval of one point where all sessions are one, and says how much is of one session', () => {
    const [one] = replays
    if (one === undefined) throw new Error('no replay')
    const { saving, largestShare } = sumReplays([one])
    expect([saving?.low, saving?.high, largestShare]).toEqual([saving?.value, saving?.value, 1])
    expect(sumReplays([one, one]).largestShare).toBe(0.5)
  })

  it('draws two policies together: what both have in common is no doubt about their difference', () => {
    const gain = savingGain(replays, whole)
    const saving = sumReplays(replays).saving
    expect(gain).toEqual(saving)
    expect(savingGain(replays, replays)).toEqual({ value: 0, low: 0, high: 0 })
  })
})
