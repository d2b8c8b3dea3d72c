/** What is read is not what was written: another form, or damaged. */
export class BadBytes extends Error {}

/** Reads what `ByteWriter` wrote. Never beyond the end. @throws BadBytes */
export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  /** Bytes that follow. */
  get left(): number {
    return this.#bytes.length - this.#at
  }

  count(): number {
    let value = 0
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#at]
      if (byte === undefined || scale > 2 ** 49) throw new BadBytes('a number has no end')
      this.#at += 1
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }

  /** A number of things of at least so many bytes each: no more than can still follow. */
  size(each: number): number {
    const size = this.count()
    if (size * each > this.left) throw new BadBytes('more is announced than follows')
    return size
  }

  signed(): number {
    const value = this.count()
    const signed = value % 2 === 1 ? -(value + 1) / 2 : value / 2
    if (signed < -0x80000000 || signed > 0x7fffffff) throw new BadBytes('a number is too large')
    return signed
  }

  double(): number {
    this.#need(8)
    const value = this.#view.getFloat64(this.#at, true)
    this.#at += 8
    return value
  }

  text(): string {
    const bytes = this.raw(this.size(1))
    try {
      return this.#decoder.decode(bytes)
    } catch {
      throw new BadBytes('a text is no UTF-8')
    }
  }

  raw(length: number): Uint8Array {
    this.#need(length)
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  #need(length: number): void {
    if (length > this.left) throw new BadBytes('it ends too early')
  }
}
