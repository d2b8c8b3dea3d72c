import type { PrintHolders } from './print-holders'
import { MOST_SOURCES } from './span-holders'
import { forPrints } from './winnowing'

/** A text that an argument has in common with earlier chunks. */
export type Copy = {
  /** Its beginning, as it is in the argument. */
  readonly text: string
  /** Share of all that the argument copied. */
  readonly share: number
  /** Chunks that have most of it, oldest first. */
  readonly sources: readonly number[]
}

/** Fewer fingerprints in common are chance, or a phrase. */
const LEAST_PRINTS = 3
/** Share of an argument that must be copied. */
const LEAST_SHARE = 0.2
/** A text with this share of what was copied could have given it: who copies also changes. */
const ENOUGH = 0.5
/** A summary with this share of it holds it. */
const SAME = 0.7
/** Places that one argument is put together from. */
const MOST_COPIES = 8
/** Of a copied text so much is kept to be shown. Characters. */
const MOST_TEXT = 240

/**
 * What an argument of a tool copied word for word from chunks before `end` (lib/docs/replay.md#copies): from each text
 * that has most of what is left, what it has.
 * @param groupOf the text that a chunk is a part of: blocks of one result may have it together
 */
export function copiesIn(
  text: string,
  holders: PrintHolders,
  end: number,
  groupOf: (chunk: number) => number,
): Copy[] {
  const places = new Map<number, { readonly from: number; readonly to: number }>()
  forPrints(text, (print, from, to) => {
    if (!places.has(print)) places.set(print, { from, to })
  })
  if (places.size < LEAST_PRINTS) return []
  const byGroup = new Map<number, Held>()
  let shared = 0
  for (const print of places.keys()) {
    const chunks = holders.latest(print, end)
    if (chunks.length > 0) shared += 1
    for (const chunk of chunks) {
      const group = groupOf(chunk)
      const held: Held = byGroup.get(group) ?? { prints: new Set(), chunks: new Map() }
      byGroup.set(group, held)
      held.prints.add(print)
      const own = held.chunks.get(chunk)
      if (own === undefined) held.chunks.set(chunk, new Set([print]))
      else own.add(print)
    }
  }
  if (shared < LEAST_PRINTS || shared < LEAST_SHARE * places.size) return []
  const copies: Copy[] = []
  while (copies.length < MOST_COPIES) {
    const best = richest(byGroup)
    if (best === null) break
    const sources = [...byGroup.values()]
      .filter(({ prints }) => countOf(best, prints) >= ENOUGH * best.size)
      .map(({ chunks }) => mostOf(chunks, best))
      .sort((a, b) => a - b)
      .slice(-MOST_SOURCES)
    const where = [...best].flatMap((print) => places.get(print) ?? [])
    const from = Math.min(...where.map((one) => one.from))
    const to = Math.max(...where.map((one) => one.to))
    copies.push({
      text: text.slice(from, Math.min(to, from + MOST_TEXT)),
      share: best.size / shared,
      sources,
    })
    for (const { prints } of byGroup.values()) for (const print of best) prints.delete(print)
  }
  return copies
}

/** What a text has of the fingerprints, and which of its chunks have which. */
type Held = { readonly prints: Set<number>; readonly chunks: Map<number, Set<number>> }

/** What the text with the most fingerprints has, the latest of equal ones; null when none has enough. */
function richest(byGroup: ReadonlyMap<number, Held>): ReadonlySet<number> | null {
  let best: Held | null = null
  for (const held of byGroup.values()) {
    const [size, most] = [held.prints.size, best?.prints.size ?? 0]
    if (size > most || (size === most && best !== null && lastOf(held) > lastOf(best))) best = held
  }
  return best === null || best.prints.size < LEAST_PRINTS ? null : new Set(best.prints)
}

function lastOf({ chunks }: Held): number {
  return Math.max(...chunks.keys())
}

/** The chunk that has most of the wanted fingerprints, the latest of equal ones. */
function mostOf(chunks: ReadonlyMap<number, ReadonlySet<number>>, wanted: ReadonlySet<number>): number {
  let [best, most] = [-1, -1]
  for (const [chunk, prints] of chunks) {
    const count = countOf(wanted, prints)
    if (count > most || (count === most && chunk > best)) [best, most] = [chunk, count]
  }
  return best
}

function countOf(wanted: ReadonlySet<number>, there: ReadonlySet<number>): number {
  let count = 0
  for (const print of wanted) if (there.has(print)) count += 1
  return count
}

/** Share of a text that paths take for it to be a list of them. */
const PATHS = 0.7

/** Whether a text is a list of paths, as of changed files: what it says is its paths. */
export function isPathList(text: string): boolean {
  const words = text.split(/\s+/)
  const length = words.reduce((sum, word) => sum + word.length, 0)
  const paths = words.filter((word) => /[\w.-]\/[\w.-]/.test(word) && !word.includes('://'))
  return paths.length > 1 && paths.reduce((sum, word) => sum + word.length, 0) >= PATHS * length
}

/** Share of a copied text whose fingerprints survive in another text for it to be held there. */
export function holdsCopy(text: string, copy: string): boolean {
  const wanted = printsOf(copy)
  if (wanted.size === 0) return text.includes(copy)
  return countOf(wanted, printsOf(text)) >= SAME * wanted.size
}

function printsOf(text: string): Set<number> {
  const prints = new Set<number>()
  forPrints(text, (print) => prints.add(print))
  return prints
}
