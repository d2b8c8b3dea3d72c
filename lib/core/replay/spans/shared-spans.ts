/** Pairs of an owner and a span that are held at most: 16 MB. Beyond, spans are counted by a sample of them. */
const MOST_PAIRS = 1 << 22
/** Owners that rarity is reckoned over at least: two of two say little (lib/docs/relevance.md#spans). */
const LEAST_OWNERS = 8
const GRAIN = 1_000
const ALL = 2 ** 32

/** How common spans are over the owners of sessions. Arrays can be shared with threads. */
export type SharedSpans = {
  readonly owners: number
  /** Spans that more than one owner has, as rising hashes, and how rare each is, in thousandths. */
  readonly hashes: Uint32Array
  readonly rarity: Uint16Array
  /** Share of all spans that was counted; the others count as rare. 1 unless there are very many. */
  readonly counted: number
}

/**
 * Counts how many owners have each span, over sessions in any order: the same sessions give the same counts. Bounded: the
 * spans with the largest hashes are left out, half of them at a time, while there are too many.
 */
export class SharedSpanCount {
  readonly #byOwner = new Map<string, Uint32Array>()
  #pairs = 0
  #below = ALL

  constructor(private readonly mostPairs: number = MOST_PAIRS) {}

  /** A session of this owner has these spans. @param hashes rising (`spanHash`) */
  add(owner: string, hashes: Uint32Array): void {
    const known = this.#byOwner.get(owner) ?? new Uint32Array()
    const both = union(known, upTo(hashes, this.#below))
    this.#byOwner.set(owner, both)
    this.#pairs += both.length - known.length
    while (this.#pairs > this.mostPairs) this.#halve()
  }

  finish(): SharedSpans {
    const owners = this.#byOwner.size
    const all = new Uint32Array(owners < 2 ? 0 : this.#pairs)
    let end = 0
    for (const list of owners < 2 ? [] : this.#byOwner.values()) {
      all.set(list, end)
      end += list.length
    }
    all.sort()
    const most = Math.log(Math.max(LEAST_OWNERS, owners))
    const shared = eachRun(all, () => undefined)
    const hashes = new Uint32Array(new SharedArrayBuffer(4 * shared))
    const rarity = new Uint16Array(new SharedArrayBuffer(2 * shared))
    let at = 0
    eachRun(all, (hash, count) => {
      hashes[at] = hash
      rarity[at++] = Math.max(0, Math.round(GRAIN * (1 - Math.log(count) / most)))
    })
    return { owners, hashes, rarity, counted: this.#below / ALL }
  }

  #halve(): void {
    this.#below /= 2
    this.#pairs = 0
    for (const [owner, list] of this.#byOwner) {
      const kept = upTo(list, this.#below).slice()
      this.#byOwner.set(owner, kept)
      this.#pairs += kept.length
    }
  }
}

/** How rare a span is, 0 … 1: 1 when no other owner has it. */
export function rarityOf({ hashes, rarity }: Pick<SharedSpans, 'hashes' | 'rarity'>, hash: number): number {
  const at = placeOf(hashes, hash)
  return hashes[at] === hash ? (rarity[at] as number) / GRAIN : 1
}

/** The first place in a rising list whose value is not below this one. */
function placeOf(list: Uint32Array, value: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

function upTo(list: Uint32Array, below: number): Uint32Array {
  return below === ALL ? list : list.subarray(0, placeOf(list, below))
}

function union(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length === 0) return b.slice()
  const both = new Uint32Array(a.length + b.length)
  let [i, j, count] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const [x, y] = [a[i] as number, b[j] as number]
    both[count++] = Math.min(x, y)
    if (x <= y) i += 1
    if (y <= x) j += 1
  }
  for (; i < a.length; i++) both[count++] = a[i] as number
  for (; j < b.length; j++) both[count++] = b[j] as number
  return both.slice(0, count)
}

/** Calls back for each value that is there more than once; answers how many there are. */
function eachRun(sorted: Uint32Array, visit: (value: number, count: number) => void): number {
  let runs = 0
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1
    while (sorted[to] === sorted[from]) to += 1
    if (to - from > 1) {
      runs += 1
      visit(sorted[from] as number, to - from)
    }
    from = to
  }
  return runs
}
