import type { Receipt } from './receipt'
import { Refused } from './refusal'
import type { ReadReceipt, WriteFiles, Writer } from './write-ports'

/** Leave to act on a receipt that was written before receipts were signed. */
export type UnsignedLeave = {
  /** Folders that are known otherwise: stores, cold storage, logs. Real paths. */
  readonly roots: readonly string[]
}

/**
 * Refuses to act on a receipt that does not prove itself, and on one that leads out of its root or to bytes that are no
 * backup of ours, from any author.
 * @param leave how one without a signature may be acted on nevertheless; null: not at all
 * @throws Refused
 */
export async function demandProved(
  { files, backups }: Pick<Writer, 'files' | 'backups'>,
  { receipt, proof }: ReadReceipt,
  leave: UnsignedLeave | null,
): Promise<void> {
  const { id } = receipt
  if (proof.kind === 'not-proved') throw refused(id, `does not prove itself: ${proof.why}`)
  if (proof.kind === 'older') {
    if (leave === null)
      throw refused(
        id,
        `was written before receipts were signed, so nothing proves it. Look at what it names; "plimsoll undo ${id} --unsigned" acts on it if all else is right.`,
      )
    await demandKnownRoot(files, receipt, leave)
  }
  for (const change of receipt.files) {
    const { path, before, backup } = change
    const isInside = path === files.join(path) && path.startsWith(files.join(receipt.root, '/'))
    if (!isInside) throw refused(id, `names ${path}, which is not inside ${receipt.root}.`)
    if (backup === null) continue
    const isHash = before !== null && /^[0-9a-f]{64}$/.test(before.hash)
    if (!isHash || backup !== backups.placeOf(before.hash))
      throw refused(id, `names ${backup} as the backup of ${path}, which is not where its backup would be.`)
  }
}

async function demandKnownRoot(
  files: Pick<WriteFiles, 'realPath'>,
  { id, root }: Receipt,
  { roots }: UnsignedLeave,
): Promise<void> {
  const real = await files.realPath(root).catch(() => null)
  if (real !== root || !roots.includes(root))
    throw refused(
      id,
      `names the folder ${root}, which is no store and no folder of cold storage or logs here.`,
    )
}

function refused(id: string, what: string): Refused {
  return new Refused('not-proved', `The receipt ${id} ${what} Nothing was changed, and it is left as it is.`)
}
