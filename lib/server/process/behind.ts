import 'server-only'
import type { Milliseconds } from '../../core/units/units'
import { oncePerProcess } from './process-memory'

type Known<T> = { value: Promise<T> | null; at: Milliseconds; isMeasuring: boolean }

/**
 * What takes too long for a page to wait for it: the first one waits, every later one gets what is known, and when that
 * has become old it is worked out anew behind. A failure is shown by those who wait or ask next, and forgotten.
 * @param name the same name is the same memory, in every bundle of the process
 * @param freshMs so long it counts as it is
 */
export function behind<T>(name: string, freshMs: Milliseconds) {
  return (now: Milliseconds, measure: () => Promise<T>): Promise<T> => {
    const known = oncePerProcess(name, (): Known<T> => ({ value: null, at: 0, isMeasuring: false }))
    const { value } = known
    if (value !== null && (known.isMeasuring || now - known.at <= freshMs)) return value
    known.isMeasuring = true
    const next = measure()
    known.value = value ?? next
    next.then(
      () => Object.assign(known, { value: next, at: now, isMeasuring: false }),
      () => Object.assign(known, { value: null, isMeasuring: false }),
    )
    return known.value
  }
}
