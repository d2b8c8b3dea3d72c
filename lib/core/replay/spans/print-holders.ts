import { IntList } from '../int-list'
import { MOST_SOURCES } from './span-holders'

const LEAST_SLOTS = 1 << 12
/** Distinct fingerprints of one session that are followed: about 2.5 million words. New ones are passed over then. */
const MOST_PRINTS = 1 << 20
const FULL = 0.6

/** Which chunks of a session hold each fingerprint of copied text. */
export class PrintHolders {
  #prints = new Uint32Array(LEAST_SLOTS)
  /** By slot the last posting. */
  #last = new Int32Array(LEAST_SLOTS).fill(-1)
  #used = 0
  readonly #chunks = new IntList()
  readonly #before = new IntList()

  /** A chunk holds a fingerprint. Chunks come in order. */
  add(print: number, chunk: number): void {
    let slot = this.#slotOf(print)
    let last = this.#last[slot] as number
    if (last < 0) {
      if (this.#used >= MOST_PRINTS) return
      if (this.#used >= FULL * this.#prints.length) {
        this.#grow()
        slot = this.#slotOf(print)
      }
      this.#prints[slot] = print
      this.#used += 1
      last = -1
    }
    if (last >= 0 && this.#chunks.at(last) === chunk) return
    this.#last[slot] = this.#chunks.length
    this.#chunks.push(chunk)
    this.#before.push(last)
  }

  /** The latest chunks before `end` that hold a fingerprint, latest first. */
  latest(print: number, end: number): number[] {
    const found: number[] = []
    for (let at = this.#last[this.#slotOf(print)] as number; at >= 0; at = this.#before.at(at)) {
      const chunk = this.#chunks.at(at)
      if (chunk < end && found.push(chunk) === MOST_SOURCES) break
    }
    return found
  }

  /** Where a fingerprint is, or the free place where it belongs. */
  #slotOf(print: number): number {
    const mask = this.#prints.length - 1
    let slot = Math.imul(print, 0x9e3779b1) & mask
    while ((this.#last[slot] as number) >= 0 && this.#prints[slot] !== print) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [prints, last] = [this.#prints, this.#last]
    this.#prints = new Uint32Array(prints.length * 2)
    this.#last = new Int32Array(prints.length * 2).fill(-1)
    for (let i = 0; i < prints.length; i++) {
      if ((last[i] as number) < 0) continue
      const slot = this.#slotOf(prints[i] as number)
      this.#prints[slot] = prints[i] as number
      this.#last[slot] = last[i] as number
    }
  }
}
