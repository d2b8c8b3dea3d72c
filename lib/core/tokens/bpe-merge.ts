/** Longest token of the vocabularies, in bytes; nothing longer needs to be looked up. */
const LONGEST_TOKEN = 128

/** Ranks and places of a queue entry share one number, so that comparing numbers orders by rank, then by place. */
const PLACES = 2 ** 26

/**
 * Tokens that byte pair encoding makes of a piece: the two neighbours whose union ranks lowest become one, the leftmost
 * first, until no union is a token. With a queue of candidates this takes n log n steps, however long the piece is.
 *
 * @param bytes the piece in UTF-8, one character per byte, fewer than 64 MB
 */
export function mergedTokens(bytes: string, ranks: ReadonlyMap<string, number>): number {
  const length = bytes.length
  if (length < 2) return length
  // Parts by the place of their first byte: where they end, and where the one before begins (-1: none).
  const ends = new Int32Array(length)
  const befores = new Int32Array(length)
  for (let i = 0; i < length; i++) {
    ends[i] = i + 1
    befores[i] = i - 1
  }
  const queue = new Queue()
  const offer = (start: number) => {
    const middle = ends[start] ?? length
    if (middle >= length) return
    const rank = unionRank(bytes, ranks, start, ends[middle] ?? length)
    if (rank !== undefined) queue.push(rank * PLACES + start)
  }
  for (let i = 0; i < length - 1; i++) offer(i)
  let tokens = length
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const start = next % PLACES
    const middle = ends[start] ?? 0
    // A candidate is stale when one of its parts has been merged since.
    if (middle === 0 || middle >= length) continue
    const end = ends[middle] ?? length
    if (unionRank(bytes, ranks, start, end) !== Math.floor(next / PLACES)) continue
    ends[start] = end
    ends[middle] = 0
    if (end < length) befores[end] = start
    tokens -= 1
    offer(start)
    const before = befores[start] ?? -1
    if (before >= 0) offer(before)
  }
  return tokens
}

function unionRank(
  bytes: string,
  ranks: ReadonlyMap<string, number>,
  start: number,
  end: number,
): number | undefined {
  return end - start > LONGEST_TOKEN ? undefined : ranks.get(bytes.slice(start, end))
}

/** A heap of numbers, the smallest first. */
class Queue {
  readonly #items: number[] = []

  push(item: number): void {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = items[parent] ?? 0
      if (above <= item) break
      items[at] = above
      at = parent
    }
    items[at] = item
  }

  pop(): number | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && (items[child + 1] ?? 0) < (items[child] ?? 0)) child += 1
      const below = items[child] ?? 0
      if (below >= last) break
      items[at] = below
      at = child
    }
    items[at] = last
    return first
  }
}
