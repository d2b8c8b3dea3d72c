import { versionName } from '../../core/archive/archived-version'
import {
  type ArchivePruning,
  type PrunableCopy,
  type PruneRequest,
  planPrune,
} from '../../core/archive/prune-plan'
import type { Clock } from '../read/ports'
import type { ArchiveFolder } from './archive-ports'

export type PruneIo = { readonly folder: ArchiveFolder; readonly clock: Clock }
export type PruneWanted = Pick<PruneRequest, 'keepMs' | 'quotaBytes' | 'goal' | 'named'>

/** A name begins with the id of its transcript. */
const ID_DIGITS = 16

/** What would leave the archive. Changes nothing. */
export async function tryPrune({ folder, clock }: PruneIo, wanted: PruneWanted): Promise<ArchivePruning> {
  const gone = new Map((await folder.marks()).map(({ id, at }) => [id, at]))
  const copies: PrunableCopy[] = []
  for await (const found of folder.versions()) {
    if ('problem' in found) {
      const id = found.name.slice(0, ID_DIGITS)
      // Its blocks are not known, so that of no block it can be said that nothing names it.
      if (!wanted.named.has(id)) throw new UnreadableCopy(found.problem)
      copies.push({ name: found.name, id, since: null, isReplaced: false, blocks: [], bytes: 0 })
      continue
    }
    const { version, bytes } = found
    const { id, blocks, replacedAt } = version
    const since = replacedAt ?? gone.get(id) ?? null
    copies.push({ name: versionName(version), id, since, isReplaced: replacedAt !== null, blocks, bytes })
  }
  return planPrune({ ...wanted, copies, blocks: await folder.blocks(), now: clock.now() })
}

/** A file that names blocks cannot be understood; nothing is taken away then. */
export class UnreadableCopy extends Error {
  override readonly name = 'UnreadableCopy'
}

/**
 * Takes away what `tryPrune` answers: first what names blocks, then the blocks that nothing names any more. Wherever it
 * ends, each copy that is left is whole. To be called inside `ArchiveFolder.alone`.
 */
export async function pruneArchive(io: PruneIo, wanted: PruneWanted): Promise<ArchivePruning> {
  await io.folder.tidy()
  const plan = await tryPrune(io, wanted)
  const { folder } = io
  await folder.removeVersions(plan.remove.map(({ name }) => name))
  await folder.removeBlocks(plan.blocks)
  const left = new Set<string>()
  for await (const found of folder.versions()) if ('version' in found) left.add(found.version.id)
  await folder.removeMarks([...new Set(plan.remove.map(({ id }) => id))].filter((id) => !left.has(id)))
  return plan
}
