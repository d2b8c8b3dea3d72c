import type { ColdChunk, ColdStore, StoredChunk } from '../../engine/cold/cold-store'
import { takesLater } from '../../engine/cold/drop-to-cold'

/** A cold store that tells what was put into it since it was asked last. */
export class RecordingCold implements ColdStore {
  /** What was stored by each call, oldest first. */
  private stored: (() => readonly StoredChunk[])[] = []
  readonly putLater: ColdStore['putLater']

  constructor(private readonly store: ColdStore) {
    if (!takesLater(store)) return
    this.putLater = (make) => {
      const made = store.putLater(make)
      this.stored.push(made)
      return made
    }
  }

  get root(): string {
    return this.store.root
  }

  async put(...given: Parameters<ColdStore['put']>): ReturnType<ColdStore['put']> {
    const stored = await this.store.put(...given)
    this.stored.push(() => stored)
    return stored
  }

  list(): ReturnType<ColdStore['list']> {
    return this.store.list()
  }

  extend(chunks: readonly ColdChunk[], until: number): Promise<number> {
    return this.store.extend(chunks, until)
  }

  async remove(chunks: readonly ColdChunk[]): Promise<number> {
    const removed = await this.store.remove(chunks)
    const gone = new Set(chunks.map(({ file, chunkId }) => `${file}\n${chunkId}`))
    const left = this.stored
      .flatMap((stored) => stored())
      .filter(({ file, record }) => !gone.has(`${file}\n${record.chunkId}`))
    this.stored = left.length === 0 ? [] : [() => left]
    return removed
  }

  /** What has gone into it and stayed there, oldest first: made when it is asked for. null: nothing has. */
  takeStored(): (() => readonly StoredChunk[]) | null {
    const taken = this.stored
    this.stored = []
    return taken.length === 0 ? null : () => taken.flatMap((stored) => stored())
  }
}
