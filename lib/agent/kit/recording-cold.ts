import { append } from '../../core/lists/long-lists'
import type { ColdChunk, ColdStore, StoredChunk } from '../../engine/cold/cold-store'

/** A cold store that tells what was put into it since it was asked last. */
export class RecordingCold implements ColdStore {
  private stored: StoredChunk[] = []

  constructor(private readonly store: ColdStore) {}

  get root(): string {
    return this.store.root
  }

  async put(...given: Parameters<ColdStore['put']>): ReturnType<ColdStore['put']> {
    const stored = await this.store.put(...given)
    append(this.stored, stored)
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
    this.stored = this.stored.filter(({ file, record }) => !gone.has(`${file}\n${record.chunkId}`))
    return removed
  }

  /** What has gone into it and stayed there, oldest first. */
  takeStored(): readonly StoredChunk[] {
    return this.stored.splice(0)
  }
}
