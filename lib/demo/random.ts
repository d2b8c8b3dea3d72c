/** A source of chance that gives the same sequence for the same seed, on every machine. */
export type Random = {
  /** A number from 0 up to, not including, 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number
  pick<T>(items: readonly T[]): T
  /** True with probability `p`. */
  chance(p: number): boolean
  /** `length` hexadecimal digits. */
  hex(length: number): string
  /** An id in the shape of a UUID. */
  uuid(): string
}

/** Mulberry32: small, fast, and good enough for made-up text (T. Ettinger, public domain). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const hex = (length: number) => {
    let text = ''
    while (text.length < length) {
      text += Math.floor(next() * 0x100000000)
        .toString(16)
        .padStart(8, '0')
    }
    return text.slice(0, length)
  }
  return {
    next,
    int,
    pick: (items) => {
      const item = items[int(0, items.length - 1)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    chance: (p) => next() < p,
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}
