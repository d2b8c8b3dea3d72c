/**
 * The call that a key moves to; null when the key means nothing to the scrubber. One call with an arrow, ten with
 * Shift or a page key, the first and last with Home and End. Clipped to 1 … `calls`.
 */
export function scrubbedTo(
  key: string,
  input: { readonly call: number; readonly calls: number; readonly shift: boolean },
): number | null {
  const { call, calls, shift } = input
  const step = shift ? 10 : 1
  const target = targetOf(key, call, calls, step)
  return target === null ? null : clampCall(target, calls)
}

function targetOf(key: string, call: number, calls: number, step: number): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return call - step
    case 'ArrowRight':
    case 'ArrowUp':
      return call + step
    case 'PageUp':
      return call + 10
    case 'PageDown':
      return call - 10
    case 'Home':
      return 1
    case 'End':
      return calls
    default:
      return null
  }
}

/** The call that a typed text names, the nearest that exists; null when it is no number. `1 204` is one. */
export function callNamed(text: string, calls: number): number | null {
  const digits = text.replace(/[\s\u202f,]/g, '')
  return /^\d{1,9}$/.test(digits) ? clampCall(Number(digits), calls) : null
}

/** The nearest call that exists; 1 when there is none. */
export function clampCall(n: number, calls: number): number {
  return Math.min(Math.max(1, Math.round(n)), Math.max(1, calls))
}

/** Calls that travel together: the page of a call is asked for as a whole, with its neighbours. */
const CALLS_PER_PAGE = 200

/** The page, from 0, on which call `n` is. */
export function pageOfCall(n: number): number {
  return Math.floor((n - 1) / CALLS_PER_PAGE)
}

/** Calls of a page, both included. One earlier call comes along, so that every call has its predecessor beside it. */
export function callsOfPage(page: number): { readonly from: number; readonly to: number } {
  return { from: Math.max(1, page * CALLS_PER_PAGE), to: (page + 1) * CALLS_PER_PAGE }
}

/** A stretch of calls on screen. */
export type CallRange = { readonly from: number; readonly to: number }

/** The range moved by as little as needed to show call `n`; the same object when it shows it already. */
export function rangeShowing(range: CallRange, n: number, calls: number): CallRange {
  if (n >= range.from && n <= range.to) return range
  const span = range.to - range.from
  const from = n < range.from ? n : n - span
  return clampRange({ from, to: from + span }, calls)
}

/** The range inside 1 … `calls`, of the same width where that fits. */
export function clampRange(range: CallRange, calls: number): CallRange {
  const span = Math.min(range.to - range.from, Math.max(0, calls - 1))
  const from = Math.min(Math.max(1, Math.round(range.from)), Math.max(1, calls - span))
  return { from, to: from + Math.round(span) }
}
