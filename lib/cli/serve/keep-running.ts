import { setTimeout as wait } from 'node:timers/promises'
import type { Milliseconds } from '../../core/units/units'
import type { Child, ChildEnd } from './child'

const FIRST_PAUSE_MS = 1_000
export const LONGEST_PAUSE_MS = 60_000
/** A child that ran this long counts as healthy again. */
const HEALTHY_MS = 60_000

/** Length of the pause before the n-th restart in a row (from 1): doubling, up to a minute. Milliseconds. */
export function pauseBefore(restart: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (restart - 1))
}

/**
 * Keeps a child running until `signal` aborts: starts it again when it ends, after longer and longer pauses when it
 * keeps ending. Resolves when it has been stopped.
 */
export async function keepRunning(options: {
  readonly start: () => Child
  readonly signal: AbortSignal
  readonly onEnd: (end: ChildEnd, pauseMs: Milliseconds) => void
  readonly now: () => number
}): Promise<void> {
  const { start, signal, onEnd, now } = options
  let restarts = 0
  while (!signal.aborted) {
    const startedAt = now()
    const child = start()
    const stop = () => void child.stop()
    signal.addEventListener('abort', stop, { once: true })
    const end = await child.ended
    signal.removeEventListener('abort', stop)
    if (signal.aborted) return
    restarts = now() - startedAt > HEALTHY_MS ? 1 : restarts + 1
    const pauseMs = pauseBefore(restarts)
    onEnd(end, pauseMs)
    await wait(pauseMs, undefined, { signal }).catch(() => {})
  }
}
