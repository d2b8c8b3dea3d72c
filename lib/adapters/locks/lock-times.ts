import type { Milliseconds } from '../../core/units/units'
/** The times of the lock protocol, in milliseconds. */
export type LockTimes = {
  /** How long to wait for another owner. */
  readonly acquireTimeoutMs: Milliseconds
  /** From which age on a lock that names no process no longer counts, if that is less than half a minute. */
  readonly staleMs: Milliseconds
  /** How long a lock may last. */
  readonly maxHoldMs: Milliseconds
}

/**
 * Defaults of OpenClaw's first generation; the later one waits 60 s, and has the same other two
 * (lib/docs/openclaw.md#locks).
 */
export const LOCK_TIMES: LockTimes = { acquireTimeoutMs: 10_000, staleMs: 30 * 60_000, maxHoldMs: 5 * 60_000 }

const VARIABLES: { readonly [key in keyof LockTimes]: string } = {
  acquireTimeoutMs: 'OPENCLAW_SESSION_WRITE_LOCK_ACQUIRE_TIMEOUT_MS',
  staleMs: 'OPENCLAW_SESSION_WRITE_LOCK_STALE_MS',
  maxHoldMs: 'OPENCLAW_SESSION_WRITE_LOCK_MAX_HOLD_MS',
}

/**
 * The times that the runtime of a store keeps: its environment first, then `session.writeLock` of its configuration.
 * As there, a value that is no positive whole number counts as absent; only the wait may be endless.
 *
 * @param settings the value of `session.writeLock`, unchecked
 */
export function lockTimes(
  env: Readonly<Record<string, string | undefined>>,
  settings: unknown = undefined,
): LockTimes {
  const time = (key: keyof LockTimes): number => {
    const endless = key === 'acquireTimeoutMs'
    return (
      fromText(env[VARIABLES[key]]?.trim() ?? '', endless) ??
      positive(field(settings, key), endless) ??
      LOCK_TIMES[key]
    )
  }
  return {
    acquireTimeoutMs: time('acquireTimeoutMs'),
    staleMs: time('staleMs'),
    maxHoldMs: time('maxHoldMs'),
  }
}

function field(settings: unknown, key: string): unknown {
  if (typeof settings !== 'object' || settings === null) return undefined
  return Object.entries(settings).find(([name]) => name === key)?.[1]
}

function fromText(text: string, endless: boolean): number | null {
  if (text === 'Infinity') return endless ? Number.POSITIVE_INFINITY : null
  return /^\d+$/.test(text) ? positive(Number(text), endless) : null
}

function positive(value: unknown, endless: boolean): number | null {
  if (typeof value !== 'number' || !(value > 0)) return null
  if (value === Number.POSITIVE_INFINITY) return endless ? value : null
  return Number.isSafeInteger(value) ? value : null
}
