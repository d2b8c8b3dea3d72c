import { expect, it } from 'vitest'
import { LOCK_TIMES, lockTimes } from './lock-times'

it('M4 M5 M7 waits ten seconds and holds five minutes, as OpenClaw does', () => {
  expect(lockTimes({})).toEqual({ acquireTimeoutMs: 10_000, maxHoldMs: 300_000, staleMs: 1_800_000 })
})

it('M4 follows the environment of the runtime, then its configuration, and skips what is no time', () => {
  const env = {
    OPENCLAW_SESSION_WRITE_LOCK_ACQUIRE_TIMEOUT_MS: ' Infinity ',
    OPENCLAW_SESSION_WRITE_LOCK_STALE_MS: 'Infinity',
    OPENCLAW_SESSION_WRITE_LOCK_MAX_HOLD_MS: '12s',
  }
  expect(lockTimes(env, { acquireTimeoutMs: 5, staleMs: 70, maxHoldMs: 80 })).toEqual({
    acquireTimeoutMs: Number.POSITIVE_INFINITY,
    staleMs: 70,
    maxHoldMs: 80,
  })
  expect(lockTimes({}, { acquireTimeoutMs: -1, staleMs: '70', maxHoldMs: 0.5 })).toEqual(LOCK_TIMES)
  expect(lockTimes({}, [])).toEqual(LOCK_TIMES)
})
