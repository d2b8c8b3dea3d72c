/** A list of whole numbers of 32 bits that grows, in one block of memory. */
export class IntList {
  length = 0
  #items = new Int32Array(64)

  push(value: number): void {
    if (this.length === this.#items.length) {
      const larger = new Int32Array(this.#items.length * 2)
      larger.set(this.#items)
      this.#items = larger
    }
    this.#items[this.length] = value
    this.length += 1
  }

  at(place: number): number {
    return this.#items[place] as number
  }

  set(place: number, value: number): void {
    this.#items[place] = value
  }

  /** What is in it, as a copy. */
  toArray(): Int32Array {
    return this.#items.slice(0, this.length)
  }
}
