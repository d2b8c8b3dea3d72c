import type { Timer } from '../../engine/workspace/workspace'

/** Node's interval timer, not counted as work that a process waits for. */
export const unrefTimer: Timer = {
  every(ms, run) {
    const timer = setInterval(run, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}
