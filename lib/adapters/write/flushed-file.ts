import { unlinkIfThere, writeAll } from '../../engine/write/file-state'
import type { WriteFiles } from '../../engine/write/write-ports'

/**
 * Writes one of our own files so that it is there whole or not at all: prepared under another name, flushed, renamed,
 * the folder flushed. What an earlier crash left under that other name is replaced; a link or a file with a second name
 * is none of ours, and nothing is written then.
 * @param prepared the other name, in the same folder
 * @param beforeRename may look at the prepared file and throw
 */
export async function writeFlushed(
  files: WriteFiles,
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  prepared = `${path}.plimsoll.tmp`,
  beforeRename: () => Promise<void> = async () => undefined,
): Promise<void> {
  const left = await files.stat(prepared)
  if (left !== null && (left.kind !== 'file' || left.links > 1)) {
    const what = left.kind === 'file' ? 'a file with several names' : left.what
    throw new Error(`${prepared} is ${what} that Plimsoll did not make. Take it away and try again.`)
  }
  await unlinkIfThere(files, prepared)
  const file = await files.create(prepared, 0o600)
  try {
    try {
      for await (const piece of content) await writeAll(file, piece)
      await file.sync()
    } finally {
      await file.close()
    }
    await beforeRename()
    await files.rename(prepared, path)
  } catch (error) {
    await files.unlink(prepared).catch(() => undefined)
    throw error
  }
  await files.syncFolder(files.folderOf(path))
}
