import type { PruneCall } from '../../pruning/prune-message'
import { spanKey } from './span-key'

/** Chunks that hold what was read or written of a file, and which lines; '' for all of it. */
type Version = { readonly how: 'read' | 'write'; readonly range: string; readonly chunks: readonly number[] }

/**
 * Follows what a session knows of each file. What was read goes out of date once all of it, or the same lines, are read
 * again or the file is written anew or removed; what was written once it is written anew, removed, or read as a whole.
 * An edit leaves both mostly true.
 */
export class FileVersions {
  readonly #files = new Map<string, Version[]>()
  readonly #cwd: string | null

  constructor(cwd: string | null) {
    this.#cwd = cwd
  }

  /**
   * A call went well.
   * @param written the chunk of its arguments
   * @param read the chunks of its result
   * @returns the chunks that are out of date from here on
   */
  done({ touches }: Pick<PruneCall, 'touches'>, written: number, read: readonly number[]): number[] {
    const old: number[] = []
    for (const { path, how, range } of touches) {
      const key = spanKey({ kind: 'path', text: path }, this.#cwd)
      const before = this.#files.get(key) ?? []
      const isAnew = how === 'create' || how === 'delete'
      const isOld = (version: Version) =>
        isAnew || (how === 'read' && (range === '' || (version.how === 'read' && version.range === range)))
      const stays: Version[] = []
      for (const version of before) {
        if (isOld(version)) old.push(...version.chunks)
        else stays.push(version)
      }
      // A call that did something to several files is not done with because one of them is.
      if (touches.length === 1 && how !== 'delete')
        stays.push(
          how === 'read' ? { how, range, chunks: read } : { how: 'write', range: '', chunks: [written] },
        )
      this.#files.set(key, stays)
    }
    return old
  }
}
