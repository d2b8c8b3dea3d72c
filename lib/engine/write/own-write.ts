import type { Writer } from './write-ports'

/** So many of the newest receipts are looked at: a write before them is more than moments old, or of no interest. */
const NEWEST = 50

/** Whether a file is as a write of ours left it: who wrote to it last is known then. @param path its real path */
export async function isOwnWrite(
  { files, receipts }: Pick<Writer, 'files' | 'receipts'>,
  path: string,
): Promise<boolean> {
  const now = await files.stat(path)
  if (now === null) return false
  for (const id of (await receipts.ids()).slice(0, NEWEST)) {
    // One that cannot be read proves nothing.
    const read = await receipts.read(id).catch(() => null)
    if (read?.proof.kind !== 'proved') continue
    const change = read.receipt.files.find((file) => file.path === path)
    if (change === undefined) continue
    const { after } = change
    return after !== null && after.mtimeNs === now.mtimeNs && after.ino === now.ino && after.size === now.size
  }
  return false
}
