import type { WriteFiles } from '../engine/write/write-ports'
import { failingFiles, type ProcessEnd } from './failing-files'
import type { MemoryDisk } from './memory-disk'

/** What the end of a process left behind. */
export type DiskLeftBehind = {
  readonly end: ProcessEnd
  /** The call at which it ended. */
  readonly call: string
  readonly disk: MemoryDisk
}

/**
 * The disks that a process leaves behind, for each end of `endsOf` that it can come to: taken while `work` runs once, because
 * a process that ends leaves what is there at that moment. To end it in earnest each time takes the square of its calls.
 */
export async function disksLeftBehind(
  disk: MemoryDisk,
  work: (files: WriteFiles) => Promise<unknown>,
): Promise<readonly DiskLeftBehind[]> {
  const left: { end: ProcessEnd; disk: MemoryDisk }[] = [
    { end: { at: 0, kind: 'before' }, disk: disk.copy() },
  ]
  const { files, calls } = failingFiles(disk, null, ({ end, half }) => {
    const twin = disk.copy()
    if (half !== null) twin.append(half.path, half.bytes)
    left.push({ end, disk: twin })
  })
  await work(files)
  return left.map((one) => ({ ...one, call: calls[one.end.at] ?? '' }))
}
