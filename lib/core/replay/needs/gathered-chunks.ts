import { IntList } from '../int-list'
import { CHUNK_FLAGS, NEVER, REPLAY_KINDS, type ReplayChunks } from '../replay-session'

/** A chunk as it is added; sizes in estimator units. */
export type NewChunk = {
  readonly kind: (typeof REPLAY_KINDS)[number]
  readonly units: number
  /** What of it is thinking, which comes on top of `units` where the provider is sent it again. */
  readonly thinking: number
  /** Share of it that is left once its long arguments were cleared, 0 … 1. */
  readonly cleared: number
  readonly born: number
  /** The group it joins; null: a new one. */
  readonly group: number | null
  readonly block: number
  readonly tool: number
  readonly turn: number
  readonly flags: number
  readonly entry: number
  readonly from: number
  readonly to: number
}

/** Chunks of a session while they are gathered, one list for each of their columns. */
export class GatheredChunks {
  readonly #columns = {
    born: new IntList(),
    kind: new IntList(),
    group: new IntList(),
    block: new IntList(),
    tool: new IntList(),
    turn: new IntList(),
    flags: new IntList(),
    superseded: new IntList(),
    repeated: new IntList(),
    file: new IntList(),
    size: new IntList(),
    entry: new IntList(),
    from: new IntList(),
    to: new IntList(),
  }
  readonly #units: number[] = []
  readonly #thinking: number[] = []
  readonly #cleared: number[] = []
  #groups = 0

  get length(): number {
    return this.#units.length
  }

  get groups(): number {
    return this.#groups
  }

  /** @returns the number of the chunk */
  add(chunk: NewChunk): number {
    const { born, kind, group, block, tool, turn, flags, superseded, repeated, size } = this.#columns
    const { file, entry, from, to } = this.#columns
    born.push(chunk.born)
    kind.push(REPLAY_KINDS.indexOf(chunk.kind))
    group.push(chunk.group ?? this.newGroup())
    block.push(chunk.block)
    tool.push(chunk.tool)
    turn.push(chunk.turn)
    flags.push(chunk.flags)
    superseded.push(NEVER)
    repeated.push(NEVER)
    file.push(-1)
    size.push(0)
    entry.push(chunk.entry)
    from.push(chunk.from)
    to.push(chunk.to)
    this.#thinking.push(chunk.thinking)
    this.#cleared.push(chunk.cleared)
    return this.#units.push(chunk.units) - 1
  }

  /** The number of a group that chunks can join. */
  newGroup(): number {
    this.#groups += 1
    return this.#groups - 1
  }

  born(chunk: number): number {
    return this.#columns.born.at(chunk)
  }

  group(chunk: number): number {
    return this.#columns.group.at(chunk)
  }

  kind(chunk: number): number {
    return this.#columns.kind.at(chunk)
  }

  /** Sequence number of the entry that it is of. */
  entry(chunk: number): number {
    return this.#columns.entry.at(chunk)
  }

  /** What of its entry is no text, such as images, is in it as well. Units. */
  grow(chunk: number, units: number): void {
    this.#units[chunk] = this.units(chunk) + units
  }

  units(chunk: number): number {
    return this.#units[chunk] ?? 0
  }

  thinking(chunk: number): number {
    return this.#thinking[chunk] ?? 0
  }

  isReread(chunk: number): boolean {
    return (this.#columns.flags.at(chunk) & CHUNK_FLAGS.reread) !== 0
  }

  /** The chunk is of a call about a file, by the number of its path among the spans. */
  setFile(chunk: number, path: number): void {
    this.#columns.file.set(chunk, path)
  }

  file(chunk: number): number {
    return this.#columns.file.at(chunk)
  }

  /** From this call on something later takes the chunk's place; the first word counts. */
  supersede(chunk: number, call: number): void {
    const { superseded } = this.#columns
    superseded.set(chunk, Math.min(superseded.at(chunk), call))
  }

  /** From this call on the same call was answered again. */
  repeat(chunk: number, call: number): void {
    const { repeated } = this.#columns
    repeated.set(chunk, Math.min(repeated.at(chunk), call))
  }

  /** Shares out what a runtime charges for an entry over its chunks, from this one on; to the token. */
  charge(from: number, size: number): void {
    let all = 0
    for (let chunk = from; chunk < this.length; chunk++) all += this.units(chunk) + this.thinking(chunk)
    let [exact, given] = [0, 0]
    for (let chunk = from; chunk < this.length; chunk++) {
      exact += all > 0 ? (size * (this.units(chunk) + this.thinking(chunk))) / all : 0
      const whole = Math.round(exact) - given
      this.#columns.size.set(chunk, whole)
      given += whole
    }
  }

  /**
   * @param sizeOf tokens of a chunk by its units and its thinking
   * @param numberOf number that a span has in what is finished; -1: none
   */
  finish(
    sizeOf: (units: number, thinking: number) => number,
    numberOf: (span: number) => number,
  ): ReplayChunks {
    const { born, kind, group, block, tool, turn, flags, superseded, repeated, size } = this.#columns
    const { file, entry, from, to } = this.#columns
    const tokens = Int32Array.from(this.#units, (units, i) => Math.round(sizeOf(units, this.thinking(i))))
    return {
      count: this.length,
      tokens,
      size: size.toArray(),
      cleared: tokens.map((all, i) => Math.round(all * (this.#cleared[i] ?? 1))),
      born: born.toArray(),
      kind: Uint8Array.from(kind.toArray()),
      group: group.toArray(),
      block: block.toArray(),
      tool: tool.toArray(),
      turn: turn.toArray(),
      flags: Uint8Array.from(flags.toArray()),
      superseded: superseded.toArray(),
      repeated: repeated.toArray(),
      file: file.toArray().map(numberOf),
      entry: entry.toArray(),
      from: from.toArray(),
      to: to.toArray(),
    }
  }
}
