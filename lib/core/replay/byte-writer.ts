/** Writes whole numbers as few bytes as they need, and texts, one behind another. */
export class ByteWriter {
  #bytes = new Uint8Array(4_096)
  #length = 0

  /** A number from 0 up to 2^53, seven bits a byte. */
  count(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.#put((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.#put(rest)
  }

  /** A number of 32 bits of either sign; small ones take a byte. */
  signed(value: number): void {
    this.count(value < 0 ? -2 * value - 1 : 2 * value)
  }

  /** Eight bytes, whatever the number. */
  double(value: number): void {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setFloat64(0, value, true)
    this.raw(bytes)
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value)
    this.count(bytes.length)
    this.raw(bytes)
  }

  raw(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }

  #put(byte: number): void {
    this.#room(1)
    this.#bytes[this.#length] = byte
    this.#length += 1
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
