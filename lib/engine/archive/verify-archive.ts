import { blockSize, versionName as nameOf } from '../../core/archive/archived-version'
import type { Bytes } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import type { Hasher } from '../write/write-ports'
import { ArchiveDamage, type ArchiveFolder } from './archive-ports'

/** A copy that cannot be given back as it was. */
type DamagedCopy = {
  readonly name: string
  /** Path of the transcript; null when the copy's own file cannot be understood. */
  readonly path: string | null
  readonly problem: string
}

export type ArchiveCheck = {
  readonly copies: number
  readonly blocks: number
  /** Unpacked; each block once. */
  readonly bytes: Bytes
  readonly damaged: readonly DamagedCopy[]
  /** Blocks that no copy names; harmless, and taken away by `prune`. */
  readonly unused: number
}

/** Unpacks every block that a copy names, once, and compares it with its hash. Changes nothing. */
export async function verifyArchive(
  { folder, sha256 }: { readonly folder: ArchiveFolder; readonly sha256: () => Hasher },
  signal?: AbortSignal,
): Promise<ArchiveCheck> {
  const problems = new Map<string, string | null>()
  const damaged: DamagedCopy[] = []
  let copies = 0
  let bytes = 0
  for await (const found of folder.versions()) {
    copies++
    if ('problem' in found) {
      damaged.push({ ...found, path: null })
      continue
    }
    const { version } = found
    const whole = version.sha256 === null ? null : sha256()
    let problem: string | null = null
    for (const [at, hash] of version.blocks.entries()) {
      signal?.throwIfAborted()
      const known = problems.get(hash)
      const size = blockSize(version, at)
      // Of blocks that were seen already only those that the hash of the whole needs are read again.
      if (known === undefined || (known === null && whole !== null)) {
        try {
          const block = await folder.block(hash, size)
          whole?.update(block)
          if (known === undefined) bytes += size
          problems.set(hash, null)
        } catch (error) {
          if (!(error instanceof ArchiveDamage)) throw error
          problems.set(hash, reasonOf(error))
        }
      }
      problem = problems.get(hash) ?? null
      if (problem !== null) break
    }
    if (problem === null && whole !== null && whole.digest() !== version.sha256) {
      problem = 'its blocks do not fit together'
    }
    if (problem !== null) damaged.push({ name: nameOf(version), path: version.path, problem })
  }
  const stored = await folder.blocks()
  const unused = [...stored.keys()].filter((hash) => !problems.has(hash)).length
  return { copies, blocks: problems.size, bytes, damaged, unused }
}
