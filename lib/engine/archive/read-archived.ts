import { type ArchivedVersion, blockSize } from '../../core/archive/archived-version'
import type { Hasher } from '../write/write-ports'
import { ArchiveDamage, type ArchiveFolder } from './archive-ports'

/**
 * The bytes of an archived version, block by block, each checked against its hash and all of them against that of the
 * whole, if it is known.
 * @throws ArchiveDamage before anything that is not as it was, or at the end
 */
export async function* readArchived(
  { folder, sha256 }: { readonly folder: Pick<ArchiveFolder, 'block'>; readonly sha256: () => Hasher },
  version: ArchivedVersion,
): AsyncGenerator<Uint8Array> {
  const whole = sha256()
  for (const [at, hash] of version.blocks.entries()) {
    const block = await folder.block(hash, blockSize(version, at))
    whole.update(block)
    yield block
  }
  if (version.sha256 !== null && whole.digest() !== version.sha256) {
    throw new ArchiveDamage(
      `The copy of ${version.path} is not what was copied: its blocks do not fit together.`,
    )
  }
}
