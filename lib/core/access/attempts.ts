import type { Milliseconds } from '../units/units'

/** So many wrong tokens cost an address nothing: people mistype. */
const FREE = 5
/** The pause after the first wrong token beyond that; it doubles with each one. Milliseconds. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/**
 * The same for all addresses together, since one who tries can have thousands. One address counts for `FREE` at most.
 */
const FREE_TOGETHER = 50
const LONGEST_PAUSE_TOGETHER_MS = 5_000
/** What was wrong is forgotten after so long without another try. Milliseconds. */
const FORGET_MS = 15 * 60_000
/** More addresses are not remembered; the one that was silent longest goes. */
const MAX_ADDRESSES = 1_000

type Tries = { readonly wrong: number; readonly lastAt: Milliseconds }

const NONE: Tries = { wrong: 0, lastAt: Number.NEGATIVE_INFINITY }

/** Wrong tokens, by address and together: each makes the next try wait longer. Times are milliseconds since 1970. */
export class Attempts {
  readonly #addresses = new Map<string, Tries>()
  /** Addresses that a right token came from. */
  readonly #known = new Set<string>()
  /** `wrong`: what counts for the pause; `all`: every one of them. */
  #together: Tries & { readonly all: number } = { ...NONE, all: 0 }

  /**
   * How long a token from this address is not examined. Milliseconds; 0: it is. An address that sent a right token once
   * waits for none but its own wrong ones.
   */
  waitFor(address: string, now: Milliseconds): number {
    const own = pauseAfter(this.#of(address, now), FREE, LONGEST_PAUSE_MS, now)
    if (this.#known.has(address)) return own
    return Math.max(
      own,
      pauseAfter(fresh(this.#together, now), FREE_TOGETHER, LONGEST_PAUSE_TOGETHER_MS, now),
    )
  }

  /** Notes a wrong token. Answers how many there were from there, and whether that is worth a line in the log. */
  wrong(address: string, now: Milliseconds): { readonly wrong: number; readonly log: boolean } {
    const wrong = this.#of(address, now).wrong + 1
    this.#addresses.delete(address)
    this.#addresses.set(address, { wrong, lastAt: now })
    dropOldest(this.#addresses)
    const together = isForgotten(this.#together, now) ? { wrong: 0, all: 0 } : this.#together
    const all = together.all + 1
    this.#together = { wrong: together.wrong + (wrong <= FREE ? 1 : 0), all, lastAt: now }
    // At 1, 2, 4, 8 …, of all together where there are many: an attacker cannot fill a disk.
    return { wrong, log: isPowerOfTwo(all <= FREE_TOGETHER ? wrong : all) }
  }

  /** A right token clears its address. */
  right(address: string): void {
    this.#addresses.delete(address)
    this.#known.delete(address)
    this.#known.add(address)
    dropOldest(this.#known)
  }

  #of(address: string, now: Milliseconds): Tries {
    return fresh(this.#addresses.get(address) ?? NONE, now)
  }
}

function dropOldest(addresses: Pick<Set<string>, 'size' | 'keys' | 'delete'>): void {
  for (const oldest of addresses.keys()) {
    if (addresses.size <= MAX_ADDRESSES) break
    addresses.delete(oldest)
  }
}

function fresh(tries: Tries, now: Milliseconds): Tries {
  return isForgotten(tries, now) ? NONE : tries
}

function isForgotten({ lastAt }: Tries, now: Milliseconds): boolean {
  return now - lastAt > FORGET_MS
}

function pauseAfter({ wrong, lastAt }: Tries, free: number, longest: number, now: Milliseconds): number {
  if (wrong < free) return 0
  const pause = Math.min(longest, FIRST_PAUSE_MS * 2 ** Math.min(wrong - free, 30))
  return Math.max(0, lastAt + pause - now)
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0
}
