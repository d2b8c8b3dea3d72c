import 'server-only'
import { setImmediate } from 'node:timers/promises'
import type { InTurns } from '../../engine/summary/write-summary'

/** Other requests wait no longer than this for a long piece of work. Milliseconds. */
const AT_ONCE = 8

/** Runs work that pauses, and serves other requests in between. */
export const inTurns: InTurns = async (steps) => {
  for (let since = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - since < AT_ONCE) continue
    await setImmediate()
    since = performance.now()
  }
}
