import type { Rarity } from '../../core/replay/needs'

/** Places that rarity is reckoned over at least: two of two sessions say little (lib/docs/relevance.md#spans). */
const LEAST_PLACES = 8
/** Owners are told apart by one bit of so many. */
const BITS = 32
const [LEAST_SLOTS, MOST_SLOTS] = [1 << 12, 1 << 22]
/** Half full, and it grows. */
const FULL = 0.6

/**
 * In how many workspaces each span occurs, counted in one pass over sessions in any order. A span takes eight bytes: a
 * hash of it, and the owners that have it as bits, from which their number follows (linear counting: exact for few of
 * them, ± 10 % for thirty). Bounded: after about 2.5 million spans, new ones count as rare.
 */
export class RarityTable {
  #hashes: Uint32Array
  #owners: Uint32Array
  #used = 0
  #places = 0

  constructor() {
    this.#hashes = new Uint32Array(LEAST_SLOTS)
    this.#owners = new Uint32Array(LEAST_SLOTS)
  }

  /** The owner has a span. */
  add(owner: string, span: string): void {
    const bit = 1 << (hashOf(owner) % BITS)
    this.#places |= bit
    const hash = hashOf(span) || 1
    let slot = this.#slotOf(hash)
    if (this.#hashes[slot] === 0) {
      if (this.#used >= FULL * this.#hashes.length) {
        if (this.#hashes.length >= MOST_SLOTS) return
        this.#grow()
        slot = this.#slotOf(hash)
      }
      this.#hashes[slot] = hash
      this.#used += 1
    }
    this.#owners[slot] = (this.#owners[slot] as number) | bit
  }

  /** Owners that spans were counted of, about. */
  get places(): number {
    return countOf(this.#places)
  }

  /** How rare a span is: 1 in one place only, 0 everywhere. */
  readonly rarity: Rarity = (span) => {
    const slot = this.#slotOf(hashOf(span) || 1)
    const holders = this.#hashes[slot] === 0 ? 1 : countOf(this.#owners[slot] as number)
    return Math.max(0, 1 - Math.log(Math.max(1, holders)) / Math.log(Math.max(LEAST_PLACES, this.places)))
  }

  /** Where a hash is, or the free place where it belongs. There is always a free one. */
  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1
    let slot = Math.imul(hash, 0x9e3779b1) & mask
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [hashes, owners] = [this.#hashes, this.#owners]
    this.#hashes = new Uint32Array(hashes.length * 2)
    this.#owners = new Uint32Array(hashes.length * 2)
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i] as number
      if (hash === 0) continue
      const slot = this.#slotOf(hash)
      this.#hashes[slot] = hash
      this.#owners[slot] = owners[i] as number
    }
  }
}

/** How many owners the bits are of: a bit may be several owners', the more the more are set. */
function countOf(bits: number): number {
  let set = 0
  for (let rest = bits >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) set += 1
  if (set <= 1) return set
  return set === BITS ? BITS * Math.log(BITS) : -BITS * Math.log(1 - set / BITS)
}

/** FNV-1a over the UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  // The last characters reach the low bits only.
  hash ^= hash >>> 15
  return Math.imul(hash, 0x85ebca6b) >>> 0
}
