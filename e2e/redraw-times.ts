import { expect, test } from '@playwright/test'
import { crowding } from './crowding'

const ROUNDS = 3
/** From input to paint. Milliseconds. */
const REDRAW = 50
/** From a change of a file to the page. Milliseconds. */
const NEWS = 1_000

/** Holds the median of redraws against 50 ms. How slow the slowest were is in the report; the bench holds those. */
export function expectQuickRedraws(what: string, measure: () => Promise<number[]>): Promise<void> {
  return expectQuick(what, 0.5, REDRAW, measure)
}

/** Expects that every change of a round is on the page within a second, or within `limit` milliseconds. */
export function expectQuickNews(what: string, measure: () => Promise<number[]>, limit = NEWS): Promise<void> {
  return expectQuick(what, 1, limit, measure)
}

/**
 * Holds times against a limit, in the best of three rounds: on a busy machine others take their turns in between, and
 * what is slow by itself is slow in every round. Where the machine is crowded the limit is as many times higher.
 * @param share of the times of a round that are within the limit
 * @param measure one round: the times of its steps in milliseconds
 */
async function expectQuick(
  what: string,
  share: number,
  limit: number,
  measure: () => Promise<number[]>,
): Promise<void> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && best > limit; round++) {
    const crowd = crowding()
    const times = (await measure()).map((time) => time / crowd).sort((a, b) => a - b)
    const at = (part: number) => times[Math.ceil(times.length * part) - 1] ?? Number.POSITIVE_INFINITY
    test.info().annotations.push({
      type: 'time',
      description: `${what}: median ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, worst ${at(1).toFixed(1)} ms${crowd === 1 ? '' : `, on a machine ${crowd.toFixed(1)} times as slow`}`,
    })
    best = Math.min(best, at(share))
  }
  expect(best, `${what}: ${share === 1 ? 'worst' : 'median'}`).toBeLessThanOrEqual(limit)
}
