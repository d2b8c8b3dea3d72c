import { digitsTogether, endsOfLong, formsOf, MAX_WORD, type NormalWord, visitRuns } from './normal-words'

/** At most so many of the places in the table are taken, as a share. */
const FULL = 0.5
/** FNV-1a. */
const [FNV_START, FNV_PRIME] = [0x811c9dc5, 0x01000193]

/**
 * What was made of the words of texts, for those who read many: the same run of letters comes again and again, and is
 * found by its characters in the text, without a copy of it.
 */
export class RunTable<T> {
  /** Four numbers for each place, side by side: number of the run plus 1, hash, length, and where its characters are. */
  private slots = new Int32Array(4 << 12)
  /** The characters of all runs, one after the other. */
  private chars = new Uint16Array(1 << 16)
  private used = 0
  private readonly runs: string[] = []
  private readonly made: T[] = []

  /** @param make of the words of a run (`formsOf`); called once for most runs */
  constructor(private readonly make: (words: readonly NormalWord[]) => T) {}

  /** Calls `visit` with what was made of each run of a text, in order; see `forNormalWords`. */
  visit(text: string, visit: (made: T) => void): void {
    for (const part of endsOfLong(text)) this.visitPart(part, visit)
  }

  private visitPart(text: string, visit: (made: T) => void): void {
    let before = -1
    visitRuns(text, (from, to) => {
      if (to - from > MAX_WORD) {
        visit(this.make(formsOf(text.slice(from, to))))
        return
      }
      const number = this.numberOf(text, from, to)
      const both = before < 0 ? null : this.together(before, number)
      before = number
      visit(both ?? (this.made[number] as T))
    })
  }

  /** What is made of two neighbouring runs that are one number. */
  private together(before: number, number: number): T | null {
    const both = digitsTogether(this.runs[before] as string, this.runs[number] as string)
    return both === null ? null : this.make([{ whole: both, parts: [] }])
  }

  private numberOf(text: string, from: number, to: number): number {
    const { slots, chars } = this
    let hash = FNV_START
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
    const mask = slots.length - 1
    for (let slot = placeOf(hash, mask); ; slot = (slot + 4) & mask) {
      const number = (slots[slot] as number) - 1
      if (number < 0) return this.add(text.slice(from, to), hash, slot)
      if (slots[slot + 1] !== hash || slots[slot + 2] !== to - from) continue
      const start = (slots[slot + 3] as number) - from
      let at = from
      while (at < to && chars[start + at] === text.charCodeAt(at)) at += 1
      if (at === to) return number
    }
  }

  private add(run: string, hash: number, slot: number): number {
    const { slots } = this
    if (this.used + run.length > this.chars.length) {
      const more = new Uint16Array(this.chars.length * 2)
      more.set(this.chars)
      this.chars = more
    }
    for (let i = 0; i < run.length; i++) this.chars[this.used + i] = run.charCodeAt(i)
    const number = this.runs.push(run) - 1
    this.made.push(this.make(formsOf(run)))
    slots.set([number + 1, hash, run.length, this.used], slot)
    this.used += run.length
    if (this.runs.length * 4 > slots.length * FULL) this.grow()
    return number
  }

  private grow(): void {
    const { slots } = this
    const larger = new Int32Array(slots.length * 4)
    const mask = larger.length - 1
    for (let from = 0; from < slots.length; from += 4) {
      if (slots[from] === 0) continue
      let slot = placeOf(slots[from + 1] as number, mask)
      while (larger[slot] !== 0) slot = (slot + 4) & mask
      larger.set(slots.subarray(from, from + 4), slot)
    }
    this.slots = larger
  }
}

/** The first of four numbers. */
function placeOf(hash: number, mask: number): number {
  return ((hash ^ (hash >>> 15)) << 2) & mask
}
