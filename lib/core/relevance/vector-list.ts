/**
 * Vectors of one kind in one block of bytes, to compare one against all: a byte per dimension, each vector with its own
 * scale, so that 50,000 vectors of 512 dimensions take 25 MB. Rounding moves a cosine by less than 0.01.
 */
export class VectorList {
  private bytes: Int8Array
  private norms: Float64Array
  private count = 0

  constructor(
    readonly dimensions: number,
    capacity = 64,
  ) {
    this.bytes = new Int8Array(dimensions * capacity)
    this.norms = new Float64Array(capacity)
  }

  get size(): number {
    return this.count
  }

  /** @throws RangeError for a vector of another length: vectors of different origin never mix. */
  add(vector: Float32Array): number {
    const number = this.count
    if (number === this.norms.length) this.grow()
    const place = number * this.dimensions
    this.norms[number] = this.round(vector, this.bytes.subarray(place, place + this.dimensions))
    this.count += 1
    return number
  }

  /** Cosine of every vector with this one, −1 … 1, in their order; 0 where either is all zeros. */
  cosines(vector: Float32Array): Float64Array {
    const { bytes, dimensions } = this
    const query = new Int8Array(dimensions)
    const norm = this.round(vector, query)
    const cosines = new Float64Array(this.count)
    let at = 0
    for (let number = 0; number < this.count; number++) {
      let sum = 0
      for (let i = 0; i < dimensions; i++, at++) sum += (query[i] as number) * (bytes[at] as number)
      const both = norm * (this.norms[number] as number)
      cosines[number] = both === 0 ? 0 : Math.max(-1, Math.min(1, sum / both))
    }
    return cosines
  }

  /** Writes a vector as bytes and returns their length (the square root of the sum of squares). */
  private round(vector: Float32Array, into: Int8Array): number {
    if (vector.length !== this.dimensions)
      throw new RangeError(`a vector of ${vector.length} dimensions among vectors of ${this.dimensions}`)
    let largest = 0
    for (const value of vector) largest = Math.max(largest, Math.abs(value))
    if (largest === 0 || !Number.isFinite(largest)) return 0
    let square = 0
    for (let i = 0; i < vector.length; i++) {
      const byte = Math.round(((vector[i] as number) / largest) * 127)
      into[i] = byte
      square += byte * byte
    }
    return Math.sqrt(square)
  }

  private grow(): void {
    const bytes = new Int8Array(this.bytes.length * 2)
    bytes.set(this.bytes)
    const norms = new Float64Array(this.norms.length * 2)
    norms.set(this.norms)
    this.bytes = bytes
    this.norms = norms
  }
}
